import type { BotRunEndReason, BotRunFact } from '../../events/conversation.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import { conversationDecider } from '../inbound/conversation.ts';
import { isSameLink, type NumberLinks } from '../numbers/number-links.ts';
import type { Act } from './actions.ts';
import type { Inbound } from './inbound.ts';
import { advance, createRun, type Input } from './interpreter.ts';
import type { Library } from './library.ts';
import type { Candidate } from './matching.ts';
import { endFact, type RunOwner, recentMessages, startFact, turnFacts } from './record.ts';
import { routeInbound } from './routing.ts';
import type { Run, Turn } from './run.ts';

/** A conversation of one contact, and on whose behalf something happens in it. */
export interface Talk {
  conversationId: string;
  accountId: string;
  phoneNumberId: string;
  contact: Run['contact'];
  context: CommandContext;
}

/** Rounds in which a message finds its way: past an old run, a changed bot, another instance. */
const ROUNDS_MAX = 8;

/**
 * Runs bots in one conversation at a time; whoever calls sees to it that calls for one
 * conversation come one after the other. Each turn is one append that no other turn has come
 * before: what it says is to be sent or called is done by the one who wrote it, and by nobody
 * again.
 */
export const createLiveBots = (deps: {
  writer: Writer;
  library: Library;
  links: NumberLinks;
  act: Act;
  clock: Clock;
  ids: Ids;
  /** Work is not begun again for a log that is away once this fires. */
  signal: AbortSignal;
}) => {
  const { writer, library, links, act, clock, ids, signal } = deps;

  const load = async ({ conversationId }: Talk) =>
    (await retryWhileUnavailable(() => writer.load(conversationDecider, conversationId), signal))
      .state;

  /** False when another turn was taken meanwhile. */
  const record = async (talk: Talk, basis: number, facts: readonly BotRunFact[]) => {
    const command = { type: 'RecordTurn' as const, basis, facts };
    const { conversationId, context } = talk;
    const done = await retryWhileUnavailable(
      () => writer.execute(conversationDecider, conversationId, command, context),
      signal,
    );
    return done.facts.length > 0;
  };

  const linkOf = ({ phoneNumberId }: Pick<RunOwner, 'phoneNumberId'>) =>
    retryWhileUnavailable(() => links.linkOf(phoneNumberId), signal);

  const endRun = async (talk: Talk, runId: string, reason: BotRunEndReason): Promise<void> => {
    const { conversationId, context } = talk;
    const command = { type: 'EndRun' as const, runId, reason };
    await retryWhileUnavailable(
      () => writer.execute(conversationDecider, conversationId, command, context),
      signal,
    );
  };

  /** One turn of the run, if it stands ready for the input. */
  const give = async (
    talk: Talk,
    runId: string,
    input: Input,
  ): Promise<{ turn: Turn; owner: RunOwner } | undefined> => {
    const { bots, botFacts } = await load(talk);
    const { run, owner } = bots;
    if (!run || !owner || run.runId !== runId) return undefined;
    const graph = await retryWhileUnavailable(
      () => library.graphAt(run.botId, owner.botRevision),
      signal,
    );
    const now = clock.now();
    const turn = advance(run, input, { graph, now, recentMessages: recentMessages(bots, now) });
    if (!turn) return undefined;
    const facts = turnFacts(input, turn, { accountId: owner.accountId, now });
    return (await record(talk, botFacts, facts)) ? { turn, owner } : undefined;
  };

  /** Does what the run asks for, as often as it asks, until it waits or ends. */
  const perform = async (talk: Talk, first: { turn: Turn; owner: RunOwner } | undefined) => {
    let current = first;
    while (current) {
      const { run, next } = current.turn;
      if (next.kind === 'end') return;
      // The turn is in the log by now. So either this look sees that the number was unlinked, or
      // the number is unlinked later, and the reactor that ends its runs finds this one.
      if (!isSameLink(current.owner, await linkOf(current.owner))) {
        return endRun(talk, run.runId, 'number_unlinked');
      }
      if (next.kind === 'wait') return;
      const result = await act(run, current.owner, next, talk.context);
      current = await give(talk, run.runId, result);
    }
  };

  const stopOf = async ({ botId }: Run, owner: RunOwner): Promise<BotRunEndReason | null> => {
    if (!isSameLink(owner, await linkOf(owner))) return 'number_unlinked';
    const current = await retryWhileUnavailable(() => library.current(botId), signal);
    if (!current) return 'bot_deleted';
    return current.bot.isActive ? null : 'bot_inactive';
  };

  /** Ends the run if its number or its bot was taken away; false when there is no reason to. */
  const endIfStopped = async (talk: Talk, run: Run, owner: RunOwner): Promise<boolean> => {
    const reason = await stopOf(run, owner);
    if (reason === null) return false;
    await endRun(talk, run.runId, reason);
    return true;
  };

  /** False when the bot is not there any more, or another turn came first. */
  const start = async (
    talk: Talk,
    { botId, link }: { botId: string; link: number },
    inbound: Inbound,
    supersedes: Run | null,
  ): Promise<boolean> => {
    const current = await retryWhileUnavailable(() => library.current(botId), signal);
    if (!current?.bot.isActive) return false;
    const { revision: botRevision } = current;
    const { bots, botFacts } = await load(talk);
    const graph = await retryWhileUnavailable(() => library.graphAt(botId, botRevision), signal);
    const { accountId, phoneNumberId, contact } = talk;
    const owner = { accountId, phoneNumberId, botRevision, link };
    const run = createRun({ runId: `run_${ids.uuid()}`, botId }, contact, inbound);
    const now = clock.now();
    const begin: Input = { type: 'begin' };
    const turn = advance(run, begin, { graph, now, recentMessages: recentMessages(bots, now) });
    if (!turn || inbound.revision <= bots.takenRevision) return false;
    const superseded =
      supersedes && bots.run?.runId === supersedes.runId
        ? [endFact(supersedes, 'superseded', owner)]
        : [];
    const begun = [startFact(run, inbound, owner), ...turnFacts(begin, turn, { accountId, now })];
    if (!(await record(talk, botFacts, [...superseded, ...begun]))) return false;
    await perform(talk, { turn, owner });
    return true;
  };

  return {
    /** A message of the contact's goes where it belongs. */
    async take(
      talk: Talk,
      message: { inbound: Inbound; writtenAt: number },
      candidates: () => Promise<readonly Candidate[]>,
    ): Promise<void> {
      const { inbound } = message;
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const held = await linkOf(talk);
        const { bots: state } = await load(talk);
        if (state.run && state.owner && !isSameLink(state.owner, held)) {
          await endRun(talk, state.run.runId, 'number_unlinked');
          continue;
        }
        // No bot of an account answers at a number that the account has no more.
        if (held?.accountId !== talk.accountId) return;
        const { phoneNumberId } = talk;
        const among = await retryWhileUnavailable(candidates, signal);
        const route = routeInbound(state, among, { phoneNumberId, ...message, now: clock.now() });
        if (route.kind === 'none') return;
        if (route.kind === 'start') {
          const { link } = held;
          const { botId } = route.bot;
          if (await start(talk, { botId, link }, inbound, route.supersedes)) return;
          continue;
        }
        if (state.owner && (await endIfStopped(talk, route.run, state.owner))) continue;
        const input: Input = route.kind === 'first' ? route.input : { type: 'reply', inbound };
        const given = await give(talk, route.run.runId, input);
        await perform(talk, given);
        if (route.kind === 'answer' && given) return;
      }
    },
    /** The time of a run has come: `due`. Or the process that acted for it is gone: `unknown`. */
    async resume(talk: Talk, runId: string, input: Input & { type: 'due' | 'unknown' }) {
      const { run, owner } = (await load(talk)).bots;
      if (run?.runId !== runId || !owner || (await endIfStopped(talk, run, owner))) return;
      await perform(talk, await give(talk, runId, input));
    },
  };
};

export type LiveBots = ReturnType<typeof createLiveBots>;
