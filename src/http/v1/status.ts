import { contacts } from '../../projections/contacts.ts';
import { messages } from '../../projections/messages.ts';
import { AppError } from '../../shared/errors.ts';
import { pick } from '../route/pick.ts';
import { defineRoute } from '../route/route.ts';
import { findMessage, type MessageSearch } from './find-message.ts';
import { MessageStatus } from './schemas.ts';
import { withContacts } from './with-contacts.ts';

/** Contract 4.9. */
export const statusRoute = ({ secrets }: Pick<MessageSearch, 'secrets'>) =>
  defineRoute({
    method: 'GET',
    path: '/v1/notifications/status/:messageId',
    access: 'key',
    scope: 'messages:read',
    summary: 'Read the delivery status of a message',
    tags: ['Notifications'],
    responses: { 200: MessageStatus },
    errors: ['message.unknown'],
    reads: [messages, contacts],
    async handle({ params }, { key, models }) {
      const message = await findMessage({ models, secrets }, key.accountId, params.messageId);
      if (!message) throw models.notFound(new AppError('message.unknown', 'Message not found'));
      const [current] = await withContacts(models, [message]);
      // Of an erased message the caller alone knows the id, and asked with it.
      return pick(MessageStatus, { ...current!, metaMessageId: params.messageId });
    },
  });
