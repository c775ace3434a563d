import { type EventReader, interestIn } from '../../events/store.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import { retry } from '../../shared/retry.ts';
import { withTimeout } from '../../shared/timing.ts';
import type { Subjects } from '../contacts/subjects.ts';
import { createBacklog } from '../core/backlog.ts';
import type { Writer } from '../core/execute.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Reactor } from '../core/reactor-following.ts';
import type { NumberLinks } from '../numbers/number-links.ts';
import type { Act } from './actions.ts';
import { createCandidates } from './candidates.ts';
import type { Conversation, RunEnd } from './conversation-log.ts';
import { conversationOf, inboundOf, type Received } from './received.ts';
import type { BotRepository } from './repository.ts';
import { createRunner } from './runner.ts';
import { createWaking } from './waking.ts';

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
  /** Whether this process runs the bots of the account; of every account when absent. */
  isOurs?: (accountId: string) => boolean;
}

/**
 * Runs the bots of all contacts. Messages of one contact are answered in their order, contacts side
 * by side; `wakeDue` continues the runs whose time has come, in the same queue.
 */
export const createBotRuns = (deps: BotRunsDeps) => {
  const { store, lookups, mayAct, clock, onFault } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const runner = createRunner({ ...deps, signal });
  const candidates = createCandidates(lookups);
  const queue = createKeyedQueue({
    runningPerGroup: CONTACTS_PER_ACCOUNT,
    jobsPerGroup: WAITING_PER_ACCOUNT,
    jobs: WAITING_MAX,
    onFault,
  });

  const answer = async (event: Received): Promise<void> => {
    const conversation = conversationOf(event);
    const { accountId } = conversation;
    const isOld = clock.now() - Date.parse(event.data.receivedAt) >= AGE_MS_MAX;
    if (isOld || !(await mayAct(accountId))) return;
    const { at } = event.meta;
    const message = { inbound: inboundOf(event)!, writtenAt: Date.parse(at) };
    await runner.take(conversation, message, () => candidates.at(accountId, at));
  };

  const offer = ({ accountId, conversationId }: Conversation, work: () => Promise<void>) =>
    queue.offer({ group: accountId, key: conversationId, work });

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

  const waking = createWaking({
    isOurs: () => true,
    ...deps,
    resume: (conversation, runId, type) =>
      offer(conversation, () => runner.resume(conversation, runId, { type })),
  });
  // Whoever only wakes runs looks for those of all accounts first.
  waking.begin(() => true);

  const reactor: Reactor = {
    name: 'bots',
    interest: interestIn(['MessageReceived', 'PreferenceReceived', 'BotChanged']),
    async prepare(isNew) {
      waking.begin(isNew);
    },
    async handle(event, stopped) {
      if (event.type === 'BotChanged') candidates.invalidate(event.data.accountId);
      return backlog.takeInTurn(event, stopped);
    },
    async drain() {
      stopping.abort();
      const drained = Promise.all([queue.drain(), backlog.drain()]);
      await withTimeout<unknown>(DRAIN_MS, drained, () => undefined);
    },
  };

  return { reactor, wakeDue: waking.wakeDue };
};
