import type { Clock, Ids } from '../../shared/clock.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { Writer } from '../core/execute.ts';
import { isSameLink, type NumberLinks } from '../numbers/number-links.ts';
import type { Act } from './actions.ts';
import { type Conversation, createConversationLog, type RunEnd } from './conversation-log.ts';
import type { Inbound } from './inbound.ts';
import type { Input } from './interpreter.ts';
import type { Candidate } from './matching.ts';
import type { BotRepository } from './repository.ts';
import { routeInbound } from './routing.ts';
import { createTurns } from './turns.ts';

/** How often a message is routed again after an old run, a changed bot or another instance. */
const ROUNDS_MAX = 8;

/** Runs bots in conversations. Calls for one conversation must come one after the other. */
export const createRunner = (deps: {
  writer: Writer;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
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
