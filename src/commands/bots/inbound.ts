import { type FlowReply, flowIn } from '../../events/conversation.ts';

/** An inbound message as a bot sees it. */
export interface Inbound {
  /** Null for a preference, which is no message. */
  messageId: string | null;
  /** Revision of its event in the conversation's stream. */
  revision: number;
  kind: 'message' | 'button' | 'list' | 'resume';
  /** The text that the contact wrote or tapped; may be empty. */
  text: string;
  /** Id of the tapped button or row. */
  choice: string | null;
  /** The reply to a flow; absent of other messages. */
  flow?: FlowReply;
}

/** A longer text is cut. The provider's own limit is half of this. */
const TEXT_LENGTH_MAX = 8192;

/** Types of messages that bots answer. Reactions and notices of the provider are not. */
const SPOKEN = new Set([
  'text',
  'interactive',
  'button',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'order',
]);

type Json = Readonly<Record<string, unknown>>;

const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

const words = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, TEXT_LENGTH_MAX).toWellFormed() : '';

const idOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const readInteractive = (interactive: Json): Pick<Inbound, 'kind' | 'text' | 'choice'> => {
  const button = object(interactive.button_reply);
  const row = object(interactive.list_reply);
  switch (interactive.type) {
    case 'button_reply':
      return { kind: 'button', text: words(button.title), choice: idOf(button.id) };
    case 'list_reply':
      return { kind: 'list', text: words(row.title), choice: idOf(row.id) };
    default:
      return { kind: 'message', text: '', choice: null };
  }
};

/**
 * Reads the provider's message object; undefined for types that bots do not answer. A quick reply on
 * a template counts as a tapped button whose id is the payload.
 */
export const readInbound = (
  message: Json,
  { messageId, revision }: Pick<Inbound, 'messageId' | 'revision'>,
): Inbound | undefined => {
  const { type } = message;
  if (typeof type !== 'string' || !SPOKEN.has(type)) return undefined;
  const base = { messageId, revision };
  const part = object(message[type]);
  switch (type) {
    case 'interactive': {
      const flow = flowIn(message);
      return { ...base, ...readInteractive(part), ...(flow && { flow }) };
    }
    case 'button':
      return { ...base, kind: 'button', text: words(part.text), choice: idOf(part.payload) };
    default:
      return { ...base, kind: 'message', text: words(part.body ?? part.caption), choice: null };
  }
};
