import type { Lookups } from '../../commands/core/lookups.ts';
import type { ReadReceipts } from '../../commands/inbound/read-receipts.ts';
import type { PassThrough, PassThroughSent } from '../../commands/sending/pass-through.ts';
import { kindOf, parseContact } from '../../events/contact.ts';
import type { Refusal } from '../../provider/rules/errors.ts';
import {
  readReceipt,
  readSentMessage,
  recipientIn,
  type SentMessage,
} from '../../provider/rules/sent-message.ts';
import { AppError } from '../../shared/errors.ts';
import type { AnyContext } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { defineRoute, type RouteInput } from '../route/route.ts';
import { billingHeaders } from '../v1/billing-schemas.ts';
import { billingHeadersOf, oneSendErrors } from '../v1/send-notification.ts';
import { Fields, GATEWAY, mustFindNumber } from './common.ts';

const refused = (refusal: Refusal) =>
  new AppError('message.not_allowed', refusal.details ?? 'The provider refuses the message', {
    cause: refusal,
  });

const UNKNOWN_TYPE = 131051;

const messageIn = (body: Fields): SentMessage => {
  const reading = readSentMessage(body);
  if ('message' in reading) return reading.message;
  const { refusal } = reading;
  // What the gateway does not know is an invalid parameter, whatever it is.
  throw refused(refusal.code === UNKNOWN_TYPE ? { ...refusal, code: 100 } : refusal);
};

/** The answer of the provider, which names the recipient as the call did. */
const answerOf = ({ type, to: input }: SentMessage, sent: PassThroughSent) => ({
  messaging_product: 'whatsapp',
  contacts: [
    kindOf(sent.to) === 'userId'
      ? { input, user_id: sent.to }
      : { input, wa_id: sent.recipientWaId ?? sent.to },
  ],
  messages: [
    {
      id: sent.messageId,
      ...(type === 'template' && { message_status: sent.providerStatus ?? 'accepted' }),
    },
  ],
});

/** The recipient of a message, whom a stored answer names. */
const contactsIn = ({ body }: RouteInput): readonly string[] => {
  const id = recipientIn(body as Fields);
  return id === null ? [] : [parseContact(id)];
};

/** The caller's own data as the key, where his API key is made so. No header has a line feed. */
const impliedIn = ({ body }: RouteInput, { key }: AnyContext): string | undefined => {
  const { biz_opaque_callback_data: opaque } = body as Fields;
  const isKey = key?.opaqueIsIdempotent && typeof opaque === 'string' && opaque !== '';
  return isKey ? `opaque\n${opaque}` : undefined;
};

/** Messages, read receipts and the sign that a reply is being written. */
export const graphMessagesRoute = (deps: {
  lookups: Pick<Lookups, 'numbers'>;
  passThrough: PassThrough;
  readReceipts: ReadReceipts;
}) =>
  defineRoute({
    ...GATEWAY,
    method: 'POST',
    path: '/graph/:version/:id/messages',
    summary: 'Send a message, or mark one as read, as at the provider',
    request: { body: Fields },
    responses: { 200: Fields },
    errors: [
      'message.unknown',
      'message.window_closed',
      'number.unknown',
      'provider.failed',
      ...oneSendErrors,
    ],
    idempotent: { reversible: true, contacts: contactsIn, implied: impliedIn },
    responseHeaders: billingHeaders,
    async handle({ params, body }, { key, requestId, signal, claim }) {
      const { accountId } = key;
      const { phoneNumberId } = await mustFindNumber(deps.lookups, accountId, params.id);
      if (body.status === 'read') {
        const reading = readReceipt(body);
        if ('refusal' in reading) throw refused(reading.refusal);
        await deps.readReceipts.send(reading.receipt, { accountId, requestId });
        return { success: true };
      }
      const message = messageIn(body);
      const { to, content, contextMessageId, opaque, messagingAccountId, direct } = message;
      const sent = await deps.passThrough.send(
        {
          to,
          content,
          phoneNumberId,
          contextMessageId: contextMessageId ?? undefined,
          clientReference: opaque ?? undefined,
          messagingAccountId: messagingAccountId ?? undefined,
          direct,
          source: 'gateway',
        },
        { requestId, accountId, signal: signal(), claim },
      );
      return reply(200, answerOf(message, sent), billingHeadersOf(sent.charge));
    },
  });
