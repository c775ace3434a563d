import { readIdsOf } from '../../projections/read-contacts.ts';
import { readThread } from '../../projections/read-threads.ts';
import type { Query } from '../../projections/views.ts';
import type { ReadModels } from '../route/read-models.ts';

type Where = Query['where'];

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
  models: ReadModels,
  accountId: string,
  asked: { contact?: string | undefined; conversationId?: string | undefined },
  where: Where,
): Promise<readonly Where[]> => {
  const { contact, conversationId } = asked;
  const threads =
    conversationId === undefined
      ? [where]
      : (await conversationIds(models, conversationId)).map((id) => ({
          ...where,
          conversationId: id,
        }));
  if (contact === undefined) return threads;
  // An unescaped plus arrives as a space.
  const ids = await readIdsOf(models, accountId, contact.replace(/^[+ ]/, ''));
  return threads.flatMap((one) => ids.map((id) => ({ ...one, contactWaId: id })));
};
