import { expect } from 'chai';
import { KeysUnavailable } from '../../../src/keys/key-store.ts';
import { healthChecks } from '../../../src/service/health/health.ts';
import { MARKER } from '../../../src/service/privacy/secret.ts';

const keysCheck = (keys: object) =>
  healthChecks({ keys } as never).find(({ name }) => name === 'keys')!.check;

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
