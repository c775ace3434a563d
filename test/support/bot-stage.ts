import { setImmediate as turn } from 'node:timers/promises';
import type { Act } from '../../src/commands/bots/actions.ts';
import { botDecider, createBotRepository } from '../../src/commands/bots/bot.ts';
import { createBotRuns } from '../../src/commands/bots/bot-runs.ts';
import type { StoredGraph } from '../../src/commands/bots/graph.ts';
import type { DueRun } from '../../src/commands/bots/waking.ts';
import type { Subjects } from '../../src/commands/contacts/subjects.ts';
import { createWriter, type Writer } from '../../src/commands/core/execute.ts';
import type { DueRows } from '../../src/commands/core/timers.ts';
import { conversationDecider } from '../../src/commands/inbound/conversation.ts';
import { createNumberLinks, type NumberLinks } from '../../src/commands/numbers/number-links.ts';
import { phoneDecider } from '../../src/commands/numbers/phone.ts';
import { type BotRunFact, conversationIdOf, expandSteps } from '../../src/events/conversation.ts';
import type { KnownEvent } from '../../src/events/index.ts';
import type { EventStore } from '../../src/events/store.ts';
import { inAccount } from '../../src/events/streams.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { systemIds } from '../../src/shared/system.ts';
import { fixedClock } from './ambient.ts';
import { react } from './react.ts';
import { botDefinition, inboundMessage, profile } from './samples.ts';
import { memorySubjects, openedLog, subjectOfId } from './subjects.ts';
import { untilTrue } from './until.ts';

type Json = Record<string, unknown>;

/** The provider's message for a text. */
export const said = (body: string) => ({ type: 'text', text: { body } });

/** One instance of what runs bots. */
export interface Instance {
  writer: Writer;
  runs: ReturnType<typeof createBotRuns>;
  wake(): Promise<void>;
}

let stages = 0;

/** One contact, one bot for every first message, and as many instances as a test wants. */
export const openBotStage = async (store: EventStore, graph: StoredGraph, name: string | null) => {
  stages += 1;
  const clock = fixedClock();
  const [accountId, phoneNumberId, botId] = [`acc${stages}`, `10${stages}`, `bot${stages}`];
  const waId = '919812345678';
  const subject = subjectOfId(waId);
  const thread = { accountId, phoneNumberId, contactRef: subject.ref };
  const conversationId = conversationIdOf(thread);
  const faults: unknown[] = [];
  let isErased = false;
  const subjects: Subjects = {
    ...memorySubjects,
    ofRef: (ref) => (isErased ? undefined : memorySubjects.ofRef(ref)),
  };
  // Its writers stand for several processes: none of them believes in its memory alone.
  const log = { ...openedLog(store), soleWriter: false };
  const admin = createWriter({ store: log, clock, ids: systemIds });
  const definition = botDefinition({
    trigger: 'ANY_MESSAGE',
    triggerKeywords: [],
    nodes: [...graph.nodes],
    edges: [...graph.edges],
  });
  const context = { requestId: 'test' };
  const create = { type: 'Create' as const, botId, accountId, bot: definition };
  await admin.execute(botDecider, inAccount(accountId, botId), create, context);
  const onPhone = (command: Parameters<typeof phoneDecider.decide>[0]) =>
    admin.execute(phoneDecider, phoneNumberId, command, context);
  const of = { phoneNumberId, wabaId: '1', accessToken: null, messagesPerSecond: 1 };
  const link = (to = accountId) =>
    onPhone({ type: 'Link', terms: { ...of, accountId: to, profile: profile() } });
  await link();
  const candidate = { ...definition, botId, createdAt: isoTime(0) };
  let received = 0;

  const stateOf = async (writer: Writer) =>
    (await writer.load(conversationDecider, conversationId)).state.bots;
  const events = async () => (await log.read(`conversation-${conversationId}`)) as KnownEvent[];
  /** What runs did; each step comes as a fact of its own. */
  const facts = async () => {
    const ofBots = (await events()).filter(({ type }) => type.startsWith('Bot'));
    return ofBots.flatMap<KnownEvent>(expandSteps) as unknown as BotRunFact[];
  };

  const start = (
    act: Act,
    wrapLinks = (links: NumberLinks) => links,
    from: EventStore = store,
  ): Instance => {
    const shared = { ...openedLog(from), soleWriter: false };
    const writer = createWriter({ store: shared, clock, ids: systemIds });
    let looks = 0;
    const dueRuns: DueRows<DueRun> = {
      reachHead: async () => undefined,
      lanes: async ({ after }) => (after === '' ? [accountId] : []),
      async waiting() {
        const { run } = await stateOf(writer);
        looks += 1;
        if (!run) return [];
        const { phase, runId } = run;
        const acts = phase.kind === 'sending' || phase.kind === 'requesting';
        const dueAt = 'until' in phase ? phase.until : clock.now();
        const row = { ...thread, conversationId, runId, due: 'due', dueAt };
        return acts || 'until' in phase ? [{ ...row, phase: acts ? 'acting' : 'waiting' }] : [];
      },
    };
    const bots = async () =>
      // One run is enough: what comes later is for a run that waits.
      (await facts()).some(({ type }) => type === 'BotRunStarted') ? [] : [candidate];
    const runs = createBotRuns({
      writer,
      subjects,
      act,
      clock,
      ids: systemIds,
      repository: createBotRepository({ store }),
      links: wrapLinks(createNumberLinks({ writer })),
      lookups: { bots, dueRuns },
      mayAct: async () => true,
      onFault: (error) => faults.push(error),
      onBound: () => undefined,
      store,
      onLag: () => undefined,
      onLookFailed: (error) => faults.push(error),
    });
    /** Looks for what is due, and wakes it. */
    const wake = async () => {
      const before = looks;
      await runs.reactor.prepare?.(() => true);
      // A tick during an earlier look begins none.
      await untilTrue('the look', async () => {
        runs.tick();
        return looks > before;
      });
      await turn();
    };
    return { writer, runs, wake };
  };

  return {
    clock,
    faults,
    facts,
    conversationId,
    link,
    unlink: () => onPhone({ type: 'Unlink', phoneNumberId }),
    start,
    /** Destroys the data keys of the contact. */
    erase() {
      isErased = true;
    },
    state: () => stateOf(admin),
    /** What the contact writes, as it stands in the log. */
    async receive(message: Json): Promise<KnownEvent> {
      received += 1;
      const messageId = `wamid.${stages}.${received}`;
      const whole = inboundMessage({
        ...thread,
        waId,
        messageRef: messageId,
        contactName: name,
        messageType: String(message.type),
        message: { id: messageId, ...message },
        receivedAt: isoTime(clock.now()),
      });
      const command = { type: 'Receive' as const, message: whole };
      const on = { ...context, subjects: [subject] };
      await admin.execute(conversationDecider, conversationId, command, on);
      return (await events()).at(-1)!;
    },
    /** One instance takes an event, and is done with it. */
    async take({ runs }: Instance, event: KnownEvent): Promise<void> {
      // Which bots there are is looked up anew: a second run is none of this stage's.
      await react(runs.reactor, { type: 'BotChanged', data: { accountId } } as KnownEvent);
      await (await react(runs.reactor, event))?.settled;
    },
  };
};

export type BotStage = Awaited<ReturnType<typeof openBotStage>>;
