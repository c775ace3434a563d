import { isUserId } from '../../events/contact.ts';
import type { FactOf } from '../../events/define.ts';
import {
  ChargeClaimed,
  ChargeClaimRefused,
  isOfNumber,
  type MessageFact,
  MessageSent,
  StatusUpdated,
  statusRank,
} from '../../events/message.ts';
import type { Decider } from '../core/decider.ts';
import { Rejected } from '../inbound/rejected.ts';
import { billedCategory } from '../pricing/template-category.ts';
import { claimInboundId, type InboundId, type InboundState, noteRead } from './inbound-id.ts';
import { HiddenRecipient, IdTaken, Unrecorded } from './message-errors.ts';

export type SentRecord = FactOf<typeof MessageSent>['data'];
export type StatusRecord = FactOf<typeof StatusUpdated>['data'];
export type ChargeClaim = FactOf<typeof ChargeClaimed>['data'];

type Early = Pick<StatusRecord, 'accountId' | 'phoneNumberId' | 'status' | 'pricing'>;

/** The sum of the recorded statuses. */
interface Delivery {
  /** Every recorded status. */
  seen: readonly string[];
  /** The highest of them by rank; null before the first. */
  status: string | null;
  /** Whether it failed before a proof of delivery; later statuses do not change this. */
  failed: boolean;
  /** The first category that the provider named in a status, and the status that named it. */
  billed: { category: NonNullable<ReturnType<typeof billedCategory>>; status: string } | null;
}

export interface MessageState extends Delivery, InboundState {
  sent: SentRecord | null;
  /** Statuses that came before the record of the send, from any number. */
  early: readonly Early[];
  /** The charge that such a status claims, until the claim is decided. */
  claim: ChargeClaim | null;
}

export type MessageCommand =
  | { type: 'RecordSent'; record: SentRecord }
  | {
      type: 'RecordStatus';
      update: StatusRecord;
      /** The charge that the status claims, if the claim is still to be decided. */
      claim?: ChargeClaim | undefined;
      /** Throws Unrecorded when there is no record of the send. */
      needsRecord?: boolean;
      /** The recipient's id of today. Throws HiddenRecipient where it is absent and needed. */
      contact?: string;
    }
  | { type: 'RefuseClaim'; chargeId: string }
  /** Takes the id for a customer's message, once for one account and number. */
  | { type: 'ClaimInboundId'; owner: InboundId }
  /** The provider has shown the customer that the account read this message. */
  | { type: 'NoteRead'; owner: InboundId };

/** Statuses of one message before its record, and after it; the provider has about ten. */
const STATUSES_MAX = 40;

const foreign = (text: string) => new Rejected('foreign_message', text);

const hear = (
  { seen, status: before, failed, billed }: Delivery,
  { status, pricing }: Pick<StatusRecord, 'status' | 'pricing'>,
): Delivery => {
  const category = billedCategory(pricing);
  const higher = statusRank(status) > statusRank(before);
  return {
    seen: [...seen, status],
    status: higher ? status : before,
    failed: failed || (higher && status === 'failed'),
    billed: billed ?? (category === undefined ? null : { category, status }),
  };
};

const unheard: Delivery = { seen: [], status: null, failed: false, billed: null };

const initial: MessageState = {
  ...unheard,
  ...{ sent: null, early: [], claim: null, inbound: null, markedRead: false },
};

const evolve = (state: MessageState, fact: MessageFact): MessageState => {
  switch (fact.type) {
    case 'MessageSent': {
      // An old log may hold a second record; the first one counts.
      if (state.sent) return state;
      const own = state.early.filter((one) => isOfNumber(fact.data, one));
      const heard = own.reduce(hear, unheard);
      return { ...state, ...heard, sent: fact.data, early: [], claim: null };
    }
    case 'StatusUpdated': {
      const { accountId, phoneNumberId, status, pricing } = fact.data;
      if (!state.sent) {
        const early = { accountId, phoneNumberId, status, pricing };
        return { ...state, early: [...state.early, early] };
      }
      return isOfNumber(state.sent, fact.data) ? { ...state, ...hear(state, fact.data) } : state;
    }
    case 'ChargeClaimed':
      return { ...state, claim: fact.data };
    case 'ChargeClaimRefused':
      return { ...state, claim: null };
    case 'InboundIdClaimed':
      return { ...state, inbound: fact.data };
    case 'MessageMarkedRead':
      return { ...state, markedRead: true };
  }
};

type RecordStatus = Extract<MessageCommand, { type: 'RecordStatus' }>;

/** A status that comes before the record of its message is kept, and waits for it. */
const keepEarly = ({ update, claim }: RecordStatus, state: MessageState): MessageFact[] => {
  const facts: MessageFact[] = [];
  const { phoneNumberId, status } = update;
  const known = state.early.some(
    (one) => one.phoneNumberId === phoneNumberId && one.status === status,
  );
  if (!known && state.early.length >= STATUSES_MAX) {
    throw new Rejected('too_many', 'too many statuses for a message that is not known');
  }
  if (!known) facts.push(StatusUpdated.of(update));
  if (claim && !state.claim) facts.push(ChargeClaimed.of(claim));
  return facts;
};

/** The status of a recorded message, without what its record tells. */
const ownStatus = ({ update, contact }: RecordStatus, sent: SentRecord): MessageFact => {
  if (isUserId(sent.recipientWaId) && contact === undefined) throw new HiddenRecipient(sent);
  const { recipientUserId, ...rest } = update;
  const of = contact ?? sent.recipientWaId;
  return StatusUpdated.of({
    ...rest,
    // The number may be another account's by now.
    accountId: sent.accountId,
    ...(recipientUserId !== undefined &&
      recipientUserId !== sent.recipientUserId && { recipientUserId }),
    ...(of !== update.recipientWaId && { contact: of }),
  });
};

const recordStatus = (command: RecordStatus, state: MessageState): readonly MessageFact[] => {
  const { update, needsRecord } = command;
  const { sent, seen } = state;
  if (state.inbound) throw foreign('the message id belongs to a message of a customer');
  if (needsRecord && !sent) throw new Unrecorded(update.messageId);
  if (!sent) return keepEarly(command, state);
  if (!isOfNumber(sent, update)) {
    throw foreign('the message id belongs to a message of another account or number');
  }
  if (seen.includes(update.status)) return [];
  if (seen.length >= STATUSES_MAX) throw new Rejected('too_many', 'too many statuses');
  return [ownStatus(command, sent)];
};

const recordSent = ({ record }: { record: SentRecord }, state: MessageState): MessageFact[] => {
  if (state.sent?.chargeId === record.chargeId) return [];
  if (state.sent || state.inbound) throw new IdTaken(record.messageId);
  return [MessageSent.of(record)];
};

/**
 * One message under the provider's id, which belongs to one account and number, in one direction.
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
      case 'RefuseClaim': {
        const { claim } = state;
        if (claim?.chargeId !== command.chargeId) return [];
        const { messageId, chargeId, accountId } = claim;
        return [ChargeClaimRefused.of({ messageId, chargeId, accountId })];
      }
      case 'ClaimInboundId':
        return claimInboundId(command.owner, state);
      case 'NoteRead':
        return noteRead(command.owner, state);
    }
  },
};
