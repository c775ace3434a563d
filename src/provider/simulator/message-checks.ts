import { asArray, asDigits, asRecord, asText, isRecord, type Json } from '../shape.ts';
import { type GraphAnswer, graphError, ok } from './answers.ts';

const TEXT_LENGTH_MAX = 4096;
const TEXT_BODY_LENGTH_MAX = 1024;
const LABEL_LENGTH_MAX = 20;
const DATA_LENGTH_MAX = 512;
const CAPTION_LENGTH_MAX = 1024;
const CONTACTS_MAX = 257;

const missing = (path: string) =>
  graphError(100, { details: `The parameter ${path} is required.` });
const invalid = (details: string) => graphError(131009, { details });

const checkText = (text: Json): GraphAnswer | undefined => {
  const body = asText(text.body);
  if (body === null) return missing("text['body']");
  return body.length > TEXT_LENGTH_MAX ? invalid('text body is too long') : undefined;
};

const checkMedia = (type: string, media: Json): GraphAnswer | undefined => {
  const [id, link] = [asText(media.id), asText(media.link)];
  if (id === null && link === null) return missing(`${type}['id'] or ${type}['link']`);
  if (id !== null && link !== null) return invalid(`${type}: give id or link, not both`);
  if (link !== null && !/^https?:\/\//.test(link))
    return invalid(`${type}: link is not a web address`);
  const isSpoken = type === 'audio' || type === 'sticker';
  const caption = asText(media.caption);
  if (isSpoken && caption !== null) return invalid(`${type} takes no caption`);
  const isLong = (caption ?? '').length > CAPTION_LENGTH_MAX;
  return isLong ? invalid(`${type}: the caption is too long`) : undefined;
};

const checkLocation = (location: Json): GraphAnswer | undefined => {
  const [latitude, longitude] = [location.latitude, location.longitude].map(asText);
  if (latitude === null || longitude === null) return missing('location');
  const isOnEarth = Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
  return isOnEarth ? undefined : invalid('location is out of range');
};

const checkReplyButtons = (buttons: Json[]): GraphAnswer | undefined => {
  if (buttons.length < 1 || buttons.length > 3) return invalid('1 to 3 buttons are allowed');
  const replies = buttons.map((button) => asRecord(button.reply));
  const ids = new Set(replies.map((reply) => asText(reply.id)));
  const titles = new Set(replies.map((reply) => asText(reply.title)));
  if (ids.has(null) || titles.has(null)) return missing("button['reply']['id'] and ['title']");
  if (ids.size < replies.length || titles.size < replies.length) {
    return invalid('button ids and titles must differ');
  }
  const tooLong = replies.some((reply) => String(reply.title).length > LABEL_LENGTH_MAX);
  return tooLong ? invalid('a button title is too long') : undefined;
};

const checkList = (action: Json): GraphAnswer | undefined => {
  const label = asText(action.button);
  if (label === null) return missing("interactive['action']['button']");
  const rows = asArray(action.sections).flatMap((section) => asArray(asRecord(section).rows));
  if (rows.length < 1 || rows.length > 10) return invalid('1 to 10 rows are allowed');
  return label.length > LABEL_LENGTH_MAX ? invalid('the list button is too long') : undefined;
};

const checkInteractive = (interactive: Json): GraphAnswer | undefined => {
  const type = asText(interactive.type);
  if (type === null) return missing("interactive['type']");
  if (!isRecord(interactive.action)) return missing("interactive['action']");
  const body = asText(asRecord(interactive.body).text);
  if ((type === 'button' || type === 'list') && body === null) {
    return missing("interactive['body']['text']");
  }
  if ((body ?? '').length > TEXT_BODY_LENGTH_MAX) return invalid('the body is too long');
  if (type === 'button')
    return checkReplyButtons(asArray(interactive.action.buttons).map(asRecord));
  return type === 'list' ? checkList(interactive.action) : undefined;
};

const checkContacts = (contacts: unknown[]): GraphAnswer | undefined => {
  if (contacts.length < 1 || contacts.length > CONTACTS_MAX) {
    return invalid(`1 to ${CONTACTS_MAX} contacts are allowed`);
  }
  for (const contact of contacts) {
    const { formatted_name, ...others } = asRecord(asRecord(contact).name);
    if (asText(formatted_name) === null) return missing("contacts['name']['formatted_name']");
    const isNamed = Object.values(others).some((part) => asText(part) !== null);
    if (!isNamed) return invalid('a contact needs one more part of its name');
  }
  return undefined;
};

const checkReaction = (reaction: Json): GraphAnswer | undefined => {
  if (asText(reaction.message_id) === null) return missing("reaction['message_id']");
  return typeof reaction.emoji === 'string' ? undefined : missing("reaction['emoji']");
};

const unchecked = () => undefined;

/** The types of messages, and the check of the content of each. */
const contentChecks: Readonly<Record<string, (content: Json) => GraphAnswer | undefined>> = {
  text: checkText,
  location: checkLocation,
  interactive: checkInteractive,
  template: unchecked,
  reaction: checkReaction,
  ...Object.fromEntries(
    ['image', 'video', 'audio', 'document', 'sticker'].map((type) => [
      type,
      (media: Json) => checkMedia(type, media),
    ]),
  ),
};

/** The provider's refusal of a malformed message, before it looks at templates. */
export const checkMessage = (message: Json): GraphAnswer | undefined => {
  if (message.messaging_product !== 'whatsapp') return missing('messaging_product');
  const to = asDigits(message.to);
  if (to === null) return missing('to');
  if (to.length < 5 || to.length > 20) return invalid('to is not a telephone number');
  const type = asText(message.type) ?? 'text';
  const content = message[type];
  const data = message.biz_opaque_callback_data;
  if (data !== undefined && (typeof data !== 'string' || data.length > DATA_LENGTH_MAX)) {
    return invalid('biz_opaque_callback_data is not a text of up to 512 characters');
  }
  if (type === 'contacts') {
    return Array.isArray(content) ? checkContacts(content) : missing(type);
  }
  if (type === 'reaction' && message.context !== undefined) {
    return invalid('a reaction takes no context');
  }
  const check = contentChecks[type];
  if (!check) return graphError(131051, { details: `type ${type} is not supported` });
  if (!isRecord(content)) return missing(type);
  return check(content);
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
