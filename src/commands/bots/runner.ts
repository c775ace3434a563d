import type { Clock, Ids } from '../../shared/clock.ts';
import type { Writer } from '../core/execute.ts';
import { isSameLink, type NumberLinks } from '../numbers/number-links.ts';
import type { Act } from './actions.ts';
import {
  type Conversation,
  type ConversationLog,
  createConversationLog,
  type RunEnd,
} from './conversation-log.ts';
import type { Inbound } from './inbound.ts';
import { advance, createRun, type Input } from './interpreter.ts';
import type { Candidate } from './matching.ts';
import { endFact, startFact, turnFacts } from './record.ts';
import type { BotRepository } from './repository.ts';
import { routeInbound } from './routing.ts';
import type { Run } from './run.ts';
import { evolveBots, worldOf } from './state.ts';
import { createTurns, type RecordedTurn } from './turns.ts';

/** How often a message is routed again after an old run, a changed bot or another instance. */
const ROUNDS_MAX = 8;

const createStart = (deps: {
  log: ConversationLog;
  repository: BotRepository;
  clock: Clock;
  ids: Ids;
}) => {
  const { log, repository, clock, ids } = deps;
  /** Records the first turn of a new run; undefined when its bot is gone or another turn came first. */
  return async (
    conversation: Conversation,
    { botId, link }: { botId: string; link: number },
    inbound: Inbound,
    supersedes: Run | null,
  ): Promise<RecordedTurn | undefined> => {
    const current = await log.retry(() => repository.current(botId));
    if (!current?.bot.isActive) return undefined;
    const { revision: botRevision } = current;
    const { bots, botFacts } = await log.load(conversation);
    const graph = await log.retry(() => repository.graphAt(botId, botRevision));
    const { accountId, phoneNumberId, contact } = conversation;
    const owner = { accountId, phoneNumberId, botRevision, link };
    const run = createRun({ runId: `run_${ids.uuid()}`, botId }, contact, inbound);
    const now = clock.now();
    const superseded =
      supersedes && bots.run?.runId === supersedes.runId
        ? [endFact(supersedes, 'superseded', owner)]
        : [];
    const opening = [...superseded, startFact(run, inbound, owner, now)];
    const begin: Input = { type: 'begin' };
    const turn = advance(run, begin, worldOf(opening.reduce(evolveBots, bots), graph, now));
    if (!turn || inbound.revision <= bots.takenRevision) return undefined;
    const facts = [...opening, ...turnFacts(begin, turn, { accountId, now })];
    const recorded = await log.record(conversation, botFacts, facts);
    return recorded ? { turn, owner } : undefined;
  };
};

/** Runs bots in conversations. Calls for one conversation must come one after the other. */
export const createRunner = (deps: {
  writer: Writer;
  repository: BotRepository;
  links: NumberLinks;
  act: Act;
  clock: Clock;
  ids: Ids;
  /** Ends the retries while the log is unavailable. */
  signal: AbortSignal;
  onBound: (end: RunEnd) => void;
}) => {
  const { clock } = deps;
  const log = createConversationLog(deps);
  const { give, perform, endIfStopped } = createTurns({ ...deps, log });
  const start = createStart({ ...deps, log });

  return {
    /** Routes a message of the contact to a run, or starts one with it. */
    async take(
      conversation: Conversation,
      message: { inbound: Inbound; writtenAt: number },
      candidates: () => Promise<readonly Candidate[]>,
    ): Promise<void> {
      const { inbound } = message;
      const { accountId, phoneNumberId } = conversation;
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const held = await log.linkOf(conversation);
        const { bots: state } = await log.load(conversation);
        if (state.run && state.owner && !isSameLink(state.owner, held)) {
          await log.endRun(conversation, state.run.runId, 'number_unlinked');
          continue;
        }
        // A bot answers only at numbers that its account still holds.
        if (held?.accountId !== accountId) return;
        const among = await log.retry(candidates);
        const route = routeInbound(state, among, { phoneNumberId, ...message, now: clock.now() });
        if (route.kind === 'none') return;
        if (route.kind === 'start') {
          const choice = { botId: route.bot.botId, link: held.link };
          const started = await start(conversation, choice, inbound, route.supersedes);
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
    async resume(
      conversation: Conversation,
      runId: string,
      input: Input & { type: 'due' | 'unknown' },
    ) {
      const { run, owner } = (await log.load(conversation)).bots;
      if (run?.runId !== runId || !owner) return;
      if (await endIfStopped(conversation, run, owner)) return;
      await perform(conversation, await give(conversation, runId, input));
    },
  };
};
