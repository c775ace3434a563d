import { z } from 'zod';
import { Category } from './category.ts';
import {
  packChargeId,
  packTime,
  unpackAccountId,
  unpackChargeId,
  unpackTime,
} from './charge-form.ts';
import { isUserId } from './contact.ts';
import { defineEvent, type FactOf, type Fields, type Form, type Upcast } from './define.ts';
import { personal } from './personal.ts';
import { shownIds, withRecipient } from './shown-ids.ts';
import { idInStream, partsOfId } from './streams.ts';

// The provider's id of a message holds the contact's number in base64, so it stands in no name, key or
// clear field. The pseudonym of a message does, which `Secrets` makes from the id.

/** The pseudonym of a message; in old logs the provider's id itself. */
export const messageRef = z.string();

/** What the name of a message's stream tells: its account and its pseudonym. */
const namedBy = (stream: string) => {
  const { accountId, rest: messageRef } = partsOfId(idInStream(stream, 'message'));
  return { accountId, messageRef };
};

/** Before messages had pseudonyms, their ids were in clear, in the data or in the name of the stream. */
export const withMessageRef: Upcast = (older, stream) => {
  const messageId = older.messageId ?? namedBy(stream).messageRef;
  return { ...older, messageId, messageRef: messageId };
};

/** The stream's name holds the message's pseudonym. */
const ofStream: Form = {
  pack: ({ messageRef: _, ...data }) => data,
  unpack: (stored, stream) => ({ messageRef: namedBy(stream).messageRef, ...stored }),
};

// What the provider says of its price in the statuses of a message.

/** The provider's pricing object, verbatim. */
export type Pricing = Readonly<Record<string, unknown>>;

/** The pricing of each of a message's statuses, in the order of the log; null where none was told yet. */
export const pricingsOf = (
  statuses: readonly { pricing?: Pricing | 'unchanged' | undefined }[],
): (Pricing | null)[] => {
  let newest: Pricing | null = null;
  return statuses.map(({ pricing }) => {
    if (pricing === undefined) return null;
    newest = pricing === 'unchanged' ? newest : pricing;
    return newest;
  });
};

/** Fields of today's pricing objects, in the order in which they are packed. */
const pricingFields = ['billable', 'pricing_model', 'type', 'category'];

/** Stands for `unchanged`. */
const UNCHANGED = 0;

/** Today's objects without the names of their fields. */
const packPricing = (pricing: unknown): unknown => {
  if (typeof pricing !== 'object' || pricing === null) return UNCHANGED;
  const isKnown = Object.keys(pricing).sort().join() === pricingFields.toSorted().join();
  return isKnown ? pricingFields.map((name) => (pricing as Pricing)[name]) : pricing;
};

const unpackPricing = (packed: unknown): unknown =>
  Array.isArray(packed)
    ? Object.fromEntries(pricingFields.map((name, index) => [name, packed[index]]))
    : packed === UNCHANGED
      ? 'unchanged'
      : packed;

// The stored forms of MessageSent and StatusUpdated, of which every message has several: the fields
// that all of them have stand without their names, in an array. A sealed part stands last, as the
// embedded log then keeps it as bytes. Older versions are unpacked too: they have the id of the account
// first, or the names of all fields.

/** The fields of an array, whose first one is the account's where it is as long as `older`. */
const fieldsOf = (packed: unknown[], older: number, stream: string): [string, unknown[]] =>
  packed.length === older
    ? [unpackAccountId(String(packed[0])), packed.slice(1)]
    : [namedBy(stream).accountId, packed];

const namedSent = (sent: unknown[], stream: string): Fields => {
  const [accountId, fields] = fieldsOf(sent, 5, stream);
  const [phoneNumberId, contactRef, charge, category] = fields;
  const chargeId = unpackChargeId(accountId, String(charge));
  return { accountId, phoneNumberId, contactRef, chargeId, category };
};

export const sentForm: Form = {
  pack({ accountId, phoneNumberId, contactRef, chargeId, category, ...data }) {
    const charge = packChargeId(String(accountId), String(chargeId));
    return { sent: [phoneNumberId, contactRef, charge, category], ...ofStream.pack(data) };
  },
  unpack({ sent, ...stored }, stream) {
    return {
      ...ofStream.unpack(stored, stream),
      ...(sent !== undefined && namedSent(sent as unknown[], stream)),
    };
  },
};

/** The provider tells whole seconds. */
const STATUS_UNIT_MS = 1000;

const namedStatus = (told: unknown[], stream: string): Fields => {
  const [accountId, fields] = fieldsOf(told, 5, stream);
  const [phoneNumberId, contactRef, status, at] = fields;
  return { accountId, phoneNumberId, contactRef, status, statusAt: unpackTime(at, STATUS_UNIT_MS) };
};

export const statusForm: Form = {
  pack({ accountId: _, phoneNumberId, contactRef, status, statusAt, pricing, ...data }) {
    const at = packTime(String(statusAt), STATUS_UNIT_MS);
    return {
      told: [phoneNumberId, contactRef, status, at],
      ...(pricing !== undefined && { pricing: packPricing(pricing) }),
      ...ofStream.pack(data),
    };
  },
  unpack({ told, pricing, ...stored }, stream) {
    return {
      ...ofStream.unpack(stored, stream),
      ...(told !== undefined && namedStatus(told as unknown[], stream)),
      ...(pricing !== undefined && { pricing: unpackPricing(pricing) }),
    };
  },
};

/**
 * The provider accepted a message. Everything else about the message is in its charge, which readers
 * of the log find in `charge` of the event.
 */
export const MessageSent = defineEvent(
  'MessageSent',
  z.object({
    messageRef,
    /** The provider's id of the message. */
    messageId: personal(z.string()),
    accountId: z.string(),
    /** The recipient; another one than that of the charge where the provider calls it otherwise. */
    contactRef: z.string(),
    phoneNumberId: z.string().nullable(),
    chargeId: z.string(),
    /** Of the price. */
    category: Category,
    /** Null where the charge tells the recipient's ids. */
    recipient: personal(shownIds),
    /** Recorded under a user id, which may turn out to be that of a known number. */
    isHidden: z.literal(true).optional(),
    /** The record was lost, and written from a status update. */
    recovered: z.literal(true).optional(),
    /** The highest status above `sent` that came before the record; absent for none. */
    heard: z.string().optional(),
    /** The provider's word where it accepted the message and holds it, such as paused. */
    providerStatus: z.string().optional(),
    /** Time of the provider's call in milliseconds; absent of a recovered record, and in versions before 9. */
    tookMs: z.int().min(0).optional(),
    /** The charge's movement and its revision, in versions before 4: audits compare them. */
    chargeAmount: z.int().optional(),
    chargeRevision: z.int().min(0).optional(),
  }),
  [
    // Version 1 has no providerStatus, version 2 no recipientUserId; version 3 repeats the charge.
    (v1) => v1,
    (v2) => v2,
    ({ intent, price, reservedAt: _, recovered, ...v3 }) => {
      const { phoneNumberId, to } = intent as { phoneNumberId: string | null; to: string };
      const isToldByCharge = v3.recipientWaId === to && v3.recipientUserId === undefined;
      return {
        ...withRecipient(v3),
        ...(isToldByCharge && { recipient: null }),
        phoneNumberId,
        category: (price as { category: unknown }).category,
        ...(recovered === true && { recovered }),
        ...(isUserId(String(v3.recipientWaId)) && { isHidden: true }),
      };
    },
    withMessageRef,
    // Version 5 has the names of all fields, versions 6 and 7 the id of the account.
    (v5) => v5,
    (v6) => v6,
    (v7) => v7,
    sentForm.unpack,
  ],
  sentForm,
);

/** The provider's delivery status. Unknown ones are stored and rank lowest. */
export const StatusUpdated = defineEvent(
  'StatusUpdated',
  z.object({
    messageRef,
    /** The provider's id, where the message has no record yet and the status shows its recipient. */
    messageId: personal(z.string()),
    /**
     * The message's own account; before the message is recorded, the account that the number was
     * linked to when the update came.
     */
    accountId: z.string(),
    phoneNumberId: z.string(),
    /** The recipient of the message; before the message is recorded, as the status shows it. */
    contactRef: z.string(),
    status: z.string(),
    statusAt: z.iso.datetime(),
    /** Ids that the status shows, and neither the message's record nor the status before. */
    recipient: personal(shownIds),
    /** Where the message has no record, or that of another charge. */
    chargeId: z.string().optional(),
    errorCode: z.string().optional(),
    errorMessage: personal(z.string()),
    /** Absent where the provider gave none; `unchanged` where the status before has the same. */
    pricing: z.union([z.record(z.string(), z.unknown()), z.literal('unchanged')]).optional(),
  }),
  [
    // Version 1 has neither recipientUserId nor contact; version 2 has the ids in clear.
    (v1) => v1,
    ({ contact, chargeId, errorCode, pricing, ...v2 }) => ({
      ...withRecipient(v2),
      ...(contact !== undefined && { contactRef: contact }),
      ...(chargeId !== null && { chargeId }),
      ...(errorCode !== null && { errorCode }),
      ...(pricing !== null && { pricing }),
    }),
    withMessageRef,
    // Version 4 has the names of all fields, versions 5 and 6 the id of the account.
    (v4) => v4,
    (v5) => v5,
    statusForm.unpack,
  ],
  statusForm,
);

/**
 * A status of a message without a record names this charge. The claim is decided once the send of
 * that charge must have ended.
 */
export const ChargeClaimed = defineEvent(
  'ChargeClaimed',
  z.object({
    messageRef,
    /** The provider's id of the message, which the record of it needs. */
    messageId: personal(z.string()),
    chargeId: z.string(),
    accountId: z.string(),
    phoneNumberId: z.string(),
    contactRef: z.string(),
    /** The ids that the status shows; null where it shows none. */
    recipient: personal(shownIds),
    /** When the charge was reserved. */
    reservedAt: z.iso.datetime(),
  }),
  // Version 1 has no recipientUserId; version 2 has the ids in clear.
  [(v1) => v1, withRecipient, withMessageRef],
  ofStream,
);

/** The charge has another message. The dead letters hold the statuses of the claim. */
export const ChargeClaimRefused = defineEvent(
  'ChargeClaimRefused',
  z.object({ messageRef, chargeId: z.string(), accountId: z.string() }),
  [withMessageRef],
  ofStream,
);

/** An inbound message has this id, which has no meaning at other numbers from now on. */
export const InboundIdClaimed = defineEvent(
  'InboundIdClaimed',
  z.object({
    messageRef,
    accountId: z.string(),
    phoneNumberId: z.string(),
    /**
     * The contact whose conversation takes the message, also when it comes again under another id of
     * that contact; null in version 1.
     */
    contactRef: z.string().nullable(),
  }),
  // Before contacts had pseudonyms, their ids named them.
  [
    (v1) => ({ ...v1, contact: null }),
    ({ contact, ...v2 }) => ({ ...v2, contactRef: contact }),
    withMessageRef,
  ],
  ofStream,
);

/** The account marked a customer's message as read, and the provider showed it to the customer. */
export const MessageMarkedRead = defineEvent(
  'MessageMarkedRead',
  z.object({ messageRef, accountId: z.string(), phoneNumberId: z.string() }),
  [withMessageRef],
  ofStream,
);

export const messageEvents = [
  MessageSent,
  StatusUpdated,
  ChargeClaimed,
  ChargeClaimRefused,
  InboundIdClaimed,
  MessageMarkedRead,
] as const;
export type MessageFact = FactOf<(typeof messageEvents)[number]>;

/** The delivery statuses that messages show, the lowest first. */
export const deliveryStatuses = ['sent', 'failed', 'delivered', 'read'] as const;

/** Rank of a delivery status: the highest one wins. Unknown ones rank lowest. */
export const statusRank = (status: string | null): number =>
  (deliveryStatuses as readonly (string | null)[]).indexOf(status) + 1;

/**
 * Whether an item that arrived at a number concerns this message: the number sent it. The number may
 * have moved to another account since; the message stays with its account.
 */
export const isOfNumber = (
  sent: Pick<FactOf<typeof MessageSent>['data'], 'phoneNumberId'>,
  { phoneNumberId }: { phoneNumberId: string },
): boolean => sent.phoneNumberId === null || sent.phoneNumberId === phoneNumberId;
