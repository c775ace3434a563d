import type { MediaKind } from '../../events/content.ts';
import { asDigits, asText, type Json } from '../shape.ts';
import { changeUserId, contactOf, setHidden } from './contacts.ts';
import type { Hooks } from './hooks.ts';
import { describeMedia, keepMedia } from './media.ts';
import type { MediaFault } from './media-file.ts';
import { newMessageId } from './messages.ts';
import type { Scenario } from './scenarios.ts';
import { numberPayload, type Outgoing } from './statuses.ts';
import type { Timers } from './timers.ts';
import { numberOf, remember, type World } from './world.ts';

/** A file as a customer sends it; its content is in base64. */
interface CustomerFile {
  kind: string;
  mimeType: string;
  content: string;
  caption?: string;
  filename?: string;
}

const text = (content: string): string => Buffer.from(content).toString('base64');

/** A short file of each kind. */
const sampleFiles: Readonly<Record<MediaKind, CustomerFile>> = {
  image: {
    kind: 'image',
    mimeType: 'image/png',
    content:
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    caption: 'This is how it arrived',
  },
  sticker: {
    kind: 'sticker',
    mimeType: 'image/webp',
    content: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
  },
  video: {
    kind: 'video',
    mimeType: 'video/mp4',
    content: text('\0\0\0\u0018ftypisom\0\0\u0002\0isommp42\0\0\0\bfree'),
  },
  audio: {
    kind: 'audio',
    mimeType: 'audio/ogg; codecs=opus',
    content: text(`OggS\0\u0002${'\0'.repeat(21)}`),
  },
  document: {
    kind: 'document',
    mimeType: 'application/pdf',
    content: text('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
    filename: 'receipt.pdf',
  },
};

/** One action of a customer: exactly one of the first six keys. */
export interface Inbound {
  text?: string;
  /** A tap on a reply button of an interactive message. */
  button?: { id: string; title: string };
  /** A choice from a list. */
  row?: { id: string; title: string; description?: string };
  /** A tap on a quick-reply button of a template. */
  quickReply?: { payload: string; text: string };
  media?: CustomerFile & { fault?: MediaFault | undefined };
  /** Any other message object, such as `{ type: 'image', image: { … } }`. */
  message?: Json;
  phoneNumberId: string;
  name?: string;
  /** Given twice, it sends the same message twice. */
  messageId?: string;
  /** The message that this one answers; for a tap or a choice the last one to the customer, if absent. */
  contextMessageId?: string;
}

/** The HTTP status that the service answered with; null without an answer. */
interface InboundResult {
  messageId: string;
  status: number | null;
}

const contentOf = (world: World, inbound: Inbound): Json => {
  const { text, button, row, quickReply, media, message, phoneNumberId } = inbound;
  if (media) {
    const { kind, mimeType, content, fault, ...words } = media;
    const file = { phoneNumberId, mimeType, content: Buffer.from(content, 'base64'), fault };
    return { type: kind, [kind]: { ...describeMedia(keepMedia(world, file)), ...words } };
  }
  if (text !== undefined) return { type: 'text', text: { body: text } };
  if (button) {
    return { type: 'interactive', interactive: { type: 'button_reply', button_reply: button } };
  }
  if (row) return { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } };
  if (quickReply) return { type: 'button', button: quickReply };
  if (message) return message;
  throw new Error('an inbound message needs text, button, row, quickReply, media or message');
};

/** The message that an inbound one answers; undefined for one of its own. */
const answeredBy = (
  world: World,
  { contextMessageId, button, row, quickReply, phoneNumberId }: Inbound,
  from: string,
): string | undefined => {
  const isTap = (button ?? row ?? quickReply) !== undefined;
  if (contextMessageId || !isTap) return contextMessageId || undefined;
  const last = world.sends.findLast(
    (send) => send.messageId !== null && send.to === from && send.phoneNumberId === phoneNumberId,
  );
  // A tap always names a message. Without one to this customer the id is made up.
  return (
    last?.messageId ?? newMessageId(world, { contact: from, phoneNumberId, direction: 'outbound' })
  );
};

/** A change of a customer's ids. */
export interface ContactChange {
  /** Whether webhooks show the user id alone. */
  hidden?: boolean;
  /** The number that is notified of the customer's new user id. */
  changeUserIdAt?: string;
}

/** Customers, who send inbound messages. */
export const createCustomers = (world: World, hooks: Pick<Hooks, 'post'>) => ({
  async inbound(sender: string, inbound: Inbound): Promise<InboundResult> {
    const from = asDigits(sender);
    const number = numberOf(world, inbound.phoneNumberId);
    if (from === null || !number) throw new Error('no such sender or number');
    const { phoneNumberId } = number;
    const messageId =
      asText(inbound.messageId) ??
      newMessageId(world, { contact: from, phoneNumberId, direction: 'inbound' });
    const answered = answeredBy(world, inbound, from);
    const { userId, hidden } = contactOf(world, from);
    const message = {
      ...(!hidden && { from }),
      from_user_id: userId,
      id: messageId,
      timestamp: String(Math.floor(world.clock.now() / 1000)),
      ...contentOf(world, inbound),
      ...(answered && {
        context: { from: number.displayPhoneNumber.replaceAll(/\D/g, ''), id: answered },
      }),
    };
    remember(world.inboundAt, `${phoneNumberId} ${from}`, world.clock.now());
    remember(world.inboundIds, messageId, true);
    const ids = { ...(!hidden && { wa_id: from }), user_id: userId };
    const contacts = [{ profile: { name: inbound.name ?? 'Customer' }, ...ids }];
    const payload = numberPayload(number, { contacts, messages: [message] });
    return { messageId, status: await hooks.post(payload) };
  },
  /** Hides or shows a customer's number, or gives the customer another user id. */
  async setContact(customer: string, { hidden, changeUserIdAt }: ContactChange) {
    const digits = asDigits(customer);
    if (digits === null) throw new Error('no such customer');
    if (hidden !== undefined) setHidden(world, digits, hidden);
    if (changeUserIdAt === undefined) return { ...contactOf(world, digits), status: null };
    const number = numberOf(world, changeUserIdAt);
    if (!number) throw new Error('no such number');
    const { phoneNumberId } = number;
    const id = newMessageId(world, { contact: digits, phoneNumberId, direction: 'inbound' });
    const timestamp = String(Math.floor(world.clock.now() / 1000));
    const message = { id, timestamp, ...changeUserId(world, digits) };
    const status = await hooks.post(numberPayload(number, { messages: [message] }));
    return { ...contactOf(world, digits), status };
  },
});

/** Lets the customer of a scenario answer with a file once the message has been read. */
export const answersWithFiles =
  (world: World, customers: ReturnType<typeof createCustomers>, timers: Timers) =>
  ({ number, messageId, waId }: Outgoing, { sendsFile, fileFault }: Scenario): void => {
    const { webhookUrl, timings } = world.settings;
    if (sendsFile === undefined || webhookUrl === null || waId === null) return;
    timers.after(2 * timings.readMs, () => {
      void customers.inbound(waId, {
        phoneNumberId: number.phoneNumberId,
        media: { ...sampleFiles[sendsFile], fault: fileFault },
        contextMessageId: messageId,
      });
    });
  };
