import { type ConversationKey, conversationIdOf } from '../../events/conversation.ts';
import type { Clock } from '../../shared/clock.ts';
import { inHome } from '../contacts/homes.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { conversationDecider } from './conversation.ts';

/** Lets a person take a conversation from the bots, and give it back. */
export const createHandoffs = ({ writer, clock }: { writer: Writer; clock: Clock }) => {
  const execute = (
    conversation: ConversationKey,
    change: { type: 'TakeOver'; until: number } | { type: 'HandBack'; now: number },
    context: CommandContext,
  ) =>
    inHome(conversationIdOf(conversation), (id, anyway) =>
      writer.execute(conversationDecider, id, { ...change, conversation, anyway }, context),
    );

  return {
    /** Until then no bot answers; what a bot waits for or does ends. */
    async take(conversation: ConversationKey, until: number, context: CommandContext) {
      await execute(conversation, { type: 'TakeOver', until }, context);
    },
    /** Bots answer what is written from now on. */
    async handBack(conversation: ConversationKey, context: CommandContext) {
      await execute(conversation, { type: 'HandBack', now: clock.now() }, context);
    },
  };
};

export type Handoffs = ReturnType<typeof createHandoffs>;
