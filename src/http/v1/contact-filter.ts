import type { Privacy } from '../../commands/privacy/privacy.ts';
import { parseContact } from '../../events/contact.ts';
import { conversationKeyOf } from '../../events/conversation.ts';
import { readRefsOf } from '../../projections/read-contacts.ts';
import { readThread } from '../../projections/read-threads.ts';
import type { Query } from '../../projections/views.ts';
import { invalidFields } from '../../shared/errors.ts';
import type { ReadModels } from '../route/read-models.ts';

type Where = Query['where'];

/** Finds the pseudonym of a number or a user id; undefined where nothing is held of it. */
export interface ContactRefs {
  refOf(accountId: string, id: string): Promise<string | undefined>;
}

/** The conditions with further ones; none where a field cannot have both values. */
const both = (where: Where, more: Where): Where[] =>
  Object.entries(more).every(([field, value]) => (where[field] ?? value) === value)
    ? [{ ...where, ...more }]
    : [];

/** All ids of the conversation to which an id leads. */
const conversationIds = async (models: ReadModels, id: string): Promise<readonly string[]> => {
  const thread = await readThread(models, id);
  return thread ? [thread, ...thread.absorbs].map((one) => one.id) : [id];
};

/**
 * The queries that find the messages of a contact or of a conversation: one for each id under which
 * they are kept, and one in all where neither is asked for.
 */
export const whereOf = async (
  { models, subjects }: { models: ReadModels; subjects: ContactRefs },
  accountId: string,
  asked: { contact?: string | undefined; conversationId?: string | undefined },
  where: Where,
): Promise<readonly Where[]> => {
  const { contact, conversationId } = asked;
  const threads =
    conversationId === undefined
      ? [where]
      : (await conversationIds(models, conversationId)).flatMap((id) =>
          both(where, { ...conversationKeyOf(id) }),
        );
  if (contact === undefined) return threads;
  const id = parseContact(contact);
  const ref = await subjects.refOf(accountId, id);
  const refs = ref === undefined ? [] : await readRefsOf(models, accountId, ref);
  // Before contacts had pseudonyms, their ids named them.
  const older = await readRefsOf(models, accountId, id);
  return threads.flatMap((one) =>
    [...refs, ...older].flatMap((contactRef) => both(one, { contactRef })),
  );
};

/** Ids of one customer, in all accounts, that one list follows. */
const HELD_MAX = 100;

/** The same of one account, or over all accounts where none is named. */
export const whereInAny = async (
  deps: { models: ReadModels; subjects: ContactRefs; privacy: Pick<Privacy, 'findSubjects'> },
  { accountId, contact }: { accountId?: string | undefined; contact?: string | undefined },
  where: Where,
): Promise<readonly Where[]> => {
  if (accountId !== undefined)
    return whereOf(deps, accountId, { contact }, { ...where, accountId });
  if (contact === undefined) return [where];
  const held = await deps.privacy.findSubjects(parseContact(contact), null);
  if (held.length > HELD_MAX) {
    const text = `is required: more than ${HELD_MAX} accounts or ids hold something of this contact`;
    throw invalidFields({ accountId: [text] });
  }
  return held.map((one) => ({ ...where, accountId: one.accountId, contactRef: one.ref }));
};
