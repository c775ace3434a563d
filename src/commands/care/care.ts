import { type ConversationKey, conversationIdOf } from '../../events/conversation.ts';
import { type Ids, sortedId } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { inHome } from '../contacts/homes.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { type CareCommand, conversationDecider } from '../inbound/conversation.ts';
import { personDecider } from '../people/person.ts';

type Change =
  | { type: 'Assign'; personId: string | null; shown: string | null }
  | { type: 'Label'; labels: readonly string[] }
  | { type: 'Note'; noteId: string; text: string };

interface Deps {
  writer: Writer;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
  ids: Ids;
}

type Context = CommandContext & { accountId: string };

/** What people who look after conversations do among themselves: nothing of it reaches the customer. */
export const createCare = ({ writer, subjects, ids }: Deps) => {
  const execute = (conversation: ConversationKey, change: Change, context: CommandContext) =>
    inHome(conversationIdOf(conversation), (id, anyway) => {
      const command: CareCommand = { ...change, conversation, anyway };
      return writer.execute(conversationDecider, id, command, context);
    });

  /** The context with the key of the customer, under which labels and notes are sealed. */
  const about = async ({ accountId, contactRef }: ConversationKey, context: Context) => {
    const subject = await subjectOf(subjects, accountId, contactRef);
    if (!subject) throw new AppError('resource.erased', 'The data of this customer were erased');
    return { ...context, subjects: [subject] };
  };

  /** Throws unless the person may see conversations of the account. */
  const mustBeOf = async (organisationId: string, accountId: string, personId: string) => {
    const { person, suspended } = (await writer.load(personDecider, personId)).state;
    const isOwn =
      person?.organisationId === organisationId &&
      (person.accounts === null || person.accounts.includes(accountId));
    if (!isOwn || suspended) throw new AppError('resource.unknown', 'Person not found');
  };

  return {
    /** Null takes the conversation from `shown`, its assignee. */
    async assign(
      conversation: ConversationKey,
      { personId, shown }: { personId: string | null; shown: string | null },
      organisationId: string,
      context: Context,
    ): Promise<void> {
      if (personId !== null) await mustBeOf(organisationId, context.accountId, personId);
      await execute(conversation, { type: 'Assign', personId, shown }, context);
    },
    async label(
      conversation: ConversationKey,
      labels: readonly string[],
      context: Context,
    ): Promise<void> {
      const on = await about(conversation, context);
      await execute(conversation, { type: 'Label', labels }, on);
    },
    async note(conversation: ConversationKey, text: string, context: Context): Promise<string> {
      const on = await about(conversation, context);
      const noteId = sortedId('note', ids);
      await execute(conversation, { type: 'Note', noteId, text }, on);
      return noteId;
    },
  };
};

export type Care = ReturnType<typeof createCare>;
