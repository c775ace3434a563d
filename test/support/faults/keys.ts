import { type KeyStore, KeysUnavailable } from '../../../src/keys/key-store.ts';
import { until } from '../until.ts';

/** Stands between the service and its data keys, and does to them what a test says. */
interface FaultyKeys {
  wrap(keys: KeyStore): KeyStore;
  /** Calls of this name wait until they are let go. */
  hold(name: keyof KeyStore): { arrived(): Promise<void>; release(): void };
  /** Nothing of the keys can be reached until they are up again. */
  setDown(isDown: boolean): void;
}

type Method = (...args: unknown[]) => Promise<unknown>;

const NAMES = [
  ...(['keys', 'subjects', 'subjectsOf', 'ensure', 'destroySubjects'] as const),
  ...(['destroyMonths', 'applied', 'setApplied', 'clean'] as const),
];

export const createFaultyKeys = (): FaultyKeys => {
  const holds = new Map<string, { open: Promise<void>; here: number }>();
  let isDown = false;

  const through =
    (name: string, call: Method): Method =>
    async (...args) => {
      const hold = holds.get(name);
      if (hold) {
        hold.here += 1;
        await hold.open;
      }
      if (isDown) throw new KeysUnavailable('the data keys are down', { retryAfterSeconds: 2 });
      return call(...args);
    };

  return {
    wrap: (keys) => ({
      ...keys,
      ...Object.fromEntries(NAMES.map((name) => [name, through(name, keys[name] as Method)])),
      health: async () => (isDown ? { ok: false, detail: 'down' } : keys.health()),
    }),
    hold(name) {
      const { promise: open, resolve } = Promise.withResolvers<void>();
      const hold = { open, here: 0 };
      holds.set(name, hold);
      return {
        arrived: () => until(`a call of ${name} to be held`, () => hold.here > 0),
        release() {
          holds.delete(name);
          resolve();
        },
      };
    },
    setDown(down) {
      isDown = down;
    },
  };
};
