import { expect } from 'chai';
import { createLook } from '../../../src/http/ops/health.ts';
import { createMetrics } from '../../../src/http/ops/metrics.ts';
import { KeysUnavailable } from '../../../src/keys/key-store.ts';
import { NotReached } from '../../../src/projections/engine/reader.ts';
import { healthChecks } from '../../../src/service/health/health.ts';
import { observeParts, observeSignatures } from '../../../src/service/health/observe.ts';
import { MARKER } from '../../../src/service/privacy/secret.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { NOW } from '../../support/samples.ts';

const silent = createLogger({ level: 'silent' });

const checkOf = (part: string, parts: object) =>
  healthChecks(parts as never).find(({ name }) => name === part)!.check;
const keysCheck = (keys: object) => checkOf('keys', { keys });

const markerOf = (ref: string) => ({ hash: MARKER, ref, accountId: MARKER });

describe('the health of the data keys', () => {
  it('is bad once the keys that served are gone, or are those of another log', async () => {
    let held = [markerOf('one')];
    const check = keysCheck({ health: async () => ({ ok: true }), subjects: async () => held });
    expect(await check()).to.deep.equal({ ok: true });
    const detail = 'the data keys are gone: stop, and put a backup of them there';
    for (const other of [[], [markerOf('two')]]) {
      held = other;
      expect(await check()).to.deep.equal({ ok: false, detail });
    }
    held = [markerOf('one')];
    expect(await check()).to.deep.equal({ ok: true });
  });

  it('is good before the store has an id, and is then of that one', async () => {
    let held: ReturnType<typeof markerOf>[] = [];
    const check = keysCheck({ health: async () => ({ ok: true }), subjects: async () => held });
    expect((await check()).ok).to.equal(true);
    held = [markerOf('one')];
    expect((await check()).ok).to.equal(true);
    held = [];
    expect((await check()).ok).to.equal(false);
  });

  it('says what the store says while it is away', async () => {
    const away = { ok: false, detail: 'MongoDB does not answer' };
    const subjects = () => Promise.reject(new KeysUnavailable('not asked'));
    expect(await keysCheck({ health: async () => away, subjects })()).to.deep.equal(away);
  });
});

describe('the metric of the parts', () => {
  it('shows as down the part that fails or hangs, and the others as they are', async () => {
    const metrics = createMetrics({ ofProcess: false });
    const checks = [
      { name: 'log', check: async () => ({ ok: true }) },
      { name: 'views', check: () => new Promise<never>(() => undefined) },
      { name: 'keys', check: () => Promise.reject(new Error('broken')) },
    ];
    observeParts(metrics, createLook({ checks, log: silent, timeoutMs: 5 }));
    const lines = (await metrics.text()).split('\n').filter((line) => line.includes('part='));
    expect(lines).to.deep.equal([
      'waybill_part_up{part="log"} 1',
      'waybill_part_up{part="views"} 0',
      'waybill_part_up{part="keys"} 0',
    ]);
  });
});

describe('the health of the partitions', () => {
  it('is bad while one has no worker', async () => {
    const health = (...holders: (string | null)[]) =>
      checkOf('partitions', { worker: () => undefined, partitionHolders: async () => holders })();
    const other = 'not done by this process';
    expect(await health('one', 'two')).to.deep.equal({ ok: true, detail: other });
    const detail = 'no worker has 2 of the 3 partitions';
    expect(await health('one', null, null)).to.deep.equal({ ok: false, detail });
  });
});

describe('the health of the clock', () => {
  it('is bad half a minute away from what the provider says', async () => {
    const clock = { now: () => NOW };
    const check = (told: number | undefined) =>
      checkOf('clock', { clock, heard: () => ({ time: told }) })();
    for (const told of [undefined, NOW, NOW - 30_000, NOW + 30_000]) {
      expect(await check(told)).to.deep.equal({ ok: true });
    }
    for (const [told, detail] of [
      [NOW - 3_600_000, "3600 s ahead of the provider's"],
      [NOW + 31_000, "31 s behind the provider's"],
    ] as const) {
      expect(await check(told)).to.deep.equal({ ok: false, detail });
    }
  });
});

describe('the health of the provider', () => {
  it('is bad after three calls without an answer', async () => {
    const afterMissing = (count: number) =>
      checkOf('provider', { heard: () => ({ missed: { count, reason: 'ECONNREFUSED' } }) })();
    expect(await afterMissing(2)).to.deep.equal({ ok: true });
    const detail = 'no answer to the last 3 calls: ECONNREFUSED';
    expect(await afterMissing(3)).to.deep.equal({ ok: false, detail });
  });
});

describe('the health of the callbacks', () => {
  it('is bad while most of them are refused, and until ten minutes are over', () => {
    let now = NOW;
    const signatures = observeSignatures(
      { logger: silent, clock: { now: () => now } },
      createMetrics({ ofProcess: false }),
    );
    const refuse = (times: number) => {
      for (let time = 0; time < times; time += 1) signatures.onRefused();
    };
    refuse(2);
    expect(signatures.health()).to.deep.equal({ ok: true });
    refuse(1);
    expect(signatures.health().detail).to.match(/^3 notifications .* WAYBILL_APP_SECRET$/);
    signatures.accepted = 3;
    expect(signatures.health()).to.deep.equal({ ok: true });
    refuse(1);
    expect(signatures.health().ok).to.equal(false);
    now += 10 * 60_000 + 1;
    expect(signatures.health()).to.deep.equal({ ok: true });
    refuse(2);
    expect(signatures.health()).to.deep.equal({ ok: true });
  });
});

describe('the health of the look-ups', () => {
  /** A process with a wait for its read models, which the test ends. */
  const open = (answers = true) => {
    const state = { keeps: false };
    const waits: PromiseWithResolvers<void>[] = [];
    const check = checkOf('lookups', {
      store: { head: async () => '7' },
      reader: {
        reached() {
          waits.push(Promise.withResolvers<void>());
          return waits.at(-1)!.promise;
        },
      },
      cache: { keeps: () => state.keeps },
      answers,
    });
    /** Ends the wait, and lets what follows from it happen. */
    const end = async (isLate: boolean) => {
      const { resolve, reject } = waits.at(-1)!;
      if (isLate) reject(new NotReached(['keys'], '7'));
      else resolve();
      await new Promise(setImmediate);
    };
    return { state, waits, check, end };
  };
  const late = { ok: false, detail: 'keys did not reach the asked position in time' };

  it('row 64: is bad while nobody can be looked up: read models are late, and nothing is kept', async () => {
    const { check, end, waits } = open();
    const first = check();
    await new Promise(setImmediate);
    await end(true);
    expect(await first).to.deep.equal(late);
    expect(await check(), 'while the next wait lasts').to.deep.equal(late);
    await new Promise(setImmediate);
    await end(false);
    expect(await check()).to.deep.equal({ ok: true });
    await new Promise(setImmediate);
    await end(true);
    expect(await check(), 'late again').to.deep.equal(late);
    expect(waits).to.have.length(4);
  });

  it('row 64: is good while keys are kept, and in a process that answers nobody', async () => {
    const { state, check, waits } = open();
    state.keeps = true;
    expect(await check()).to.deep.equal({ ok: true });
    expect(await open(false).check()).to.deep.equal({ ok: true });
    expect(waits).to.deep.equal([]);
  });
});
