import type { Clock, Ids } from '../../clock.ts';
import type { BotRunEndReason, BotRunFact } from '../../events/conversation.ts';
import { conversationDecider } from '../conversation.ts';
import type { CommandContext } from '../decider.ts';
import type { Writer } from '../execute.ts';
import { persist } from '../persist.ts';
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
  act: Act;
  clock: Clock;
  ids: Ids;
  /** Work is not begun again for a log that is away once this fires. */
  signal: AbortSignal;
}) => {
  const { writer, library, act, clock, ids, signal } = deps;

  const load = async ({ conversationId }: Talk) =>
    (await persist(() => writer.load(conversationDecider, conversationId), signal)).state;

  /** False when another turn was taken meanwhile. */
  const record = async (talk: Talk, basis: number, facts: readonly BotRunFact[]) => {
    const command = { type: 'RecordTurn' as const, basis, facts };
    const { conversationId, context } = talk;
    const done = await persist(
      () => writer.execute(conversationDecider, conversationId, command, context),
      signal,
    );
    return done.facts.length > 0;
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
    const graph = await persist(() => library.graphAt(run.botId, owner.botRevision), signal);
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
      if (next.kind === 'wait' || next.kind === 'end') return;
      const result = await act(run, current.owner, next, talk.context);
      current = await give(talk, run.runId, result);
    }
  };

  const stopOf = async ({ botId }: Run): Promise<BotRunEndReason | null> => {
    const current = await persist(() => library.current(botId), signal);
    if (!current) return 'bot_deleted';
    return current.bot.isActive ? null : 'bot_inactive';
  };

  /** Ends a run whose bot was deleted or switched off; false when there is no reason to. */
  const endIfStopped = async (talk: Talk, run: Run): Promise<boolean> => {
    const reason = await stopOf(run);
    if (reason === null) return false;
    const { bots, botFacts } = await load(talk);
    if (bots.run?.runId !== run.runId || !bots.owner) return true;
    await record(talk, botFacts, [endFact(bots.run, reason, bots.owner)]);
    return true;
  };

  /** False when the bot is not there any more, or another turn came first. */
  const start = async (
    talk: Talk,
    botId: string,
    inbound: Inbound,
    supersedes: Run | null,
  ): Promise<boolean> => {
    const current = await persist(() => library.current(botId), signal);
    if (!current?.bot.isActive) return false;
    const { revision: botRevision } = current;
    const { bots, botFacts } = await load(talk);
    const graph = await persist(() => library.graphAt(botId, botRevision), signal);
    const { accountId, phoneNumberId, contact } = talk;
    const owner = { accountId, phoneNumberId, botRevision };
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
        const { bots: state } = await load(talk);
        const { phoneNumberId } = talk;
        const among = await persist(candidates, signal);
        const route = routeInbound(state, among, { phoneNumberId, ...message, now: clock.now() });
        if (route.kind === 'none') return;
        if (route.kind === 'start') {
          if (await start(talk, route.bot.botId, inbound, route.supersedes)) return;
          continue;
        }
        if (await endIfStopped(talk, route.run)) continue;
        const input: Input = route.kind === 'first' ? route.input : { type: 'reply', inbound };
        const given = await give(talk, route.run.runId, input);
        await perform(talk, given);
        if (route.kind === 'answer' && given) return;
      }
    },
    /** The time of a run has come: `due`. Or the process that acted for it is gone: `unknown`. */
    async resume(talk: Talk, runId: string, input: Input & { type: 'due' | 'unknown' }) {
      const { run } = (await load(talk)).bots;
      if (run?.runId !== runId || (await endIfStopped(talk, run))) return;
      await perform(talk, await give(talk, runId, input));
    },
  };
};

export type LiveBots = ReturnType<typeof createLiveBots>;
