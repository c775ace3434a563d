import { asDigits, asText, type Json } from '../shape.ts';
import type { Hooks } from './hooks.ts';
import { numberPayload } from './statuses.ts';
import { numberOf, remember, type World } from './world.ts';

/** What a customer does; exactly one of the first keys. */
export interface Inbound {
  text?: string;
  /** A tap on a reply button of an interactive message. */
  button?: { id: string; title: string };
  /** A choice from a list. */
  row?: { id: string; title: string; description?: string };
  /** A tap on a quick-reply button of a template. */
  quickReply?: { payload: string; text: string };
  /** Any other message object, such as `{ type: 'image', image: { … } }`. */
  message?: Json;
  phoneNumberId: string;
  name?: string;
  /** Given to send the same message twice. */
  messageId?: string;
  /** The message that this one answers. */
  contextMessageId?: string;
}

/** What became of an inbound message: the service's HTTP status, null when it did not answer. */
export interface InboundResult {
  messageId: string;
  status: number | null;
}

const contentOf = ({ text, button, row, quickReply, message }: Inbound): Json => {
  if (text !== undefined) return { type: 'text', text: { body: text } };
  if (button) {
    return { type: 'interactive', interactive: { type: 'button_reply', button_reply: button } };
  }
  if (row) return { type: 'interactive', interactive: { type: 'list_reply', list_reply: row } };
  if (quickReply) return { type: 'button', button: quickReply };
  if (message) return message;
  throw new Error('an inbound message needs text, button, row, quickReply or message');
};

/** The customers' side: messages that come in. */
export const createCustomers = (world: World, hooks: Hooks) => ({
  async inbound(sender: string, inbound: Inbound): Promise<InboundResult> {
    const from = asDigits(sender);
    const number = numberOf(world, inbound.phoneNumberId);
    if (from === null || !number) throw new Error('no such sender or number');
    const { phoneNumberId } = number;
    const messageId =
      asText(inbound.messageId) ??
      `wamid.${Buffer.from(`IN${from}.${world.clock.now()}.${world.nextId()}`).toString('base64')}`;
    const message = {
      from,
      id: messageId,
      timestamp: String(Math.floor(world.clock.now() / 1000)),
      ...contentOf(inbound),
      ...(inbound.contextMessageId && {
        context: {
          from: number.displayPhoneNumber.replaceAll(/\D/g, ''),
          id: inbound.contextMessageId,
        },
      }),
    };
    remember(world.inboundAt, `${phoneNumberId} ${from}`, world.clock.now());
    const contacts = [{ profile: { name: inbound.name ?? 'Customer' }, wa_id: from }];
    const payload = numberPayload(number, { contacts, messages: [message] });
    return { messageId, status: await hooks.post(payload) };
  },
});
