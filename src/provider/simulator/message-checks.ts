import type { Content, MediaKind } from '../../events/content.ts';
import { brokenRule } from '../rules/content-rules.ts';
import { asArray, asDigits, asRecord, asText, asUserId, isRecord, type Json } from '../shape.ts';
import { type GraphAnswer, graphError, ok } from './answers.ts';

const DATA_LENGTH_MAX = 512;

const missing = (path: string) =>
  graphError(100, { details: `The parameter ${path} is required.` });
const invalid = (details: string) => graphError(131009, { details });

/** Refuses a value in which one of these paths leads to no text. */
const mustHave = (value: unknown, ...paths: string[]): GraphAnswer | undefined => {
  for (const path of paths) {
    const keys = path.split('.');
    const found = keys.reduce<unknown>((at, key) => asRecord(at)[key], value);
    const [first, ...rest] = keys;
    if (asText(found) === null) return missing(first + rest.map((key) => `['${key}']`).join(''));
  }
  return undefined;
};

const firstOf = (refusals: (GraphAnswer | undefined)[]) =>
  refusals.find((refusal) => refusal !== undefined);

const checkButtons = (buttons: unknown[]) =>
  firstOf(buttons.map((button) => mustHave(button, 'reply.id', 'reply.title')));

const checkRows = (sections: unknown[]) => {
  const rows = sections.flatMap((section) => asArray(asRecord(section).rows));
  if (rows.length === 0) return missing("interactive['action']['sections'][0]['rows']");
  return firstOf(rows.map((row) => mustHave(row, 'id', 'title')));
};

const checkInteractive = (message: Json): GraphAnswer | undefined => {
  const { type, action } = asRecord(message.interactive);
  if (!isRecord(action)) return missing("interactive['action']");
  switch (type) {
    case 'button':
      return mustHave(message, 'interactive.body.text') ?? checkButtons(asArray(action.buttons));
    case 'list':
      return (
        mustHave(message, 'interactive.body.text', 'interactive.action.button') ??
        checkRows(asArray(action.sections))
      );
    default:
      return mustHave(message, 'interactive.type');
  }
};

const checkLocation = (message: Json): GraphAnswer | undefined => {
  const refusal = mustHave(message, 'location.latitude', 'location.longitude');
  if (refusal) return refusal;
  const { latitude, longitude } = asRecord(message.location);
  const isOnEarth = Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
  return isOnEarth ? undefined : invalid('location is out of range');
};

const checkContacts = ({ contacts }: Json): GraphAnswer | undefined => {
  if (!Array.isArray(contacts)) return missing('contacts');
  if (contacts.length === 0) return invalid('contacts holds none');
  return firstOf(contacts.map((contact) => mustHave(contact, 'name.formatted_name')));
};

const checkReaction = (message: Json): GraphAnswer | undefined =>
  typeof asRecord(message.reaction).emoji === 'string'
    ? mustHave(message, 'reaction.message_id')
    : missing("reaction['emoji']");

/** What a type of message requires, and its content as the rules for callers of the service read it. */
interface MessageType {
  check(message: Json): GraphAnswer | undefined;
  read?(message: Json): Content;
}

const ofMedia = (mediaType: MediaKind): MessageType => ({
  check: (message) =>
    mustHave(message, asRecord(message[mediaType]).id ? `${mediaType}.id` : `${mediaType}.link`),
  read: (message) => ({ ...asRecord(message[mediaType]), type: 'media', mediaType }),
});

const types: Readonly<Record<string, MessageType>> = {
  text: {
    check: (message) => mustHave(message, 'text.body'),
    read: ({ text }) => ({ type: 'text', body: String(asRecord(text).body), previewUrl: false }),
  },
  image: ofMedia('image'),
  video: ofMedia('video'),
  audio: ofMedia('audio'),
  document: ofMedia('document'),
  sticker: ofMedia('sticker'),
  location: { check: checkLocation },
  interactive: {
    check: checkInteractive,
    read: ({ interactive }) => ({ type: 'interactive', interactive: asRecord(interactive) }),
  },
  // The template itself says what a message of it needs: template-checks.ts.
  template: { check: () => undefined },
  contacts: {
    check: checkContacts,
    read: ({ contacts }) => ({ type: 'contacts', contacts: asArray(contacts).map(asRecord) }),
  },
  reaction: {
    check: checkReaction,
    read: () => ({ type: 'reaction', messageId: '', emoji: '' }),
  },
};

/** A map, because a message may name any word as its type. */
const messageTypes = new Map(Object.entries(types));

/**
 * The provider's refusal of a malformed message, before it looks at templates. Its limits are those that
 * the service checks before it charges a caller.
 */
export const checkMessage = (message: Json): GraphAnswer | undefined => {
  if (message.messaging_product !== 'whatsapp') return missing('messaging_product');
  const to = asDigits(message.to);
  if (to === null && message.recipient === undefined) return missing('to');
  if (to === null && asUserId(message.recipient) === null)
    return invalid('recipient is no user id');
  if (to !== null && (to.length < 5 || to.length > 20)) {
    return invalid('to is not a telephone number');
  }
  const data = message.biz_opaque_callback_data;
  if (data !== undefined && (typeof data !== 'string' || data.length > DATA_LENGTH_MAX)) {
    return invalid('biz_opaque_callback_data is not a text of up to 512 characters');
  }
  const name = asText(message.type) ?? 'text';
  const type = messageTypes.get(name);
  if (!type) return graphError(131051, { details: `type ${name} is not supported` });
  const refusal = type.check(message);
  if (refusal || !type.read) return refusal;
  const broken = brokenRule(type.read(message), { isReply: message.context !== undefined });
  return broken === undefined ? undefined : invalid(broken);
};

/** The answer to a read receipt, which may show the customer that a reply is being written. */
export const answerReceipt = (receipt: Json): GraphAnswer => {
  if (receipt.messaging_product !== 'whatsapp') return missing('messaging_product');
  if (asText(receipt.message_id) === null) return missing('message_id');
  const { typing_indicator: typing } = receipt;
  if (typing !== undefined && asRecord(typing).type !== 'text') {
    return invalid("typing_indicator['type'] must be text");
  }
  return ok({ success: true });
};
