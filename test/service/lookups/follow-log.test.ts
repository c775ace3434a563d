import { expect } from 'chai';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { followLog } from '../../../src/service/lookups/follow-log.ts';
import { until } from '../../support/until.ts';

const logger = { info: () => undefined, warn: () => undefined } as never;

describe('what follows the log for the look-ups', () => {
  it('forgets all keys when it loses the log, and again once it knows from where it follows', async () => {
    const calls: string[] = [];
    let lose: () => void = () => undefined;
    const store = {
      async end() {
        calls.push('end');
        return '1';
      },
      async *follow(_from: string, signal: AbortSignal) {
        calls.push('follow');
        const lost = Promise.withResolvers<void>();
        signal.addEventListener('abort', () => lost.resolve());
        lose = () => lost.reject(new StoreUnavailable('away'));
        await lost.promise;
        yield* [];
      },
    };
    const following = followLog({
      store: store as never,
      cache: {
        interest: new Map(),
        note: () => undefined,
        setFollowing: (now: boolean) => void calls.push(`following ${now}`),
      },
      keys: { clear: async () => void calls.push('clear') },
      logger,
    });
    await following.started;
    await until('it is followed', () => calls.includes('follow'));
    lose();
    await until('it is followed again', () => calls.filter((one) => one === 'follow').length === 2);
    await following.stop();
    const session = ['end', 'following true', 'clear', 'follow', 'following false', 'clear'];
    expect(calls).to.deep.equal([...session, ...session]);
  });
});
