import { expect } from 'chai';
import {
  createReactorShare,
  mayTakeUnit,
  reactorUnits,
} from '../../../src/service/workers/reactor-share.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the share of the reactors', () => {
  /** Reactors that end when they are let go; how many sets of them run. */
  const open = () => {
    const stops: { letGo: () => void; fail: (error: Error) => void }[] = [];
    const seen = { running: 0, most: 0, begun: [] as (readonly number[])[] };
    const stopOne = () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      stops.push({ letGo: resolve, fail: reject });
      return promise;
    };
    const share = createReactorShare(({ held }) => {
      seen.begun.push(held);
      seen.running += 1;
      seen.most = Math.max(seen.most, seen.running);
      const stop = async () => {
        await stopOne();
        seen.running -= 1;
      };
      const status = () => ({ position: '', failing: null });
      const reactor = { name: 'test', status, stop, add: () => undefined };
      return { reactors: [reactor], timers: [{ stop: stopOne }], add: () => undefined };
    });
    return { share, stops, seen };
  };
  const [first, second] = reactorUnits(2);

  for (const fails of [false, true]) {
    const how = fails ? ', though another part has failed to stop' : '';
    it(`row 60: never begins or goes while what was released still runs${how}`, async () => {
      const { share, stops, seen } = open();
      share.hold([first!, second!]);
      const releasing = share.release([first!]).catch(() => undefined);
      const [timer, reactor] = stops;
      if (fails) timer!.fail(new Error('a fault'));
      else timer!.letGo();
      await turn();
      // The caller of the first release has given up, and drops all: its leases would go now.
      let hasGone = false;
      const dropping = share.release([]).then(() => {
        hasGone = true;
      });
      await turn();
      expect([hasGone, seen.running]).to.deep.equal([false, 1]);
      reactor!.letGo();
      await Promise.all([releasing, dropping]);
      share.hold([first!]);
      expect(seen).to.deep.equal({ running: 1, most: 1, begun: [[0, 1], [0]] });
    });
  }

  it('is taken only beside the duties of a newer worker, and in one number of partitions', () => {
    const may = (held: Record<string, string>) =>
      mayTakeUnit(first!, new Map(Object.entries(held)));
    expect(may({})).to.equal(false);
    expect(may({ duties: '3f0c-an-older-one' })).to.equal(false);
    expect(may({ duties: '0-3f0c' })).to.equal(true);
    expect(may({ duties: '0-3f0c', [second!]: '0-a' })).to.equal(true);
    expect(may({ duties: '0-3f0c', 'reactors-3.2': '0-a' })).to.equal(false);
    expect(mayTakeUnit('duties', new Map())).to.equal(true);
  });
});
