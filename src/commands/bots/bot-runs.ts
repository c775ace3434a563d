import { LRUCache } from 'lru-cache';
import { conversationIdIn } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import { type EventReader, interestIn } from '../../events/store.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { Interrupted } from '../../shared/retry.ts';
import { pause } from '../../shared/timing.ts';
import { createBacklog } from '../core/backlog.ts';
import type { Writer } from '../core/execute.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import type { DueRun, Lookups } from '../core/lookups.ts';
import type { Reactor } from '../core/reactor.ts';
import type { NumberLinks } from '../numbers/number-links.ts';
import type { Act } from './actions.ts';
import type { Conversation, RunEnd } from './conversation-log.ts';
import { type Inbound, readInbound } from './inbound.ts';
import type { Candidate } from './matching.ts';
import type { BotRepository } from './repository.ts';
import { createRunner } from './runner.ts';

/** How many contacts of one account are answered at a time, each in order. */
const CONTACTS_PER_ACCOUNT = 32;
/** Messages that wait in memory; the others wait in the log. */
const WAITING_PER_ACCOUNT = 1000;
const WAITING_MAX = 20_000;
const ACCOUNTS_KEPT = 1000;
/** A customer's message opens a window of 24 h. No bot answers an older message. */
const AGE_MS_MAX = 24 * 60 * 60_000;
/** How many runs one look wakes, and how many it reads with those that it must pass over. */
const DUE_MAX = 200;
const DUE_AND_PASSED_OVER_MAX = 5000;
/** After 10 min without an outcome, an action counts as abandoned. */
const ABANDONED_MS = 10 * 60_000;
/** Pauses before further attempts to answer a message, in ms. */
const ANSWER_RETRY_MS = [200, 1000, 5000];
const FAILED_PAUSE_MS = 60_000;
/** Pause before another attempt to queue a run whose account had no room. */
const FULL_AGAIN_MS = 2000;
/** How long a stop waits for running jobs. The next start finds the others. */
const DRAIN_MS = 10_000;

type Received = Extract<KnownEvent, { type: 'MessageReceived' | 'PreferenceReceived' }>;

const isReceived = (event: KnownEvent): event is Received =>
  event.type === 'MessageReceived' || event.type === 'PreferenceReceived';

const inboundOf = (event: Received): Inbound | undefined => {
  const { revision } = event;
  if (event.type === 'MessageReceived') {
    return readInbound(event.data.message, { messageId: event.data.messageId, revision });
  }
  const resumes = event.data.value === 'resume';
  return resumes
    ? { messageId: null, revision, kind: 'resume', text: '', choice: null }
    : undefined;
};

const conversationOf = ({ data, meta, id, stream }: Received): Conversation => {
  const { phoneNumberId, waId, accountId, contactName } = data;
  return {
    conversationId: conversationIdIn(stream),
    accountId,
    phoneNumberId,
    contact: { waId, name: contactName },
    context: { requestId: meta.requestId, accountId, cause: id },
  };
};

/**
 * Runs the bots of all contacts. Messages of one contact are answered in their order, contacts side by side; runs that
 * wait are woken when their time has come, whoever began them.
 */
export const createBotRuns = (deps: {
  writer: Writer;
  repository: BotRepository;
  links: NumberLinks;
  lookups: Pick<Lookups, 'bots' | 'dueRuns'>;
  act: Act;
  mayAct: (accountId: string) => Promise<boolean>;
  clock: Clock;
  ids: Ids;
  onFault: (error: unknown) => void;
  onBound: (end: RunEnd) => void;
  store: Pick<EventReader, 'readAll'>;
  /** Called when more messages of an account wait than memory may hold, and when it has caught up. */
  onLag: (accountId: string, lags: boolean) => void;
}) => {
  const { lookups, mayAct, clock, ids, onFault, store, onLag } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const runner = createRunner({ ...deps, signal });
  const queue = createKeyedQueue({
    runningPerGroup: CONTACTS_PER_ACCOUNT,
    jobsPerGroup: WAITING_PER_ACCOUNT,
    jobs: WAITING_MAX,
  });
  const known = new LRUCache<string, Promise<readonly Candidate[]>>({ max: ACCOUNTS_KEPT });
  /** Runs that are passed over until then: being woken, in vain a moment ago, or without a place. */
  const woken = new Map<string, number>();
  let isFirstLook = true;

  /** Forgotten when this reactor sees that a bot changed: no message behind that misses it. */
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

  /** A bot answers no message that is older than the bot. */
  const candidatesAt = async (accountId: string, at: string) =>
    (await botsOf(accountId)).filter(({ createdAt }) => createdAt <= at);

  const answer = async (event: Received, inbound: Inbound): Promise<void> => {
    const conversation = conversationOf(event);
    const { accountId } = conversation;
    const isOld = clock.now() - Date.parse(event.data.receivedAt) >= AGE_MS_MAX;
    if (isOld || !(await mayAct(accountId))) return;
    const { at } = event.meta;
    const message = { inbound, writtenAt: Date.parse(at) };
    await runner.take(conversation, message, () => candidatesAt(accountId, at));
  };

  /** Tries again after a failure, such as lagging read models, before it gives up. */
  const answerInTime = async (event: Received, inbound: Inbound): Promise<void> => {
    for (const delayMs of ANSWER_RETRY_MS) {
      try {
        return await answer(event, inbound);
      } catch (error) {
        if (error instanceof Interrupted) throw error;
        onFault(error);
      }
      await pause(delayMs, signal);
      if (signal.aborted) throw new Interrupted();
    }
    return answer(event, inbound);
  };

  /** Queues a job behind those of its contact; resolves to whether it succeeded. */
  const enqueue = (
    conversation: Conversation,
    job: () => Promise<void>,
  ): Promise<boolean> | undefined => {
    const done = Promise.withResolvers<boolean>();
    const taken = queue.offer({
      group: conversation.accountId,
      key: conversation.conversationId,
      async run() {
        try {
          await job();
          done.resolve(true);
        } catch (error) {
          if (error instanceof Interrupted) return;
          onFault(error);
          done.resolve(false);
        }
      },
    });
    return taken ? done.promise : undefined;
  };

  const wake = (run: DueRun): void => {
    const { runId, conversationId, accountId, phoneNumberId, waId } = run;
    const conversation: Conversation = {
      conversationId,
      accountId,
      phoneNumberId,
      contact: { waId, name: null },
      context: { requestId: ids.uuid(), accountId, cause: 'bot-timer' },
    };
    const type = run.phase === 'waiting' ? 'due' : 'unknown';
    const woke = enqueue(conversation, () => runner.resume(conversation, runId, { type }));
    if (!woke) {
      woken.set(runId, clock.now() + FULL_AGAIN_MS);
      return;
    }
    woken.set(runId, Number.POSITIVE_INFINITY);
    woke.then((well) => {
      if (well) woken.delete(runId);
      else woken.set(runId, clock.now() + FAILED_PAUSE_MS);
    });
  };

  const backlog = createBacklog({
    store,
    groupOf: (event) => (isReceived(event) && inboundOf(event) ? event.data.accountId : undefined),
    offer(event) {
      const received = event as Received;
      return enqueue(conversationOf(received), () => answerInTime(received, inboundOf(received)!));
    },
    onChange: onLag,
    onFault,
    signal,
  });

  const reactor: Reactor = {
    name: 'bots',
    interest: interestIn(['MessageReceived', 'PreferenceReceived', 'BotChanged']),
    async handle(event) {
      if (event.type === 'BotChanged') known.delete(event.data.accountId);
      return backlog.takeInTurn(event);
    },
    async drain() {
      stopping.abort();
      const patience = new AbortController();
      const late = pause(DRAIN_MS, patience.signal);
      await Promise.race([Promise.all([queue.drain(), backlog.drain()]), late]);
      patience.abort();
    },
  };

  return {
    reactor,
    /**
     * Wakes the runs whose time has come. The first look also finds those in which a process died
     * that was about to send or to call: nobody knows what became of it, and it is not tried again.
     */
    async wakeDue(): Promise<void> {
      const now = clock.now();
      for (const [runId, until] of woken) if (until <= now) woken.delete(runId);
      const actingSince = isoTime(isFirstLook ? now : now - ABANDONED_MS);
      // The longest due come first: those of one account must not stand before all others.
      const limit = Math.min(DUE_MAX + woken.size, DUE_AND_PASSED_OVER_MAX);
      const question = { waitingUntil: isoTime(now), actingSince, limit };
      const due = await lookups.dueRuns(question, { fresh: isFirstLook });
      if (due.length < limit) isFirstLook = false;
      for (const run of due) if (!woken.has(run.runId)) wake(run);
    },
  };
};
