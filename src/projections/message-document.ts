import type { Category } from '../events/category.ts';
import type { Content, Intent } from '../events/content.ts';
import type { Outline } from '../events/intent.ts';
import type { Position } from '../events/store.ts';
import type { Destroyed } from './define.ts';
import {
  type Held,
  type HeldFields,
  heldBy,
  monthsOf,
  type SealedMonths,
  unlessDestroyed,
} from './sealed-fields.ts';

/** The state of the delivery. */
export interface Delivery<Status = string> {
  status: Status;
  statusTimestamp: Status;
  /** Both are filled while the status is `failed`, and null otherwise. */
  errorCode: string | null;
  errorMessage: string | null;
}

/** A message of the history. Fields of only one direction are null in the other. */
export interface MessageDocument extends Delivery<string | null>, SealedMonths {
  messageRef: string;
  recorded: true;
  /** The provider's id. Null once it was erased. */
  metaMessageId: string | null;
  accountId: string;
  phoneNumberId: string | null;
  /** The other party in the account at that time, in both directions. */
  contactRef: string;
  /** The recipient of the charge, where the provider calls the recipient otherwise. */
  otherRef?: string;
  /**
   * It names further contacts, so `content` and `contextMessageId` are null: they are read from the event
   * itself, the charge of an outbound message.
   */
  inLog?: { stream: string; revision: number };
  /** Something personal in it was erased. */
  erased?: true;
  contactUserId: string | null;
  direction: 'inbound' | 'outbound';
  recipientWaId: string | null;
  senderWaId: string | null;
  contactName: string | null;
  messageType: string;
  event: string | null;
  templateName: string | null;
  text: string | null;
  /** Our content of an outbound message; the provider's of an inbound one, verbatim. */
  content: Content | Readonly<Record<string, unknown>> | null;
  contextMessageId: string | null;
  category: Category | null;
  price: string | null;
  currency: string | null;
  /** Null on a wallet plan. */
  creditsCharged: number | null;
  clientReference: string | null;
  source: Intent['source'] | null;
  chargeId: string | null;
  /** The job that sent it; absent otherwise. */
  jobId?: string;
  /** The provider's word where it accepted the message and holds it; absent otherwise. */
  providerStatus?: string;
  /** Time of the provider's call in milliseconds; absent where it is not known. */
  tookMs?: number;
  createdAt: string;
  order: Position;
}

/**
 * A status that came before the record of its message, with the number that received it. The log alone
 * holds the text of its error, which may be personal.
 */
export interface EarlyStatus extends Omit<Delivery, 'errorMessage'> {
  phoneNumberId: string;
}

/**
 * Statuses that came before the record of their message. No account sees them. The record takes over
 * the status of the number that sent the message.
 */
export interface ParkedStatus {
  messageRef: string;
  recorded: false;
  accountId: null;
  order: null;
  /** The status in force of each number. */
  early: readonly EarlyStatus[];
}

/** Message type by the contract (2.6, 4.10): the kind of a media message. */
export const messageTypeOf = ({ type, mediaType }: Outline['content']): string => {
  if (type === 'notification') return 'template';
  return type === 'media' ? (mediaType ?? type) : type;
};

/** What is personal in a message, and under which month's key it lies. Null in the other direction. */
export type PersonalFields = HeldFields<
  | 'metaMessageId'
  | 'senderWaId'
  | 'contactUserId'
  | 'contactName'
  | 'text'
  | 'contextMessageId'
  | 'errorMessage'
> & {
  /** The recipient of an outbound message; of an inbound one it is the account's own number. */
  recipientWaId: Held | null;
  content: Held<NonNullable<MessageDocument['content']>> | null;
};

type Clear = Omit<MessageDocument, keyof PersonalFields | keyof SealedMonths>;

export const personalIn = (message: MessageDocument): PersonalFields => {
  const held = <T>(name: keyof PersonalFields, value: T | null) => heldBy(message, name, value);
  const { direction, recipientWaId, senderWaId, contactUserId, contactName } = message;
  return {
    metaMessageId: held('metaMessageId', message.metaMessageId),
    contextMessageId: held('contextMessageId', message.contextMessageId),
    recipientWaId: direction === 'outbound' ? held('recipientWaId', recipientWaId) : null,
    senderWaId: held('senderWaId', senderWaId),
    contactUserId: held('contactUserId', contactUserId),
    contactName: held('contactName', contactName),
    text: held('text', message.text),
    content: held('content', message.content),
    errorMessage: held('errorMessage', message.errorMessage),
  };
};

/** A document of its parts, its fields always in one order. `ownNumber` is the account's number that received an inbound message. */
export const composeMessage = (
  message: Clear & Partial<SealedMonths>,
  personal: PersonalFields,
  ownNumber: string | null = null,
): MessageDocument => {
  const { laterMonths: _, erased, ...rest } = message;
  const { recipientWaId, senderWaId, contactUserId, contactName } = personal;
  return {
    ...rest,
    metaMessageId: personal.metaMessageId?.value ?? null,
    contextMessageId: personal.contextMessageId?.value ?? null,
    recipientWaId: recipientWaId?.value ?? ownNumber,
    senderWaId: senderWaId?.value ?? null,
    contactUserId: contactUserId?.value ?? null,
    contactName: contactName?.value ?? null,
    text: personal.text?.value ?? null,
    content: personal.content?.value ?? null,
    errorMessage: personal.errorMessage?.value ?? null,
    ...monthsOf(personal),
    ...(erased && { erased }),
  };
};

/** The account's number in an inbound message. */
export const ownNumberIn = ({ direction, recipientWaId }: MessageDocument): string | null =>
  direction === 'inbound' ? recipientWaId : null;

/** Whether nothing of the message is shown without the keys of both ids of its recipient. */
export const needsBothKeys = ({ otherRef }: Pick<MessageDocument, 'otherRef'>): boolean =>
  otherRef !== undefined;

/** Takes out of a message what destroyed keys have sealed. */
export const eraseMessage = <T extends MessageDocument | ParkedStatus>(
  message: T,
  destroyed: Destroyed,
): T => {
  if (!message.recorded) return message;
  const held = Object.entries(personalIn(message)).map(
    ([name, one]) =>
      [name, needsBothKeys(message) ? null : unlessDestroyed<unknown>(one, destroyed)] as const,
  );
  const left = Object.fromEntries(held) as unknown as PersonalFields;
  return composeMessage({ ...message, erased: true }, left, ownNumberIn(message)) as T;
};
