import type { FactOf } from '../../events/define.ts';
import {
  ChargeClaimRefused,
  InboundIdClaimed,
  isOfNumber,
  type MessageFact,
  MessageMarkedRead,
  MessageSent,
  statusRank,
} from '../../events/message.ts';
import type { Decider } from '../core/decider.ts';
import {
  foreign,
  hear,
  IdTaken,
  type RecordStatus,
  recordStatus,
  type SentRecord,
  type StatusesState,
  unheard,
} from './message-statuses.ts';

// The rules of a customer's message in the stream of its id.

type InboundId = FactOf<typeof InboundIdClaimed>['data'];

/** What the stream of an id tells about a customer's message. */
interface InboundState {
  /** Set where a customer's message has this id. */
  inbound: InboundId | null;
  /** Whether the account has marked that message as read. */
  markedRead: boolean;
}

const isOwner = ({ inbound }: InboundState, { phoneNumberId }: InboundId) =>
  inbound?.phoneNumberId === phoneNumberId;

const claimInboundId = (
  owner: InboundId,
  state: InboundState & { sent: unknown },
): MessageFact[] => {
  if (state.sent) throw foreign('the message id belongs to a message that was sent');
  if (!state.inbound) return [InboundIdClaimed.of(owner)];
  if (isOwner(state, owner)) return [];
  throw foreign('the message id belongs to a message at another number');
};

/** Recorded once: a repeated receipt changes nothing. */
const noteRead = (owner: InboundId, state: InboundState): MessageFact[] => {
  if (!isOwner(state, owner)) throw foreign('no customer sent this message to the number');
  return state.markedRead ? [] : [MessageMarkedRead.of(owner)];
};

export type MessageState = StatusesState & InboundState;

type MessageCommand =
  | { type: 'RecordSent'; record: SentRecord }
  | RecordStatus
  | { type: 'RefuseChargeClaim'; chargeId: string }
  /** Takes the id for a customer's message, once for one account and number. */
  | { type: 'ClaimInboundId'; owner: InboundId }
  /** The provider has shown the customer that the account read this message. */
  | { type: 'NoteRead'; owner: InboundId };

const initial: MessageState = {
  ...unheard,
  sent: null,
  early: [],
  chargeClaim: null,
  inbound: null,
  markedRead: false,
};

const evolve = (state: MessageState, fact: MessageFact): MessageState => {
  switch (fact.type) {
    case 'MessageSent': {
      // An old log may hold a second record; the first one counts.
      if (state.sent) return state;
      const own = state.early.filter((one) => isOfNumber(fact.data, one));
      const heard = own.reduce(hear, unheard);
      return { ...state, ...heard, sent: fact.data, early: [], chargeClaim: null };
    }
    case 'StatusUpdated': {
      const { phoneNumberId, status, recipient, pricing } = fact.data;
      if (!state.sent) {
        const heard = { status, recipient, ...(pricing && { pricing }) };
        const early = { phoneNumberId, ...heard };
        return { ...state, early: [...state.early, early] };
      }
      return isOfNumber(state.sent, fact.data) ? { ...state, ...hear(state, fact.data) } : state;
    }
    case 'ChargeClaimed':
      return { ...state, chargeClaim: fact.data };
    case 'ChargeClaimRefused':
      return { ...state, chargeClaim: null };
    case 'InboundIdClaimed':
      return { ...state, inbound: fact.data };
    case 'MessageMarkedRead':
      return { ...state, markedRead: true };
  }
};

const withHeard = (record: SentRecord, { early }: MessageState): SentRecord => {
  const own = early.filter((one) => isOfNumber(record, one));
  const { status } = own.reduce(hear, unheard);
  const isNews = status !== null && statusRank(status) > statusRank('sent');
  return isNews ? { ...record, heard: status } : record;
};

const recordSent = ({ record }: { record: SentRecord }, state: MessageState): MessageFact[] => {
  if (state.sent?.chargeId === record.chargeId) return [];
  if (state.sent || state.inbound) throw new IdTaken(record.messageRef);
  return [MessageSent.of(state.early.length === 0 ? record : withHeard(record, state))];
};

/**
 * One message of an account under its pseudonym, of one number and in one direction.
 * Statuses may come twice, late, or before the record of the send.
 */
export const messageDecider: Decider<MessageState, MessageCommand, MessageFact> = {
  category: 'message',
  initial,
  evolve,
  decide(command, state) {
    switch (command.type) {
      case 'RecordSent':
        return recordSent(command, state);
      case 'RecordStatus':
        return recordStatus(command, state);
      case 'RefuseChargeClaim': {
        const { chargeClaim } = state;
        if (chargeClaim?.chargeId !== command.chargeId) return [];
        const { messageRef, chargeId, accountId } = chargeClaim;
        return [ChargeClaimRefused.of({ messageRef, chargeId, accountId })];
      }
      case 'ClaimInboundId':
        return claimInboundId(command.owner, state);
      case 'NoteRead':
        return noteRead(command.owner, state);
    }
  },
};
