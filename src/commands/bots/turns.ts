import type { BotRunEndReason } from '../../events/conversation.ts';
import type { Clock } from '../../shared/clock.ts';
import { isSameLink } from '../numbers/number-links.ts';
import type { Act } from './actions.ts';
import type { Conversation, ConversationLog } from './conversation-log.ts';
import { advance, type Input } from './interpreter.ts';
import { type RunOwner, turnFacts } from './record.ts';
import type { BotRepository } from './repository.ts';
import type { Run, Turn } from './run.ts';
import { worldOf } from './state.ts';

/** A recorded turn, and the owner of its run. */
export interface RecordedTurn {
  turn: Turn;
  owner: RunOwner;
}

/**
 * Takes the turns of runs. Each turn is one append on the state that it was computed from, and only
 * the process whose append succeeded sends or calls what the turn asks for.
 */
export const createTurns = (deps: {
  log: ConversationLog;
  repository: BotRepository;
  act: Act;
  clock: Clock;
}) => {
  const { log, repository, act, clock } = deps;

  /** Records one turn of the run; undefined when the run does not accept the input. */
  const give = async (
    conversation: Conversation,
    runId: string,
    input: Input,
  ): Promise<RecordedTurn | undefined> => {
    const { bots, botFacts } = await log.load(conversation);
    const { run, owner } = bots;
    if (!run || !owner || run.runId !== runId) return undefined;
    const graph = await log.retry(() => repository.graphAt(run.botId, owner.botRevision));
    const now = clock.now();
    const turn = advance(run, input, worldOf(bots, graph, now));
    if (!turn) return undefined;
    const facts = turnFacts(input, turn, { accountId: owner.accountId, now });
    return (await log.record(conversation, botFacts, facts)) ? { turn, owner } : undefined;
  };

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
      const result = await act(run, current.owner, next, conversation.context);
      current = await give(conversation, run.runId, result);
    }
  };

  const stopOf = async ({ botId }: Run, owner: RunOwner): Promise<BotRunEndReason | null> => {
    if (!isSameLink(owner, await log.linkOf(owner))) return 'number_unlinked';
    const current = await log.retry(() => repository.current(botId));
    if (!current) return 'bot_deleted';
    return current.bot.isActive ? null : 'bot_inactive';
  };

  /** Ends the run if it has lost its number or its bot; false when it goes on. */
  const endIfStopped = async (
    conversation: Conversation,
    run: Run,
    owner: RunOwner,
  ): Promise<boolean> => {
    const reason = await stopOf(run, owner);
    if (reason === null) return false;
    await log.endRun(conversation, run.runId, reason);
    return true;
  };

  return { give, perform, endIfStopped };
};
