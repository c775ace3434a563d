import type { CategoryChange } from '../../events/template.ts';
import type { TemplateState } from '../rules/template-state.ts';
import type { Json } from '../shape.ts';

interface Decoded {
  /**
   * A payload of the provider that holds this item alone: decoding it gives the same item again. See
   * `rawOf`.
   */
  envelope: Json;
}

interface OfNumber extends Decoded {
  phoneNumberId: string;
  wabaId: string | null;
  /** When it happened, ISO 8601; null when the provider gave no usable time. */
  at: string | null;
}

/** A delivery update of a message of ours. */
export interface StatusItem extends OfNumber {
  kind: 'status';
  messageId: string;
  /** The provider's word, known to us or not. */
  status: string;
  recipientWaId: string | null;
  recipientUserId: string | null;
  chargeId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  pricing: Json | null;
}

/** A notice that a customer has other ids now. */
export interface SenderChange {
  /** The user id until now; the number where that is not known. Null after a change of the number. */
  previous: string | null;
  userId: string;
  /** The new number. */
  waId: string | null;
}

/** A message of a customer. */
export interface MessageItem extends OfNumber {
  kind: 'message';
  messageId: string;
  /** Digits of the receiving number. */
  displayPhoneNumber: string | null;
  /** Digits of the sender; null when the provider hides them. */
  from: string | null;
  /** The sender's user id; null where the provider gives none. */
  userId: string | null;
  /** What the message says of the sender's ids; null where it says nothing. */
  change: SenderChange | null;
  type: string;
  /** The provider's message object, verbatim. */
  message: Json;
  /** The provider's record of the sender, verbatim. */
  contact: Json | null;
}

/** A customer's choice for a category of messages: `value` is `stop` or `resume`. */
export interface PreferenceItem extends OfNumber {
  kind: 'user_preference';
  /** Digits of the customer; null when the provider hides them. */
  waId: string | null;
  userId: string | null;
  category: string;
  value: string;
  /** In the provider's words, such as how the customer said so. */
  detail: string | null;
}

interface OfAccount extends Decoded {
  wabaId: string;
  at: string | null;
}

interface OfTemplate extends OfAccount {
  metaTemplateId: string;
  name: string;
  /** As in `en_US`, with an underscore even if the provider wrote a hyphen. */
  language: string;
}

interface TemplateStatusItem extends OfTemplate {
  kind: 'template_status';
  /** The provider's word for the event. */
  event: string;
  /** Null when the template is gone. */
  state: TemplateState | null;
  /** Null where the notice does not say. */
  category: string | null;
}

interface TemplateCategoryItem extends OfTemplate {
  kind: 'template_category';
  /** The one in force now; null where the notice does not say. */
  category: string | null;
  /** The announced one; null where the notice announces none. */
  changingTo: CategoryChange | null;
}

interface TemplateQualityItem extends OfTemplate {
  kind: 'template_quality';
  quality: string;
}

/** The provider names the number by its digits here, not by its id. */
interface OfDisplayNumber extends OfAccount {
  displayPhoneNumber: string;
}

interface PhoneQualityItem extends OfDisplayNumber {
  kind: 'phone_quality';
  /** Such as FLAGGED or THROUGHPUT_UPGRADE; the rating itself must be read. */
  event: string;
}

interface PhoneNameItem extends OfDisplayNumber {
  kind: 'phone_name';
  decision: string;
  verifiedName: string | null;
}

interface AccountUpdateItem extends OfAccount {
  kind: 'account_update';
  event: string;
}

/** The provider has changed how much the business may send. */
interface CapabilityItem extends OfAccount {
  kind: 'account_capability';
  /** The provider's word, such as TIER_2K, or its number. */
  messagingLimit: string;
}

/** An item that cannot be read or is not handled, kept whole. */
export interface UnknownItem {
  kind: 'unknown';
  field: string;
  wabaId: string | null;
  phoneNumberId: string | null;
  reason: string;
  /** A payload that holds this item alone, as JSON text. */
  raw: string;
}

export type WebhookItem =
  | StatusItem
  | MessageItem
  | PreferenceItem
  | TemplateStatusItem
  | TemplateCategoryItem
  | TemplateQualityItem
  | PhoneQualityItem
  | PhoneNameItem
  | AccountUpdateItem
  | CapabilityItem
  | UnknownItem;

/** A payload that holds this item alone, as JSON text. Dead letters keep it. */
export const rawOf = (item: WebhookItem): string =>
  item.kind === 'unknown' ? item.raw : JSON.stringify(item.envelope);
