import { expect } from 'chai';
import { createMetrics } from '../../../src/http/ops/metrics.ts';
import { KeysUnavailable } from '../../../src/keys/key-store.ts';
import { NotReached } from '../../../src/projections/engine/reader.ts';
import { healthChecks } from '../../../src/service/health/health.ts';
import { observeParts } from '../../../src/service/health/observe.ts';
import { MARKER } from '../../../src/service/privacy/secret.ts';

const checkOf = (part: string, parts: object) =>
  healthChecks(parts as never).find(({ name }) => name === part)!.check;
const keysCheck = (keys: object) => checkOf('keys', { keys });

const markerOf = (ref: string) => ({ hash: MARKER, ref, accountId: MARKER });

describe('the health of the data keys', () => {
  it('is bad once the keys that served are gone, or are those of another log', async () => {
    let held = [markerOf('one')];
    const check = keysCheck({ health: async () => ({ ok: true }), subjects: async () => held });
    expect(await check()).to.deep.equal({ ok: true });
    for (const other of [[], [markerOf('two')]]) {
      held = other;
      expect(await check()).to.deep.equal({
        ok: false,
        detail: 'the data keys are gone: stop, and put a backup of them there',
      });
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
    observeParts(metrics, checks, 5);
    const lines = (await metrics.text()).split('\n').filter((line) => line.includes('part='));
    expect(lines).to.deep.equal([
      'waybill_part_up{part="log"} 1',
      'waybill_part_up{part="views"} 0',
      'waybill_part_up{part="keys"} 0',
    ]);
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
