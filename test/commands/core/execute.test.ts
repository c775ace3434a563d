import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import type { CommandContext } from '../../../src/commands/core/decider.ts';
import { createWriter, type Writer } from '../../../src/commands/core/execute.ts';
import { messageDecider } from '../../../src/commands/sending/message.ts';
import { organisationDecider } from '../../../src/commands/tenancy/tenancy.ts';
import { type EventStore, NO_STREAM } from '../../../src/events/store.ts';
import { grantCommand, openCommand, reserveCommand } from '../../support/account-commands.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { NOW, statusUpdate } from '../../support/samples.ts';
import { codeOf, failureOf } from '../../support/spec.ts';
import { customer } from '../../support/subjects.ts';
import { watched } from '../../support/watched.ts';

const context = { requestId: 'req-1', subjects: [customer] };
const reserve = reserveCommand();

describe('the write path', () => {
  let store: EventStore;
  let spy: ReturnType<typeof watched>;
  let writer: Writer;
  const clock = fixedClock();
  const ids = countedIds();

  before(async () => {
    store = await openOwnStore();
  });
  beforeEach(() => {
    spy = watched(store);
    writer = createWriter({ store: spy.log, clock, ids });
  });
  after(() => store.close());

  let counter = 0;
  const openAccount = async (credits: number) => {
    counter += 1;
    const id = `acc_${counter}`;
    const decider = accountDecider(id);
    await writer.execute(decider, id, openCommand(id), context);
    await writer.execute(decider, id, grantCommand(credits), context);
    return { id, decider };
  };

  it('stamps what it appends with time, request and a fresh id', async () => {
    const command = { type: 'Create' as const, organisationId: 'o1', name: 'Shops' };
    const by = { id: 'adm', email: 'a@example.org', name: 'Ana' };
    const done = await writer.execute(organisationDecider, 'o1', command, { ...context, by });
    expect(done.state).to.deep.equal({ created: true, suspended: false, fourEyes: [] });
    const [event] = await store.read('organisation-o1');
    expect(event).to.deep.include({ type: 'OrganisationCreated', revision: 0, version: 1 });
    expect(event!.meta).to.deep.equal({ at: new Date(NOW).toISOString(), requestId: 'req-1', by });
  });

  it('appends nothing for a command that changes nothing or is refused', async () => {
    const create = { type: 'Create' as const, organisationId: 'o2', name: 'Shops' };
    await writer.execute(organisationDecider, 'o2', create, context);
    const reinstate = { type: 'Reinstate' as const, organisationId: 'o2', reason: null };
    const same = await writer.execute(organisationDecider, 'o2', reinstate, context);
    expect(same).to.deep.include({ facts: [], revision: 0 });
    const refused = writer.execute(organisationDecider, 'o2', create, context);
    expect(await codeOf(refused)).to.equal('resource.conflict');
    expect(await store.read('organisation-o2')).to.have.length(1);
  });

  it('writes what arrives together as one append, and refuses exactly the rest', async () => {
    const { id, decider } = await openAccount(30);
    spy.appends.length = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, () => writer.execute(decider, id, reserve, context)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(30);
    expect(spy.appends).to.deep.equal([30]);
    expect((await writer.load(decider, id)).state.balance).to.equal(0);
  });

  it('decides again when another writer was first', async () => {
    const { id, decider } = await openAccount(1);
    const first = [() => writer.execute(decider, id, reserve, context)];
    const { log } = watched(store, () => first.pop()?.());
    const second = createWriter({ store: log, clock, ids }).execute(decider, id, reserve, context);
    expect(await codeOf(second)).to.equal('account.insufficient');
  });

  it('never refuses from memory: what another writer granted counts', async () => {
    const { id, decider } = await openAccount(1);
    await writer.execute(decider, id, reserve, context);
    const rival = createWriter({ store, clock, ids });
    await rival.execute(decider, id, grantCommand(1), context);
    const done = await writer.execute(decider, id, reserve, context);
    expect(done.facts[0]!.data).to.deep.include({ balanceAfter: 0 });
  });

  it('shares credit exactly between rival writers', async () => {
    const { id, decider } = await openAccount(50);
    const writers = [writer, ...[1, 2].map(() => createWriter({ store, clock, ids }))];
    const results = await Promise.allSettled(
      Array.from({ length: 150 }, (_, i) => writers[i % 3]!.execute(decider, id, reserve, context)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(50);
  });

  it('saves the read of a stream that is assumed new, and is right when it is not', async () => {
    const update = statusUpdate({ messageRef: 'wamid.7' });
    const command = { type: 'RecordStatus' as const, update };
    const on = { assumeNew: true };
    await writer.execute(messageDecider, 'wamid.7', command, context, on);
    expect(spy.reads).to.deep.equal([]);
    const second = { ...command, update: { ...update, status: 'read' } };
    const done = await writer.execute(messageDecider, 'wamid.7', second, context, on);
    expect(done.state.early.map(({ status }) => status)).to.deep.equal(['delivered', 'read']);
    const rival = createWriter({ store, clock, ids });
    const again = await rival.execute(messageDecider, 'wamid.7', command, context, on);
    expect(again.facts).to.deep.equal([]);
  });

  it('decides on what a command has left without a read, and is right when that is over', async () => {
    const create = { type: 'Create' as const, organisationId: 'o3', name: 'Shops' };
    const on = { assumeNew: true };
    const made = await writer.execute(organisationDecider, 'o3', create, context, on);
    const suspend = { type: 'Suspend' as const, organisationId: 'o3', reason: null };
    const done = await writer.execute(organisationDecider, 'o3', suspend, context, { after: made });
    expect([done.revision, spy.reads]).to.deep.equal([1, []]);
    const late = { after: made };
    const again = await writer.execute(organisationDecider, 'o3', suspend, context, late);
    expect(again).to.deep.include({ facts: [], revision: 1 });
    expect(spy.reads).to.have.length(1);
  });

  it('loads a long stream from its snapshot', async () => {
    const { id, decider } = await openAccount(5000);
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(
        Array.from({ length: 100 }, () => writer.execute(decider, id, reserve, context)),
      );
    }
    await writer.drain();
    const fresh = watched(store);
    const other = createWriter({ store: fresh.log, clock, ids });
    const { state, revision } = await other.load(decider, id);
    expect(revision).to.equal(1201);
    expect(state).to.deep.equal((await writer.load(decider, id)).state);
    const snapshot = await store.loadSnapshot(`account-${id}`);
    expect(snapshot!.revision).to.be.at.least(999);
    expect(fresh.reads).to.have.length(1);
  });

  it('reads a stream once for all who load it at the same time, and what they missed after it', async () => {
    const { id, decider } = await openAccount(5);
    await writer.drain();
    const fresh = watched({ ...store, soleWriter: false });
    const other = createWriter({ store: fresh.log, clock, ids });
    const [before] = await Promise.all([1, 2, 3, 4, 5].map(() => other.load(decider, id)));
    expect(fresh.reads).to.have.length(2);
    await writer.execute(decider, id, reserve, context);
    const after = await other.load(decider, id);
    expect(fresh.reads).to.have.length(3);
    expect(after.revision).to.equal(before!.revision + 1);
    expect(after.state).to.deep.equal((await writer.load(decider, id)).state);
  });

  it('reads nothing of a stream in memory where no other process writes', async () => {
    const { id, decider } = await openAccount(5);
    spy.reads.length = 0;
    await writer.execute(decider, id, reserve, context);
    expect((await writer.load(decider, id)).state.balance).to.equal(4);
    expect(spy.reads).to.deep.equal([]);
  });

  it('stops at an event that it cannot read', async () => {
    const meta = { at: new Date(NOW).toISOString(), requestId: 'r' };
    const event = { id: ids.uuid(), type: 'Unheard', version: 1, data: {}, meta };
    await store.append('organisation-o9', NO_STREAM, [event]);
    const command = { type: 'Suspend' as const, organisationId: 'o9', reason: null };
    const stopped = writer.execute(organisationDecider, 'o9', command, context);
    expect((await failureOf(stopped)).message).to.contain('cannot be read');
  });

  it('resolves drain when nothing runs any more', async () => {
    const { id, decider } = await openAccount(5);
    let settled = false;
    void writer.execute(decider, id, reserve, context).then(() => {
      settled = true;
    });
    await writer.drain();
    await Promise.resolve();
    expect(settled).to.equal(true);
  });

  const by = { id: 'root', name: 'Root', email: 'root@localhost' };
  const causes: [who: string, context: Partial<CommandContext>, isFree: boolean][] = [
    ['a request of the account', {}, true],
    ['an administrator', { by }, false],
    ['another event, or a time that has come', { cause: 'e-1' }, false],
    ['the provider, or what is paid', { countsAsFree: false }, false],
    ['a request of the account whose work goes on', { cause: 'e-1', countsAsFree: true }, true],
    ['nobody’s account', { accountId: undefined as never }, false],
  ];
  for (const [index, [who, more, isFree]] of causes.entries()) {
    it(`row 69: ${isFree ? 'counts as free' : 'does not count as free'} what ${who} causes`, async () => {
      const counted: [string, string][] = [];
      const counting = createWriter({
        store,
        clock,
        ids,
        onFree: (accountId, { type }) => counted.push([accountId, type]),
      });
      const command = { type: 'Create' as const, organisationId: `free-${index}`, name: 'A' };
      const on = { requestId: 'r', accountId: 'acc_1', ...more };
      await counting.execute(organisationDecider, `free-${index}`, command, on);
      expect(counted).to.deep.equal(isFree ? [['acc_1', 'OrganisationCreated']] : []);
      const [event] = await store.read(`organisation-free-${index}`);
      expect(event?.meta).not.to.have.property('countsAsFree');
    });
  }
});
