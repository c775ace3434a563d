import { expect } from 'chai';
import {
  checkDataKeys,
  demandDataKeys,
  type KeysIdentity,
  nameGeneration,
} from '../../../src/commands/core/data-keys.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { codeOf } from '../../support/spec.ts';

/** A store of keys with or without an id. */
const keysWith = (id?: string) => {
  let known = id;
  const identity: KeysIdentity = {
    place: 'keys.db',
    find: async () => known,
    async found() {
      known ??= 'new';
      return known;
    },
  };
  return identity;
};

const open = () => {
  const { store, events } = createMemoryLog();
  const ids = countedIds();
  const on = { store, clock: fixedClock(), ids };
  const check = (identity: KeysIdentity, keysLost = false) =>
    checkDataKeys({ ...on, identity, keysLost });
  const named = () => events.map(({ data }) => (data as { keysId: string }).keysId);
  return { on, check, events, named };
};

describe('the data keys of a log', () => {
  it('are named by it at the first start, and are the same from then on', async () => {
    const { check, events, named } = open();
    const keys = keysWith();
    await check(keys);
    await check(keys);
    expect(named()).to.deep.equal(['new']);
    expect(events[0]).to.include({ type: 'DataKeysFounded', stream: 'installation-keys' });
  });

  it('are those that were made before a crash', async () => {
    const { check, named } = open();
    await check(keysWith('made'));
    expect(named()).to.deep.equal(['made']);
  });

  it('are missed where there are none, or those of another log, and nothing is made', async () => {
    const { check, named } = open();
    await check(keysWith('ours'));
    for (const identity of [keysWith(), keysWith('others')]) {
      const before = await identity.find();
      expect(await codeOf(check(identity))).to.equal('MissingKeys');
      expect(await identity.find()).to.equal(before);
    }
    expect(named()).to.deep.equal(['ours']);
  });

  it('are replaced where they are declared lost, and then missed no more', async () => {
    const { check, named } = open();
    await check(keysWith('ours'));
    const empty = keysWith();
    await check(empty, true);
    await check(empty);
    await check(empty, true);
    expect(named()).to.deep.equal(['ours', 'new']);
    expect(await codeOf(check(keysWith('ours')))).to.equal('MissingKeys');
  });

  it('have the newest generation of the key that the log names, once', async () => {
    const { on, check, events } = open();
    const identity = keysWith('ours');
    const known = async () => (await demandDataKeys({ ...on, identity })).generation;
    await nameGeneration(on, 'v2-a');
    expect(events, 'no keys are named yet').to.deep.equal([]);
    await check(identity);
    await nameGeneration(on, 'v1');
    expect([events.length, await known()]).to.deep.equal([1, 'v1']);
    await nameGeneration(on, 'v2-a');
    await nameGeneration(on, 'v2-a');
    await check(identity);
    expect([events.length, await known()]).to.deep.equal([2, 'v2-a']);
  });

  it('are the same for processes that start at the same moment', async () => {
    const { check, named } = open();
    const keys = keysWith();
    await Promise.all([check(keys), check(keys), check(keys)]);
    expect(named()).to.deep.equal(['new']);
  });
});
