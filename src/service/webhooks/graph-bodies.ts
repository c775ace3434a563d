import type { EventOf, KnownEvent } from '../../events/index.ts';
import { pricingsOf } from '../../events/message.ts';
import type { NumberDocument } from '../../projections/numbers.ts';
import { providerError } from '../../provider/rules/errors.ts';
import { providerStateOf, type TemplateState } from '../../provider/rules/template-state.ts';

// Deliveries as the provider posts them to the webhooks of its own API: one entry, one change, one
// message or status.

/** The body of the other format, and what more the provider's one needs. */
interface Told {
  event: KnownEvent;
  data: Readonly<Record<string, unknown>>;
  /** The statuses of the message up to the event. */
  statuses(): Promise<readonly EventOf<'StatusUpdated'>[]>;
  numberOf(phoneNumberId: string): Promise<NumberDocument | undefined>;
}

type Fields = Record<string, unknown>;

/** The provider sends whole seconds. */
const secondsOf = (at: string): number => Math.floor(Date.parse(at) / 1000);

const changeOf = (wabaId: string, at: string, field: string, value: Fields) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: wabaId, time: secondsOf(at), changes: [{ field, value }] }],
});

/** The number, as a change of it names it. */
const ofNumber = (displayPhoneNumber: string, phoneNumberId: string) => ({
  messaging_product: 'whatsapp',
  metadata: {
    display_phone_number: displayPhoneNumber.replaceAll(/\D/g, ''),
    phone_number_id: phoneNumberId,
  },
});

const receivedOf = ({ data, meta }: EventOf<'MessageReceived'>) => {
  const { wabaId, displayPhoneNumber, phoneNumberId, contact, message } = data;
  // Without its content there is nothing that the provider would have sent.
  if (message === null) return null;
  return changeOf(wabaId, meta.at, 'messages', {
    ...ofNumber(displayPhoneNumber, phoneNumberId),
    ...(contact && { contacts: [contact] }),
    messages: [message],
  });
};

const errorsOf = (code: string | undefined, words: string | null): Fields => {
  if (code === undefined) return {};
  const title = providerError(Number(code))?.title ?? words ?? 'Unknown error';
  const details = words ?? title;
  const error = { code: Number(code), title, message: title, error_data: { details } };
  return { errors: [error] };
};

/** What a status says of price and failure. */
const saidIn = async (event: EventOf<'StatusUpdated'>, statuses: Told['statuses']) => {
  const { errorCode, errorMessage, pricing } = event.data;
  const told =
    pricing === undefined ? null : pricingsOf((await statuses()).map((one) => one.data)).at(-1);
  return { ...errorsOf(errorCode, errorMessage), ...(told && { pricing: told }) };
};

const statusOf = async (
  event: EventOf<'MessageSent' | 'StatusUpdated'>,
  { data, statuses, numberOf }: Told,
) => {
  const { metaMessageId, recipientWaId, contactUserId, clientReference, phoneNumberId } = data;
  const number = await numberOf(String(phoneNumberId));
  // Nothing names an erased message any more.
  if (typeof metaMessageId !== 'string' || !number) return null;
  const isUpdate = event.type === 'StatusUpdated';
  const status = isUpdate ? event.data.status : 'sent';
  const at = isUpdate ? event.data.statusAt : event.meta.at;
  const recipient = {
    ...(typeof recipientWaId === 'string' && { wa_id: recipientWaId }),
    ...(typeof contactUserId === 'string' && { user_id: contactUserId }),
  };
  return changeOf(number.wabaId, event.meta.at, 'messages', {
    ...ofNumber(number.displayPhoneNumber, number.phoneNumberId),
    // The provider names no contact in failures.
    ...(status !== 'failed' && { contacts: [recipient] }),
    statuses: [
      {
        id: metaMessageId,
        status,
        timestamp: String(secondsOf(at)),
        ...(recipient.wa_id !== undefined && { recipient_id: recipient.wa_id }),
        ...(recipient.user_id !== undefined && { recipient_user_id: recipient.user_id }),
        ...(typeof clientReference === 'string' && { biz_opaque_callback_data: clientReference }),
        ...(isUpdate && (await saidIn(event, statuses))),
      },
    ],
  });
};

/** Whether the change is one of state or of category. */
const templateOf = ({ type, data: { wabaId }, meta }: TemplateEvent, data: Told['data']) => {
  const template = {
    message_template_id: data.id,
    message_template_name: data.name,
    message_template_language: data.language,
  };
  if (type === 'TemplateRecategorised' || type === 'TemplateChangeAnnounced') {
    const { changingTo } = data as { changingTo: { category: string; at: string | null } | null };
    return changeOf(wabaId, meta.at, 'template_category_update', {
      ...template,
      new_category: data.category,
      ...(changingTo && { correct_category: changingTo.category }),
      ...(changingTo?.at && { category_update_timestamp: secondsOf(changingTo.at) }),
    });
  }
  const { status, statusReason } = data as unknown as TemplateState & { status: string };
  const event = providerStateOf({ status, statusReason } as TemplateState);
  return changeOf(wabaId, meta.at, 'message_template_status_update', {
    ...template,
    event: type === 'TemplateRemoved' ? 'PENDING_DELETION' : event,
    message_template_category: data.category,
    reason: (event === 'REJECTED' && statusReason) || 'NONE',
  });
};

type TemplateEvent = EventOf<
  'TemplateStatusChanged' | 'TemplateRecategorised' | 'TemplateChangeAnnounced' | 'TemplateRemoved'
>;

/** A number that was rated red is flagged. */
const qualityOf = async ({ event, data, numberOf }: Told) => {
  const number = await numberOf(String(data.phoneNumberId));
  if (!number) return null;
  return changeOf(number.wabaId, event.meta.at, 'phone_number_quality_update', {
    display_phone_number: number.displayPhoneNumber.replaceAll(/\D/g, ''),
    event: data.qualityRating === 'RED' ? 'FLAGGED' : 'UNFLAGGED',
    ...(number.messagingLimit !== null && { current_limit: number.messagingLimit }),
  });
};

/** The body of a delivery; null where the provider would have sent nothing. */
export const graphBodyOf = async (told: Told): Promise<object | null> => {
  const { event, data } = told;
  switch (event.type) {
    case 'MessageReceived':
      return receivedOf(event);
    case 'MessageSent':
    case 'StatusUpdated':
      return statusOf(event, told);
    case 'TemplateStatusChanged':
    case 'TemplateRecategorised':
    case 'TemplateChangeAnnounced':
    case 'TemplateRemoved':
      return templateOf(event, data);
    case 'PhoneProfileRead':
      return qualityOf(told);
    case 'WebhookTested':
      // A change of no field that a program handles.
      return changeOf('0', event.meta.at, 'webhook_test', {});
    default:
      return null;
  }
};
