import type { BotRunEndReason, BotRunFact } from '../../events/conversation.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import type { DueRun, Lookups } from '../core/lookups.ts';
import type { Unsettled } from '../core/unsettled.ts';
import { isSameLink } from '../numbers/number-links.ts';
import type { Act } from './actions.ts';
import { type BotRepository, endFact, type RunOwner, startFact, turnFacts } from './bot.ts';
import type { Conversation, ConversationLog } from './conversation-log.ts';
import type { Inbound } from './inbound.ts';
import { advance, createRun, type Input } from './interpreter.ts';
import type { Run, Turn } from './run.ts';
import { type BotsState, evolveBots, type OpenRunOwner, withIds, worldOf } from './state.ts';

/** A recorded turn, and the owner of its run. */
interface RecordedTurn {
  turn: Turn;
  owner: RunOwner;
}

interface TurnsDeps {
  log: ConversationLog;
  repository: Pick<BotRepository, 'current' | 'graphAt'>;
  act: Act;
  clock: Clock;
  ids: Ids;
}

/** Records turns. Each turn is one append on the state that it was computed from. */
const createTurnRecorder = ({ log, repository, clock, ids }: TurnsDeps) => {
  /** Records a turn after the opening facts; undefined if the run refuses the input or another turn came first. */
  const recordTurn = async (
    conversation: Conversation,
    { bots, botFacts }: { bots: BotsState; botFacts: number },
    { run, owner, input }: { run: Run; owner: RunOwner; input: Input },
    openingAt: (now: number) => readonly BotRunFact[] = () => [],
  ): Promise<RecordedTurn | undefined> => {
    const graph = await log.retry(() =>
      repository.graphAt(owner.accountId, run.botId, owner.botRevision),
    );
    const now = clock.now();
    const opening = openingAt(now);
    // A reply may show ids of the contact that were not known before.
    const contact = withIds(run.contact, conversation.contact);
    const from = input.type === 'reply' ? { ...run, contact } : run;
    const turn = advance(from, input, worldOf(opening.reduce(evolveBots, bots), graph, now));
    if (!turn) return undefined;
    const { accountId, phoneNumberId, contactRef } = conversation;
    const at = { accountId, phoneNumberId, contactRef, now };
    const facts = [...opening, ...turnFacts(input, turn, at)];
    return (await log.record(conversation, botFacts, facts)) ? { turn, owner } : undefined;
  };

  /** Records the first turn of a new run; undefined when its bot is gone or another turn came first. */
  const start = async (
    conversation: Conversation,
    { botId, link }: { botId: string; link: number },
    inbound: Inbound,
    supersedes: Run | null,
  ): Promise<RecordedTurn | undefined> => {
    const { accountId, phoneNumberId, contactRef, contact } = conversation;
    const current = await log.retry(() => repository.current(accountId, botId));
    if (!current?.bot.isActive) return undefined;
    const state = await log.load(conversation);
    const { bots } = state;
    if (inbound.revision <= bots.takenRevision) return undefined;
    const owner = { accountId, phoneNumberId, contactRef, botRevision: current.revision, link };
    const run = createRun({ runId: `run_${ids.uuid()}`, botId }, contact, inbound);
    const isOpen = supersedes && bots.run?.runId === supersedes.runId;
    const superseded = isOpen && bots.owner ? [endFact(supersedes, 'superseded', bots.owner)] : [];
    const begin = { run, owner, input: { type: 'begin' as const } };
    return recordTurn(conversation, state, begin, (now) => [
      ...superseded,
      startFact(run, inbound, owner, now),
    ]);
  };

  /** Records one turn of the run; undefined when the run does not accept the input. */
  const give = async (
    conversation: Conversation,
    runId: string,
    input: Input,
  ): Promise<RecordedTurn | undefined> => {
    const state = await log.load(conversation);
    const { run, owner } = state.bots;
    if (!run || !owner || run.runId !== runId) return undefined;
    return recordTurn(conversation, state, { run, owner, input });
  };

  return { start, give };
};

/**
 * Takes the turns of runs. Only the process whose append succeeded sends or calls what the turn asks
 * for.
 */
export const createTurns = (deps: TurnsDeps) => {
  const { log, repository, act } = deps;
  const { start, give } = createTurnRecorder(deps);

  /** Does what the run asks for, turn after turn, until it waits or ends. */
  const perform = async (
    conversation: Conversation,
    first: RecordedTurn | undefined,
  ): Promise<void> => {
    let current = first;
    while (current) {
      const { run, next } = current.turn;
      if (next.kind === 'end') return;
      // The turn is in the log by now. Either this read sees that the number was unlinked, or the
      // number is unlinked later, and the reactor that ends its runs finds this one.
      if (!isSameLink(current.owner, await log.linkOf(current.owner))) {
        return log.endRun(conversation, run.runId, 'number_unlinked');
      }
      if (next.kind === 'wait') return;
      if (!(await log.withKey(conversation))) return log.endRun(conversation, run.runId, 'erased');
      const { owner } = current;
      const result = await log.retry(() => act(run, owner, next, conversation.context));
      current = await give(conversation, run.runId, result);
    }
  };

  const stopOf = async ({ botId }: Run, owner: OpenRunOwner): Promise<BotRunEndReason | null> => {
    if (owner.isErased) return 'erased';
    if (!isSameLink(owner, await log.linkOf(owner))) return 'number_unlinked';
    const current = await log.retry(() => repository.current(owner.accountId, botId));
    if (!current) return 'bot_deleted';
    return current.bot.isActive ? null : 'bot_inactive';
  };

  /** Ends the run if it has lost its number or its bot; false when it goes on. */
  const endIfStopped = async (
    conversation: Conversation,
    run: Run,
    owner: OpenRunOwner,
  ): Promise<boolean> => {
    const reason = await stopOf(run, owner);
    if (reason === null) return false;
    await log.endRun(conversation, run.runId, reason);
    return true;
  };

  return { start, give, perform, endIfStopped };
};

/** How many due runs one look-up wakes, and how many it reads with those that it passes over. */
const DUE_MAX = 200;
const DUE_AND_PASSED_OVER_MAX = 5000;
/** After 10 min without an outcome, an action counts as abandoned. */
const ABANDONED_MS = 10 * 60_000;
/** Pause before a run that failed is woken again. */
const FAILED_PAUSE_MS = 60_000;
/** Pause before a run whose account had no room is woken again. */
const FULL_PAUSE_MS = 2000;

const conversationOf = (
  { conversationId, accountId, phoneNumberId, contactRef }: DueRun,
  ids: Ids,
): Conversation => ({
  conversationId,
  accountId,
  phoneNumberId,
  contactRef,
  contact: { waId: null, userId: null, name: null },
  context: { requestId: ids.uuid(), accountId, cause: 'bot-timer' },
});

/**
 * Wakes the runs whose time has come, those of other processes left out. The first look-up after
 * `begin` also finds the runs of new accounts whose process died during an action: the outcome of the
 * action is unknown, and it is not tried again.
 */
export const createWaking = (deps: {
  lookups: Pick<Lookups, 'dueRuns'>;
  clock: Clock;
  ids: Ids;
  /** Whether this process runs the bots of the account. */
  isOurs: (accountId: string) => boolean;
  /** Undefined while the account has no room. */
  resume: (
    conversation: Conversation,
    runId: string,
    type: 'due' | 'unknown',
  ) => Unsettled<boolean> | undefined;
}): { wakeDue(): Promise<void>; begin(isNew: (accountId: string) => boolean): void } => {
  const { lookups, clock, ids, isOurs, resume } = deps;
  /** Until when look-ups pass over these runs, in ms: they are in the queue, failed, or had no room. */
  const passedOver = new Map<string, number>();
  /** Accounts whose runs this process has not looked for yet. */
  let isNew: ((accountId: string) => boolean) | undefined;

  const wake = (run: DueRun): void => {
    const { runId, phase } = run;
    const conversation = conversationOf(run, ids);
    const passOver = (delayMs: number) => passedOver.set(runId, clock.now() + delayMs);
    const resumed = resume(conversation, runId, phase === 'waiting' ? 'due' : 'unknown');
    passOver(resumed ? Number.POSITIVE_INFINITY : FULL_PAUSE_MS);
    resumed?.settled.then((succeeded) => {
      if (succeeded) passedOver.delete(runId);
      else passOver(FAILED_PAUSE_MS);
    });
  };

  const look = async (): Promise<void> => {
    const now = clock.now();
    const looksFor = isNew;
    for (const [runId, until] of passedOver) if (until <= now) passedOver.delete(runId);
    const actingSince = isoTime(looksFor ? now : now - ABANDONED_MS);
    // The longest due come first; without room for others, stuck runs would hide them.
    const limit = Math.min(DUE_MAX + passedOver.size, DUE_AND_PASSED_OVER_MAX);
    const question = { waitingUntil: isoTime(now), actingSince, limit };
    const due = await lookups.dueRuns(question, { fresh: looksFor !== undefined });
    if (due.length < limit && isNew === looksFor) isNew = undefined;
    for (const run of due) {
      const { runId, accountId, phase } = run;
      if (passedOver.has(runId)) continue;
      if (!isOurs(accountId)) passedOver.set(runId, now + FULL_PAUSE_MS);
      // What this process does itself is not abandoned: the next look-up asks for that.
      else if (phase === 'waiting' || !looksFor || looksFor(accountId)) wake(run);
    }
  };

  return {
    wakeDue: look,
    begin(added) {
      const before = isNew;
      isNew = (accountId) => added(accountId) || (before?.(accountId) ?? false);
    },
  };
};
