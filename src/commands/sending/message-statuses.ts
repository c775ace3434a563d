import { isDeepStrictEqual } from 'node:util';
import { locateCharge } from '../../events/charge-form.ts';
import type { FactOf } from '../../events/define.ts';
import {
  ChargeClaimed,
  isOfNumber,
  type MessageFact,
  type MessageSent,
  type Pricing,
  StatusUpdated,
  statusRank,
} from '../../events/message.ts';
import type { ToldStatus } from '../../provider/webhook/status-envelope.ts';
import { Rejected } from '../inbound/rejected.ts';
import { billedCategory } from '../pricing/template-category.ts';
import type { ShownRecipient } from './recipient.ts';

// What the stream of a message refuses, for callers that know another way.

/** The message has no record of its send: the caller looks for its charge. */
export class Unrecorded extends Error {
  constructor(messageRef: string) {
    super(`the send of ${messageRef} is not recorded`);
    this.name = 'Unrecorded';
  }
}

/** The status holds personal data of the message's contact: the caller looks for its data key. */
export class NeedsSubject extends Error {
  readonly accountId: string;
  readonly contactRef: string;
  constructor({ accountId, contactRef }: { accountId: string; contactRef: string }) {
    super(`the data key of ${contactRef} is needed`);
    this.name = 'NeedsSubject';
    this.accountId = accountId;
    this.contactRef = contactRef;
  }
}

/** The message is recorded under a user id: the caller looks for the contact that has it now. */
export class HiddenRecipient extends Error {
  readonly sent: FactOf<typeof MessageSent>['data'];
  constructor(sent: FactOf<typeof MessageSent>['data']) {
    super(`${sent.messageRef} was sent to a user id`);
    this.name = 'HiddenRecipient';
    this.sent = sent;
  }
}

/** The id belongs to a message of another charge or of a customer. */
export class IdTaken extends Error {
  constructor(messageRef: string) {
    super(`the id of ${messageRef} is that of another message already`);
    this.name = 'IdTaken';
  }
}

/** The id is that of another message. */
export const foreign = (text: string): Rejected => new Rejected('foreign_message', text);

// The rules of the statuses of one message, which may come twice, late, or before its record.

export type SentRecord = FactOf<typeof MessageSent>['data'];
export type StatusRecord = FactOf<typeof StatusUpdated>['data'];
export type ChargeClaim = FactOf<typeof ChargeClaimed>['data'];

/** A status, and whose message it may be. */
export interface StatusUpdate extends ToldStatus {
  messageRef: string;
  /** At first the account that the number is linked to now. */
  accountId: string;
}

type Heard = Pick<StatusRecord, 'status' | 'recipient' | 'pricing'>;
type Early = Heard & Pick<StatusRecord, 'phoneNumberId'>;

/** The sum of the recorded statuses. */
export interface Delivery {
  /** Every recorded status. */
  seen: readonly string[];
  /** The highest of them by rank; null before the first. */
  status: string | null;
  /** Whether it failed before a proof of delivery; later statuses do not change this. */
  failed: boolean;
  /** The first category that the provider named in a status, and the status that named it. */
  billed: { category: NonNullable<ReturnType<typeof billedCategory>>; status: string } | null;
  /** The newest pricing that a status had. */
  pricing: Pricing | null;
  /** The newest user id that a status showed. */
  userId: string | null;
}

/** What statuses need to know of their message. */
export interface StatusesState extends Delivery {
  sent: SentRecord | null;
  /** Statuses that came before the record of the send, from any number. */
  early: readonly Early[];
  /** The charge that such a status claims, until the claim is decided. */
  chargeClaim: ChargeClaim | null;
  /** Set where a customer's message has the id. */
  inbound: unknown;
}

export interface RecordStatus {
  type: 'RecordStatus';
  update: StatusUpdate;
  /** The charge that the status claims, if the claim is still to be decided. */
  chargeClaim?: ChargeClaim | undefined;
  /** Throws Unrecorded when there is no record of the send. */
  needsRecord?: boolean;
  /** The recipient of today. Throws HiddenRecipient where it is absent and needed. */
  contactRef?: string;
  /**
   * The contact whose data key the context has; null where that is destroyed, and what is personal
   * is left out. Throws NeedsSubject where it is absent and needed.
   */
  sealedFor?: string | null;
}

/** Statuses of one message before its record, and after it; the provider has about ten. */
const STATUSES_MAX = 40;

/** The ids that a status shows; null where it shows none. */
export const shownIn = ({ recipientWaId: waId, recipientUserId: userId }: ShownRecipient) =>
  waId === null && userId === undefined ? null : { waId, ...(userId !== undefined && { userId }) };

export const hear = (
  { seen, status: before, failed, billed, pricing: known, userId }: Delivery,
  { status, recipient, pricing: told = 'unchanged' }: Heard,
): Delivery => {
  const pricing = told === 'unchanged' ? known : told;
  const category = billedCategory(pricing);
  const higher = statusRank(status) > statusRank(before);
  return {
    seen: [...seen, status],
    status: higher ? status : before,
    failed: failed || (higher && status === 'failed'),
    billed: billed ?? (category === undefined ? null : { category, status }),
    pricing,
    userId: recipient?.userId ?? userId,
  };
};

export const unheard: Delivery = {
  seen: [],
  status: null,
  failed: false,
  billed: null,
  pricing: null,
  userId: null,
};

/** The fields of a status that are stored as the provider tells them. */
const toldIn = ({ messageRef, phoneNumberId, status, statusAt, ...rest }: StatusUpdate) => {
  const { chargeId, errorCode } = rest;
  // What is no id of ours is another program's text, which may name a person.
  const isCharge = chargeId !== null && locateCharge(chargeId) !== undefined;
  return {
    messageRef,
    phoneNumberId,
    status,
    statusAt,
    ...(isCharge && { chargeId }),
    ...(errorCode !== null && { errorCode }),
  };
};

/** What is personal in a status; throws where it cannot be sealed yet. */
const personalIn = (
  personal: Pick<StatusRecord, 'messageId' | 'recipient' | 'errorMessage'>,
  { sealedFor }: RecordStatus,
  of: { accountId: string; contactRef: string },
) => {
  if (Object.values(personal).every((value) => value === null)) return personal;
  if (sealedFor === null) return { messageId: null, recipient: null, errorMessage: null };
  if (sealedFor !== of.contactRef) throw new NeedsSubject(of);
  return personal;
};

/** A status that comes before the record of its message is kept, and waits for it. */
const keepEarly = (command: RecordStatus, state: StatusesState): MessageFact[] => {
  const { update, chargeClaim, sealedFor, contactRef = sealedFor ?? '' } = command;
  const facts: MessageFact[] = [];
  const { accountId, phoneNumberId, status, errorMessage, pricing } = update;
  const known = state.early.some(
    (one) => one.phoneNumberId === phoneNumberId && one.status === status,
  );
  if (!known && state.early.length >= STATUSES_MAX) {
    throw new Rejected('too_many', 'too many statuses for a message that is not known');
  }
  if (!known) {
    const of = { accountId, contactRef };
    const recipient = shownIn(update);
    const personal = { messageId: recipient && update.messageId, recipient, errorMessage };
    facts.push(
      StatusUpdated.of({
        ...toldIn(update),
        ...of,
        ...personalIn(personal, command, of),
        ...(pricing !== null && { pricing }),
      }),
    );
  }
  if (chargeClaim && !state.chargeClaim) facts.push(ChargeClaimed.of(chargeClaim));
  return facts;
};

/** The status of a recorded message, without what its record and earlier statuses tell. */
const ownStatus = (command: RecordStatus, state: StatusesState, sent: SentRecord): MessageFact => {
  const { update, contactRef = sent.contactRef } = command;
  if (sent.isHidden && command.contactRef === undefined) throw new HiddenRecipient(sent);
  const { recipientUserId: userId, chargeId, errorMessage, pricing } = update;
  const isNew = userId !== undefined && userId !== (state.userId ?? sent.recipient?.userId);
  const recipient = isNew ? { waId: null, userId } : null;
  const personal = { messageId: null, recipient, errorMessage };
  const of = { accountId: sent.accountId, contactRef };
  const isSame = pricing !== null && isDeepStrictEqual(pricing, state.pricing);
  return StatusUpdated.of({
    ...toldIn({ ...update, chargeId: chargeId === sent.chargeId ? null : chargeId }),
    ...of,
    ...personalIn(personal, command, of),
    ...(pricing !== null && { pricing: isSame ? ('unchanged' as const) : pricing }),
  });
};

export const recordStatus = (
  command: RecordStatus,
  state: StatusesState,
): readonly MessageFact[] => {
  const { update, needsRecord } = command;
  const { sent, seen } = state;
  if (state.inbound) throw foreign('the message id belongs to a message of a customer');
  if (needsRecord && !sent) throw new Unrecorded(update.messageRef);
  if (!sent) return keepEarly(command, state);
  if (!isOfNumber(sent, update)) {
    throw foreign('the message id belongs to a message of another number');
  }
  if (seen.includes(update.status)) return [];
  if (seen.length >= STATUSES_MAX) throw new Rejected('too_many', 'too many statuses');
  return [ownStatus(command, state, sent)];
};
