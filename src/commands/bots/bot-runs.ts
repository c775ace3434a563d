import { idsOf } from '../../events/contact.ts';
import { conversationIdIn, receivedIdIn } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import { createGrowingCache } from '../../shared/growing-cache.ts';
import { retry } from '../../shared/retry.ts';
import { withTimeout } from '../../shared/timing.ts';
import type { Subjects } from '../contacts/subjects.ts';
import { createBacklog } from '../core/backlog.ts';
import type { Writer } from '../core/execute.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Reactor } from '../core/reactor.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import { isSameLink, type NumberLinks } from '../numbers/number-links.ts';
import type { Act } from './actions.ts';
import type { BotRepository } from './bot.ts';
import { type Conversation, createConversationLog, type RunEnd } from './conversation-log.ts';
import { type Inbound, readInbound } from './inbound.ts';
import type { Input } from './interpreter.ts';
import { type Candidate, chooseBot } from './matching.ts';
import type { Run } from './run.ts';
import type { BotsState } from './state.ts';
import { createTurns } from './turns.ts';
import { createWaking } from './waking.ts';

/** An event that bots may answer. */
export type Received = Extract<KnownEvent, { type: 'MessageReceived' | 'PreferenceReceived' }>;

/** The event as a bot sees it; undefined where no bot answers it, or its contact was erased. */
export const inboundOf = (event: KnownEvent): Inbound | undefined => {
  const { revision } = event;
  if (event.type === 'MessageReceived') {
    const { message } = event.data;
    const messageId = receivedIdIn(event.data);
    return message === null ? undefined : readInbound(message, { messageId, revision });
  }
  if (event.type !== 'PreferenceReceived' || event.data.value !== 'resume') return undefined;
  if (event.data.waId === null) return undefined;
  return { messageId: null, revision, kind: 'resume', text: '', choice: null };
};

export const conversationOf = ({ data, meta, id, stream }: Received): Conversation => {
  const { phoneNumberId, contactRef, waId, userId, accountId, contactName } = data;
  return {
    conversationId: conversationIdIn(stream),
    accountId,
    phoneNumberId,
    contactRef,
    contact: { ...idsOf(waId, userId), name: contactName },
    context: { requestId: meta.requestId, accountId, cause: id },
  };
};

const ACCOUNTS_MAX = 1000;

/** Keeps the bots of accounts in memory until a bot of the account changes. */
export const createCandidates = (lookups: Pick<Lookups, 'bots'>) => {
  const known = createGrowingCache<string, Promise<readonly Candidate[]>>(ACCOUNTS_MAX);

  const botsOf = (accountId: string): Promise<readonly Candidate[]> => {
    const before = known.get(accountId);
    if (before) return before;
    const reading = lookups.bots(accountId);
    known.set(accountId, reading);
    reading.catch(() => {
      if (known.get(accountId) === reading) known.delete(accountId);
    });
    return reading;
  };

  return {
    /** The bots that existed when the message was written. */
    at: async (accountId: string, writtenAt: string): Promise<readonly Candidate[]> =>
      (await botsOf(accountId)).filter(({ createdAt }) => createdAt <= writtenAt),
    invalidate: (accountId: string): void => void known.delete(accountId),
  };
};

/** What an inbound message leads to. */
export type Route<Bot> =
  /** It answers the waiting run. */
  | { kind: 'answer'; run: Run }
  /** A new run begins, and ends a run that sleeps. */
  | { kind: 'start'; bot: Bot; supersedes: Run | null }
  /** First the run continues with this input; then the message is routed again. */
  | { kind: 'first'; run: Run; input: Input }
  | { kind: 'none'; because: 'seen' | 'busy' | 'silenced' | 'no_bot' };

interface Message {
  phoneNumberId: string;
  inbound: Inbound;
  /** A message that was written during a handoff is for a person, however late it is routed. */
  writtenAt: number;
  now: number;
}

/**
 * Routes an inbound message to the waiting run of the contact, else to the one bot that answers it.
 * Expects no action of the run in this process: an open action belongs to a process that died, and
 * its outcome is unknown.
 */
export const routeInbound = <Bot extends Candidate>(
  state: BotsState,
  bots: readonly Bot[],
  { phoneNumberId, inbound, writtenAt, now }: Message,
): Route<Bot> => {
  const { run } = state;
  if (inbound.revision <= state.takenRevision) return { kind: 'none', because: 'seen' };
  switch (run?.phase.kind) {
    case 'sending':
    case 'requesting':
      return { kind: 'first', run, input: { type: 'unknown' } };
    case 'waiting':
    case 'delaying':
      if (now >= run.phase.until) return { kind: 'first', run, input: { type: 'due' } };
      if (run.phase.kind === 'delaying') break;
      // A preference neither answers a run nor ends it.
      if (inbound.kind === 'resume') return { kind: 'none', because: 'busy' };
      return { kind: 'answer', run };
  }
  if (state.silentUntil !== null && writtenAt < state.silentUntil) {
    return { kind: 'none', because: 'silenced' };
  }
  const bot = chooseBot(bots, phoneNumberId, inbound);
  return bot ? { kind: 'start', bot, supersedes: run } : { kind: 'none', because: 'no_bot' };
};

/** How often a message is routed again after an old run, a changed bot or another instance. */
const ROUNDS_MAX = 8;

/** Runs bots in conversations. Calls for one conversation must come one after the other. */
const createRunner = (deps: {
  writer: Writer;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
  repository: Pick<BotRepository, 'current' | 'graphAt'>;
  links: NumberLinks;
  act: Act;
  isCurrent?: () => boolean;
  clock: Clock;
  ids: Ids;
  /** Ends the retries while the log is unavailable. */
  signal: AbortSignal;
  onBound: (end: RunEnd) => void;
}) => {
  const { clock } = deps;
  const log = createConversationLog(deps);
  const { start, give, perform, endIfStopped } = createTurns({ ...deps, log });

  return {
    /** Routes a message of the contact to a run, or starts one with it. */
    async take(
      received: Conversation,
      message: { inbound: Inbound; writtenAt: number },
      candidates: () => Promise<readonly Candidate[]>,
    ): Promise<void> {
      const { inbound } = message;
      const { accountId, phoneNumberId } = received;
      const conversation = await log.withKey(received);
      if (!conversation) return;
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const held = await log.linkOf(conversation);
        const { bots: state, continuesIn } = await log.load(conversation);
        if (state.run && state.owner && !isSameLink(state.owner, held)) {
          await log.endRun(conversation, state.run.runId, 'number_unlinked');
          continue;
        }
        // A bot answers only at numbers that its account still holds, and where the conversation goes on.
        if (held?.accountId !== accountId || continuesIn !== null) return;
        const among = await log.retry(candidates);
        const route = routeInbound(state, among, { phoneNumberId, ...message, now: clock.now() });
        if (route.kind === 'none') return;
        if (route.kind === 'start') {
          const choice = { botId: route.bot.botId, link: held.link };
          const started = await start(conversation, choice, message, route.supersedes);
          if (started) return perform(conversation, started);
          continue;
        }
        if (state.owner && (await endIfStopped(conversation, route.run, state.owner))) continue;
        const input: Input = route.kind === 'first' ? route.input : { type: 'reply', inbound };
        const given = await give(conversation, route.run.runId, input);
        await perform(conversation, given);
        if (route.kind === 'answer' && given) return;
      }
    },
    /** Continues a run whose time is up (`due`), or whose process died during an action (`unknown`). */
    async resume(due: Conversation, runId: string, input: Input & { type: 'due' | 'unknown' }) {
      const { run, owner } = (await log.load(due)).bots;
      if (run?.runId !== runId || !owner) return;
      const conversation = await log.withKey(due);
      if (!conversation) return log.endRun(due, runId, 'erased');
      if (await endIfStopped(conversation, run, owner)) return;
      await perform(conversation, await give(conversation, runId, input));
    },
  };
};

/** How many contacts of one account are answered at a time, each in order. */
const CONTACTS_PER_ACCOUNT = 32;
/** Messages that wait in memory; the others wait in the log. */
const WAITING_PER_ACCOUNT = 1000;
const WAITING_MAX = 20_000;
/** A customer's message opens a window of 24 h. No bot answers an older message. */
const AGE_MS_MAX = 24 * 60 * 60_000;
/** Pauses before further attempts to answer a message, in ms. */
const ANSWER_RETRY_MS = [200, 1000, 5000];
/** How long a stop waits for running jobs. The next start finds the others. */
const DRAIN_MS = 10_000;

interface BotRunsDeps {
  writer: Writer;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
  repository: Pick<BotRepository, 'current' | 'graphAt'>;
  links: NumberLinks;
  lookups: Pick<Lookups, 'bots' | 'dueRuns'>;
  act: Act;
  isCurrent?: () => boolean;
  mayAct: (accountId: string) => Promise<boolean>;
  clock: Clock;
  ids: Ids;
  onFault: (error: unknown) => void;
  onBound: (end: RunEnd) => void;
  store: Pick<EventReader, 'readAll'>;
  /** Called when more messages of an account wait than memory may hold, and when it has caught up. */
  onLag: (accountId: string, lags: boolean) => void;
  onLookFailed: (error: unknown) => void;
}

/**
 * Runs the bots of all contacts. Messages of one contact are answered in their order, contacts side
 * by side; the runs whose time has come continue in the same queue. `tick` must be called every moment.
 */
export const createBotRuns = (deps: BotRunsDeps) => {
  const { store, lookups, mayAct, clock, onFault } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const candidates = createCandidates(lookups);
  const queue = createKeyedQueue({
    runningPerGroup: CONTACTS_PER_ACCOUNT,
    jobsPerGroup: WAITING_PER_ACCOUNT,
    jobs: WAITING_MAX,
    onFault(error, { group: accountId }) {
      onFault(error);
      waking.failed(accountId);
    },
  });

  const answer = async (event: Received): Promise<void> => {
    const conversation = conversationOf(event);
    const { accountId } = conversation;
    const isOld = clock.now() - Date.parse(event.data.receivedAt) >= AGE_MS_MAX;
    if (isOld || !(await retryWhileUnavailable(() => mayAct(accountId), signal))) return;
    const { at } = event.meta;
    const message = { inbound: inboundOf(event)!, writtenAt: Date.parse(at) };
    await runner.take(conversation, message, () => candidates.at(accountId, at));
  };

  const offer = ({ accountId, conversationId }: Conversation, work: () => Promise<void>) =>
    queue.offer({ group: accountId, key: conversationId, work });

  const waking = createWaking({
    rows: lookups.dueRuns,
    clock,
    ids: deps.ids,
    resume: (conversation, runId, type) =>
      offer(conversation, () => runner.resume(conversation, runId, { type })),
    onLookFailed: deps.onLookFailed,
  });
  const runner = createRunner({ ...deps, signal });

  const backlog = createBacklog({
    store,
    onFault,
    signal,
    groupOf: (event) => (inboundOf(event) ? (event as Received).data.accountId : undefined),
    offer(event) {
      const received = event as Received;
      // Another attempt helps against lagging read models.
      const work = () => retry(() => answer(received), { delays: ANSWER_RETRY_MS, signal });
      return offer(conversationOf(received), work);
    },
    onChange: deps.onLag,
  });

  const reactor: Reactor = {
    name: 'bots',
    prepare: waking.begin,
    on: {
      MessageReceived: backlog.takeInTurn,
      PreferenceReceived: backlog.takeInTurn,
      BotChanged({ data }) {
        candidates.invalidate(data.accountId);
      },
      // By any process: one that froze may write it after this one has begun.
      BotRunWaiting({ data, meta }) {
        if (meta.accountId) waking.expect(meta.accountId, Date.parse(data.until));
      },
    },
    async drain() {
      stopping.abort();
      const drained = Promise.all([waking.drain(), queue.drain(), backlog.drain()]);
      await withTimeout<unknown>(DRAIN_MS, drained, () => undefined);
    },
  };

  return { reactor, tick: waking.tick };
};
