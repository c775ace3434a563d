import { type Content, MediaKind } from '../../events/content.ts';
import { asArray, asDigits, asRecord, asText, asUserId, isRecord, type Json } from '../shape.ts';
import { brokenRule } from './content-rules.ts';
import { brokenDirectRule, type Direct } from './direct-send.ts';
import type { Refusal } from './errors.ts';
import { lengths } from './message-limits.ts';

// The body of the provider's send endpoint, read into our terms: what it requires, and its limits. The
// simulator and the gateway both read with it, so that they refuse the same.

const TO_LENGTH = { min: 5, max: 20 };
/** Content that passes through unchanged must fit into an event. */
const UNTOUCHED_BYTES_MAX = 100_000;

/** A message as a program writes it for the provider. */
export interface SentMessage {
  /** A number as it is written, or a user id; a number wins. */
  to: string;
  /** The provider's word for the type. */
  type: string;
  content: Content;
  contextMessageId: string | null;
  /** Comes back in statuses, as `biz_opaque_callback_data`. */
  opaque: string | null;
  messagingAccountId: string | null;
  /** Of a message without a template outside the window; null of any other. */
  direct: Direct | null;
}

export type MessageReading = { message: SentMessage } | { refusal: Refusal };

/** Refuses in the middle of a reading, which returns the refusal. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.details);
    this.refusal = refusal;
  }
}

const refuse = (code: number, details: string): never => {
  throw new Refused({ code, details });
};
const missing = (path: string): never => {
  const [first, ...rest] = path.split('.');
  return refuse(
    100,
    `The parameter ${first}${rest.map((key) => `['${key}']`).join('')} is required.`,
  );
};
const invalid = (details: string): never => refuse(131009, details);

/** Refuses a value in which one of these paths leads to no text. */
const mustHave = (value: unknown, ...paths: string[]): void => {
  for (const path of paths) {
    const found = path.split('.').reduce<unknown>((at, key) => asRecord(at)[key], value);
    if (asText(found) === null) missing(path);
  }
};

/** A text that the message may leave out. */
const optional = (value: unknown, path: string): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : invalid(`${path} must be a text`);
};

const mustFit = (name: string, value: unknown): void => {
  if (Buffer.byteLength(JSON.stringify(value)) <= UNTOUCHED_BYTES_MAX) return;
  invalid(`${name} is larger than ${UNTOUCHED_BYTES_MAX} bytes`);
};

const present = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

const readMedia = (mediaType: MediaKind, message: Json): Content => {
  const { id, link, caption, filename, voice } = asRecord(message[mediaType]);
  mustHave(message, id ? `${mediaType}.id` : `${mediaType}.link`);
  const words = present({
    link: optional(link, 'link'),
    id: id === undefined ? undefined : (asText(id) ?? undefined),
    caption: optional(caption, 'caption'),
    filename: optional(filename, 'filename'),
  });
  return { type: 'media', mediaType, ...words, ...(voice === true && { voice }) };
};

const readLocation = (message: Json): Content => {
  mustHave(message, 'location.latitude', 'location.longitude');
  const location = asRecord(message.location);
  const [latitude, longitude] = [Number(location.latitude), Number(location.longitude)];
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    invalid('location is out of range');
  }
  const name = optional(location.name, 'location.name');
  const address = optional(location.address, 'location.address');
  return { type: 'location', latitude, longitude, ...present({ name, address }) };
};

const readInteractive = (message: Json): Content => {
  const interactive = asRecord(message.interactive);
  const { type, action } = interactive;
  mustHave(message, 'interactive.type');
  if (!isRecord(action)) return missing('interactive.action');
  if (type === 'button' || type === 'list') mustHave(message, 'interactive.body.text');
  if (type === 'button') {
    for (const button of asArray(action.buttons)) mustHave(button, 'reply.id', 'reply.title');
  }
  if (type === 'list') {
    mustHave(message, 'interactive.action.button');
    const rows = asArray(action.sections).flatMap((section) => asArray(asRecord(section).rows));
    if (rows.length === 0) {
      refuse(100, "The parameter interactive['action']['sections'][0]['rows'] is required.");
    }
    for (const row of rows) mustHave(row, 'id', 'title');
  }
  mustFit('interactive', interactive);
  return { type: 'interactive', interactive };
};

const readTemplate = (message: Json): Content => {
  mustHave(message, 'template.name', 'template.language.code');
  const { name, language, components } = asRecord(message.template);
  const given = asArray(components);
  mustFit('template.components', given);
  const code = String(asRecord(language).code);
  return { type: 'template', name: String(name), language: code, components: given };
};

const readContacts = ({ contacts }: Json): Content => {
  if (!Array.isArray(contacts)) return missing('contacts');
  if (contacts.length === 0) invalid('contacts holds none');
  for (const contact of contacts) mustHave(contact, 'name.formatted_name');
  mustFit('contacts', contacts);
  return { type: 'contacts', contacts: contacts.map(asRecord) };
};

const readReaction = (message: Json): Content => {
  const { emoji, message_id } = asRecord(message.reaction);
  if (typeof emoji !== 'string') return missing('reaction.emoji');
  mustHave(message, 'reaction.message_id');
  return { type: 'reaction', messageId: String(message_id), emoji };
};

const readText = (message: Json): Content => {
  mustHave(message, 'text.body');
  const { body, preview_url } = asRecord(message.text);
  return { type: 'text', body: String(body), previewUrl: preview_url === true };
};

/** A map, because a message may name any word as its type. */
const readers: ReadonlyMap<string, (message: Json) => Content> = new Map([
  ['text', readText],
  ...MediaKind.options.map(
    (kind) => [kind, (message: Json) => readMedia(kind, message)] as [string, typeof readText],
  ),
  ['location', readLocation],
  ['interactive', readInteractive],
  ['template', readTemplate],
  ['contacts', readContacts],
  ['reaction', readReaction],
]);

/** The types of messages that the send endpoint takes. */
export const messageTypes: readonly string[] = [...readers.keys()];

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

const readRecipient = ({ to, recipient, recipient_type: kind = 'individual' }: Json): string => {
  if (kind !== 'individual') return invalid('recipient_type must be individual');
  const digits = asDigits(to);
  if (digits !== null) {
    const { min, max } = TO_LENGTH;
    const fits = digits.length >= min && digits.length <= max;
    return fits ? String(to) : invalid('to is not a telephone number');
  }
  if (recipient === undefined) return missing('to');
  return asUserId(recipient) ?? invalid('recipient is no user id');
};

const readOpaque = ({ biz_opaque_callback_data: data }: Json): string | null => {
  if (data === undefined) return null;
  if (typeof data === 'string' && data.length <= lengths.opaque) return data;
  return invalid(`biz_opaque_callback_data is not a text of up to ${lengths.opaque} characters`);
};

const readDirect = (body: Json, content: Content): Direct | null => {
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
  const reader = readers.get(type);
  if (!reader) return refuse(131051, `type ${type} is not supported`);
  const unknown = Object.keys(body).find((key) => key !== type && !ENVELOPE.has(key));
  if (unknown !== undefined) refuse(100, `Unexpected key "${unknown}" on param "message"`);
  const content = reader(body);
  const { context, messaging_account_id } = body;
  const contextMessageId = context === undefined ? null : asText(asRecord(context).message_id);
  if (context !== undefined && contextMessageId === null) missing('context.message_id');
  const broken = brokenRule(content, { isReply: context !== undefined });
  if (broken !== undefined) invalid(broken);
  const messagingAccountId = asText(messaging_account_id);
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
