import type { FactOf } from '../../events/define.ts';
import { InboundIdClaimed, type MessageFact, MessageMarkedRead } from '../../events/message.ts';
import { Rejected } from '../inbound/rejected.ts';

// The rules of a customer's message in the stream of its id.

export type InboundId = FactOf<typeof InboundIdClaimed>['data'];

/** What the stream of an id tells about a customer's message. */
export interface InboundState {
  /** Set where a customer's message has this id. */
  inbound: InboundId | null;
  /** Whether the account has marked that message as read. */
  markedRead: boolean;
}

/** The id is that of another message. */
export const foreign = (text: string): Rejected => new Rejected('foreign_message', text);

const isOwner = ({ inbound }: InboundState, { phoneNumberId }: InboundId) =>
  inbound?.phoneNumberId === phoneNumberId;

export const claimInboundId = (
  owner: InboundId,
  state: InboundState & { sent: unknown },
): MessageFact[] => {
  if (state.sent) throw foreign('the message id belongs to a message that was sent');
  if (!state.inbound) return [InboundIdClaimed.of(owner)];
  if (isOwner(state, owner)) return [];
  throw foreign('the message id belongs to a message at another number');
};

/** Recorded once: a repeated receipt changes nothing. */
export const noteRead = (owner: InboundId, state: InboundState): MessageFact[] => {
  if (!isOwner(state, owner)) throw foreign('no customer sent this message to the number');
  return state.markedRead ? [] : [MessageMarkedRead.of(owner)];
};
