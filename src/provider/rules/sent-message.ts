import { asDigits, asRecord, asText, asUserId, type Json } from '../shape.ts';
import { brokenDirectRule, type Direct } from './direct-send.ts';
import type { Refusal } from './errors.ts';
import { lengths } from './message-limits.ts';
import { type BuiltContent, brokenRule, readersOfTypes } from './message-types.ts';
import {
  bounded,
  invalid,
  missing,
  mustHave,
  optional,
  present,
  Refused,
  refuse,
} from './refused.ts';

// The body of the provider's send endpoint, read into our terms: what it requires, and its limits. The
// simulator and the gateway both read with it, so that they refuse the same.

const TO_LENGTH = { min: 5, max: 20 };

/** A message as a program writes it for the provider. */
export interface SentMessage {
  /** A number as it is written, or a user id; a number wins. */
  to: string;
  /** The provider's word for the type. */
  type: string;
  content: BuiltContent;
  contextMessageId: string | null;
  /** Comes back in statuses, as `biz_opaque_callback_data`. */
  opaque: string | null;
  messagingAccountId: string | null;
  /** Of a message without a template outside the window; null of any other. */
  direct: Direct | null;
}

type MessageReading = { message: SentMessage } | { refusal: Refusal };

/** The fields beside the one that the type names. */
const ENVELOPE = new Set([
  'messaging_product',
  'recipient_type',
  'to',
  'recipient',
  'type',
  'context',
  'biz_opaque_callback_data',
  'messaging_account_id',
  // Of messages without a template.
  'category',
  'direct_send_config',
  'ttl_seconds',
]);

/** Whom a body names: a number as it is written, else a user id; null for neither. */
export const recipientIn = ({ to, recipient }: Json): string | null =>
  asDigits(to) === null ? asUserId(recipient) : String(to);

const readRecipient = (body: Json): string => {
  const { to, recipient, recipient_type: kind = 'individual' } = body;
  if (kind !== 'individual') return invalid('recipient_type must be individual');
  const digits = asDigits(to);
  if (digits !== null && (digits.length < TO_LENGTH.min || digits.length > TO_LENGTH.max)) {
    return invalid('to is not a telephone number');
  }
  const named = recipientIn(body);
  if (named !== null) return named;
  return recipient === undefined ? missing('to') : invalid('recipient is no user id');
};

const readOpaque = ({ biz_opaque_callback_data: data }: Json): string | null => {
  if (data === undefined) return null;
  if (typeof data === 'string' && data.length <= lengths.opaque) return data;
  return invalid(`biz_opaque_callback_data is not a text of up to ${lengths.opaque} characters`);
};

const readDirect = (body: Json, content: BuiltContent): Direct | null => {
  const { category, direct_send_config: config, ttl_seconds: ttlSeconds } = body;
  if (category === undefined) {
    if (config !== undefined) return missing('category');
    return ttlSeconds === undefined ? null : missing('category');
  }
  const templateName = optional(asRecord(config).template_name, 'direct_send_config.template_name');
  const direct = { category, templateName, ttlSeconds } as Direct;
  const broken = brokenDirectRule(direct, content);
  return broken === undefined ? present(direct) : refuse(100, broken);
};

const read = (body: Json): SentMessage => {
  if (body.messaging_product !== 'whatsapp') missing('messaging_product');
  const to = readRecipient(body);
  const opaque = readOpaque(body);
  const type = asText(body.type) ?? 'text';
  const reader = readersOfTypes.get(type);
  if (!reader) return refuse(131051, `type ${type} is not supported`);
  const unknown = Object.keys(body).find((key) => key !== type && !ENVELOPE.has(key));
  if (unknown !== undefined) refuse(100, `Unexpected key "${unknown}" on param "message"`);
  const content = reader(body, type);
  const { context, messaging_account_id } = body;
  const answered = context === undefined ? null : asText(asRecord(context).message_id);
  if (context !== undefined && answered === null) missing('context.message_id');
  const contextMessageId = bounded('context.message_id', answered, lengths.messageId);
  const broken = brokenRule(content, { isReply: context !== undefined });
  if (broken !== undefined) invalid(broken);
  const accountId = asText(messaging_account_id);
  const messagingAccountId = bounded('messaging_account_id', accountId, lengths.accountId);
  const direct = readDirect(body, content);
  return { to, type, content, contextMessageId, opaque, messagingAccountId, direct };
};

/** The message in a body of the send endpoint, or the provider's refusal of it. */
export const readSentMessage = (body: Json): MessageReading => {
  try {
    return { message: read(body) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
};

/** A read receipt, which may show the customer that a reply is being written, or its refusal. */
export const readReceipt = (
  body: Json,
): { receipt: { messageId: string; typing: boolean } } | { refusal: Refusal } => {
  try {
    if (body.messaging_product !== 'whatsapp') missing('messaging_product');
    mustHave(body, 'message_id');
    const { typing_indicator: typing } = body;
    if (typing !== undefined && asRecord(typing).type !== 'text') {
      invalid("typing_indicator['type'] must be text");
    }
    return { receipt: { messageId: String(body.message_id), typing: typing !== undefined } };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
};
