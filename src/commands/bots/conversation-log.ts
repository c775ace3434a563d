import type { BotRunEnded, BotRunEndReason, BotRunFact } from '../../events/conversation.ts';
import type { FactOf } from '../../events/define.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import { conversationDecider } from '../inbound/conversation.ts';
import type { NumberLinks } from '../numbers/number-links.ts';
import type { RunOwner } from './bot.ts';
import type { Run } from './run.ts';

/** A conversation with one contact, and the context of the commands for it. */
export interface Conversation {
  conversationId: string;
  accountId: string;
  phoneNumberId: string;
  contactRef: string;
  /** As the message shows it; nothing of it where no message is the occasion. */
  contact: Run['contact'];
  context: CommandContext;
}

export type RunEnd = FactOf<typeof BotRunEnded>['data'];

/** Reads and writes the streams of conversations. Each call retries while the log is unavailable. */
export const createConversationLog = (deps: {
  writer: Writer;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
  links: NumberLinks;
  /** Ends the retries. */
  signal: AbortSignal;
  /** Called for each run that a bound has ended. */
  onBound: (end: RunEnd) => void;
}) => {
  const { writer, subjects, links, signal, onBound } = deps;
  const retry = <T>(work: () => Promise<T>) => retryWhileUnavailable(work, signal);

  return {
    retry,
    /** The conversation with this month's data key of its contact; undefined once that was erased. */
    async withKey(conversation: Conversation): Promise<Conversation | undefined> {
      const { accountId, contactRef, context } = conversation;
      const subject = await retry(async () => subjectOf(subjects, accountId, contactRef));
      if (!subject) return undefined;
      const on = { ...context, subjects: [subject] };
      return { ...conversation, contactRef: subject.ref, context: on };
    },
    load: async ({ conversationId }: Conversation) =>
      (await retry(() => writer.load(conversationDecider, conversationId))).state,
    /** False when another turn was recorded meanwhile. */
    async record(
      { conversationId, context }: Conversation,
      basis: number,
      facts: readonly BotRunFact[],
    ): Promise<boolean> {
      const command = { type: 'RecordTurn' as const, basis, facts };
      const done = await retry(() =>
        writer.execute(conversationDecider, conversationId, command, context),
      );
      for (const { type, data } of done.facts) {
        if (type === 'BotRunEnded' && data.reason === 'bounds') onBound(data);
      }
      return done.facts.length > 0;
    },
    async endRun(
      { conversationId, context }: Conversation,
      runId: string,
      reason: BotRunEndReason,
    ): Promise<void> {
      const command = { type: 'EndRun' as const, runId, reason };
      await retry(() => writer.execute(conversationDecider, conversationId, command, context));
    },
    linkOf: ({ phoneNumberId }: Pick<RunOwner, 'phoneNumberId'>) =>
      retry(() => links.linkOf(phoneNumberId)),
  };
};

export type ConversationLog = ReturnType<typeof createConversationLog>;
