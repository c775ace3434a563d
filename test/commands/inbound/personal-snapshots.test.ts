import { expect } from 'chai';
import { createSnapshotAudit, snapshotted } from '../../../src/audit/snapshots.ts';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import { BotActionStarted, conversationIdOf } from '../../../src/events/conversation.ts';
import { opened } from '../../../src/events/opened.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { fixedClock } from '../../support/ambient.ts';
import { erasableSubjects } from '../../support/erasable-subjects.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { botRunStarted, inboundMessage } from '../../support/samples.ts';
import { untilTrue } from '../../support/until.ts';

const [accountId, phoneNumberId, ID] = ['acc_1', '10', '919812345678'];
const NOBODY = { waId: null, userId: null, name: null };
const MONTH_MS = 31 * 24 * 60 * 60_000;

/** A snapshot holds what a run knows of its contact: it must not outlive the keys of the events. */
describe('the snapshot of a conversation', () => {
  let store: EventStore;
  let clock: ReturnType<typeof fixedClock>;
  let held: ReturnType<typeof erasableSubjects>;
  beforeEach(async () => {
    store = await openOwnStore();
    clock = fixedClock();
    held = erasableSubjects(clock);
  });
  afterEach(() => store.close());

  const open = (ring = held.subjects.ring) => {
    let read = 0;
    const counted: EventStore = {
      ...store,
      async read(...what) {
        const events = await store.read(...what);
        read += events.length;
        return events;
      },
    };
    const log = opened(counted, ring);
    const writer = createWriter({ store: log, clock, ids: systemIds, keys: ring });
    return { writer, reads: () => read };
  };
  const refOf = async () => (await held.subjects.of(accountId, ID)).ref;
  const idOf = async () =>
    conversationIdOf({ accountId, phoneNumberId, contactRef: await refOf() });
  const kept = async () => store.loadSnapshot(`conversation-${await idOf()}`);
  const untilKept = () => untilTrue('a snapshot', async () => (await kept()) !== undefined);

  const stateIn = async ({ writer }: ReturnType<typeof open>) =>
    (await writer.load(conversationDecider, await idOf())).state;

  /** A run that has set a variable, and so many messages after it. */
  const talk = async ({ writer }: ReturnType<typeof open>, messages: number) => {
    const subject = await held.subjects.of(accountId, ID);
    const id = await idOf();
    const of = { accountId, phoneNumberId, contactRef: subject.ref };
    const context = { requestId: 't', subjects: [subject] };
    const at = isoTime(clock.now());
    const run = { runId: 'run_1', botId: 'bot_1', contactRef: subject.ref };
    const { state } = await writer.load(conversationDecider, id);
    const steps = [{ nodeId: 'a', nodeType: 'set_variable', variables: { street: 'Elm Street' } }];
    const action = { nodeId: 'q', kind: 'send' as const, attempts: 0, startedAt: at };
    const flow = { name: 'flow', response: { colour: 'teal' } };
    const said = { contactName: 'Mia', messageId: 'm', text: 'hello', flow, takenAt: at };
    const started = botRunStarted({ ...run, ...of, waId: ID, ...said });
    const acted = BotActionStarted.of({ ...run, ...action, steps, stepCount: 1 });
    const facts = state.bots.run ? [acted] : [started, acted];
    const turn = { type: 'RecordTurn' as const, basis: state.botFacts, facts };
    await writer.execute(conversationDecider, id, turn, context);
    const receive = (index: number) => {
      const messageRef = `wamid.${clock.now()}.${index}`;
      const told = { contactName: 'Mia', messageRef, receivedAt: at, text: 'Hi' };
      const message = inboundMessage({ ...of, waId: ID, ...told });
      return writer.execute(conversationDecider, id, { type: 'Receive', message }, context);
    };
    await Promise.all(Array.from({ length: messages }, (_, index) => receive(index)));
  };

  it('holds nothing of the contact in clear, and gives the whole state back', async () => {
    const first = open();
    await talk(first, 600);
    await untilKept();
    const text = JSON.stringify(await kept());
    for (const word of ['Elm Street', 'Mia', ID, 'hello', 'teal']) {
      expect(text, word).not.to.contain(word);
    }
    const state = await stateIn(first);
    const next = open();
    expect(await stateIn(next)).to.deep.equal(state);
    expect(next.reads()).to.be.below(500);
    expect(state.bots.run).to.deep.include({ variables: { street: 'Elm Street' } });
  });

  it('stands an audit, which has no keys', async () => {
    await talk(open(), 600);
    await untilKept();
    const problems: object[] = [];
    const snapshot = { stream: `conversation-${await idOf()}`, ...(await kept())! };
    const audit = createSnapshotAudit({
      log: { ...store, snapshots: () => [snapshot] } as never,
      problems: { add: (problem: object) => void problems.push(problem) } as never,
      deciders: snapshotted,
      pageSize: 1000,
    });
    await audit.all();
    expect(problems).to.deep.equal([]);
  });

  it('is not used any more once the contact is erased: the log is folded anew, without it', async () => {
    await talk(open(), 600);
    await untilKept();
    const id = await idOf();
    await held.erase(accountId, ID);
    const { writer, reads } = open();
    const { state } = await writer.load(conversationDecider, id);
    expect(reads()).to.be.above(600);
    expect(state.bots.run).to.deep.include({ contact: NOBODY, text: '', variables: {} });
    expect(state.bots.owner).to.include({ isErased: true, sealedUnder: null });
    const snapshot = async () => store.loadSnapshot(`conversation-${id}`);
    const { reads: later, writer: other } = open();
    await untilTrue('a snapshot without it', async () =>
      JSON.stringify(await snapshot()).includes('"isErased":true'),
    );
    expect((await other.load(conversationDecider, id)).state).to.deep.equal(state);
    expect(later()).to.be.below(500);
  });

  it('goes with the oldest month in it, also where later months are kept', async () => {
    await talk(open(), 100);
    clock.advance(MONTH_MS);
    const writer = open();
    await talk(writer, 600);
    await untilKept();
    const [ref, through] = [await refOf(), '2026-11'];
    await held.keys.destroyMonths(accountId, through);
    held.subjects.ring.forgetMonths(accountId, through);
    expect((await held.subjects.of(accountId, ID)).ref).to.equal(ref);
    const next = open();
    const state = await stateIn(next);
    expect(next.reads()).to.be.above(700);
    expect(state.bots.run?.contact).to.deep.equal(NOBODY);
    expect(state.bots.run?.variables).to.deep.equal({ street: 'Elm Street' });
    expect(state.bots.owner?.sealedUnder).to.deep.equal({ ref, month: '2026-12' });
  });

  it('is not kept where nobody has the key', async () => {
    const ring = { ...held.subjects.ring, find: () => undefined };
    const { writer } = open(ring);
    await talk({ writer, reads: () => 0 }, 600);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await kept()).to.equal(undefined);
  });
});
