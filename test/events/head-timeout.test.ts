import { expect } from 'chai';
import { withHeadTimeout } from '../../src/events/head-timeout.ts';
import { type EventStore, NO_STREAM, START, StoreUnavailable } from '../../src/events/store.ts';

for (const name of ['head', 'end', 'bucketEnds'] as const) {
  describe(`the head timeout, of ${name}()`, () => {
    let now = 0;
    let asked = 0;
    let answer: () => Promise<string>;
    const log = () =>
      withHeadTimeout(
        {
          [name]: () => {
            asked += 1;
            return answer();
          },
          append: async () => ({ revision: 0, position: '1' }),
        } as unknown as EventStore,
        () => now,
      );
    const refusal = (work: Promise<unknown>) => work.then(String, (error: unknown) => error);
    const away = async () => {
      throw new StoreUnavailable('away');
    };
    beforeEach(() => {
      now = 0;
      asked = 0;
      answer = async () => START;
    });

    it('asks at most every 250 ms while the log is away', async () => {
      const store = log();
      answer = away;
      for (let round = 0; round < 10; round += 1) {
        expect(await refusal(store[name]())).to.be.instanceOf(StoreUnavailable);
      }
      expect(asked).to.equal(1);
      now += 250;
      answer = async () => '7';
      expect(await store[name]()).to.equal('7');
    });
    it('asks again after an append', async () => {
      const store = log();
      answer = away;
      await refusal(store[name]());
      answer = async () => '7';
      await store.append('s-1', NO_STREAM, []);
      expect(await store[name]()).to.equal('7');
    });
    it('does not wait for ever for a log that hangs', async () => {
      answer = () => new Promise(() => undefined);
      expect(await refusal(log()[name]())).to.be.instanceOf(StoreUnavailable);
    });
    it('passes on errors that are no outage', async () => {
      const store = log();
      answer = async () => {
        throw new Error('a fault');
      };
      expect(((await refusal(store[name]())) as Error).message).to.equal('a fault');
      await refusal(store[name]());
      expect(asked).to.equal(2);
    });
  });
}
