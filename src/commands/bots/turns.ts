import type { BotRunEndReason, BotRunFact } from '../../events/conversation.ts';
import { StoreUnavailable } from '../../events/store.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
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
  /** The facts about runs in the conversation, this turn's included. */
  botFacts: number;
}

interface TurnsDeps {
  log: ConversationLog;
  repository: Pick<BotRepository, 'current' | 'graphAt'>;
  act: Act;
  /** False once another process may have the run: nothing is sent or called meanwhile. */
  isCurrent?: () => boolean;
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
    if (!(await log.record(conversation, botFacts, facts))) return undefined;
    return { turn, owner, botFacts: botFacts + facts.length };
  };

  /**
   * Records the first turn of a new run; undefined when its bot is gone, no bot may answer any more, or
   * another turn came first.
   */
  const start = async (
    conversation: Conversation,
    { botId, link }: { botId: string; link: number },
    { inbound, writtenAt }: { inbound: Inbound; writtenAt: number },
    supersedes: Run | null,
  ): Promise<RecordedTurn | undefined> => {
    const { accountId, phoneNumberId, contactRef, contact } = conversation;
    const current = await log.retry(() => repository.current(accountId, botId));
    if (!current?.bot.isActive) return undefined;
    const state = await log.load(conversation);
    const { bots, continuesIn } = state;
    if (inbound.revision <= bots.takenRevision) return undefined;
    // After the message was routed, a person may have taken over, or another conversation gone on.
    if (continuesIn !== null || writtenAt < (bots.silentUntil ?? 0)) return undefined;
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

  /**
   * Records one turn of the run; undefined when the run does not accept the input. What an action came to is
   * the input of its own turn: it is nothing once there are more facts than those.
   */
  const give = async (
    conversation: Conversation,
    runId: string,
    input: Input,
    ofTurn?: Pick<RecordedTurn, 'botFacts'>,
  ): Promise<RecordedTurn | undefined> => {
    const state = await log.load(conversation);
    const { run, owner } = state.bots;
    if (!run || !owner || run.runId !== runId) return undefined;
    if (ofTurn && ofTurn.botFacts !== state.botFacts) return undefined;
    return recordTurn(conversation, state, { run, owner, input });
  };

  return { start, give };
};

/**
 * Takes the turns of runs. Only the process whose append succeeded sends or calls what the turn asks
 * for.
 */
export const createTurns = (deps: TurnsDeps) => {
  const { log, repository, act, isCurrent = () => true } = deps;
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
      const result = await log.retry(async () => {
        if (!isCurrent()) throw new StoreUnavailable('the leases are not renewed');
        return act(run, owner, next, conversation.context);
      });
      current = await give(conversation, run.runId, result, current);
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
