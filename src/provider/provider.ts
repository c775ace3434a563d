import type { Content } from '../events/content.ts';
import type { PhoneProfile } from '../events/phone.ts';
import type { TemplateStatus } from '../events/template.ts';
import type { ExpectedError } from '../shared/errors.ts';
import type { Direct } from './rules/direct-send.ts';

/** A token of a number's bucket, taken ahead of the call that uses it. */
export interface Slot {
  readonly key: string;
  /** True once: the caller then needs no other token. */
  use(): boolean;
  /** Returns the token of an unused slot. */
  release(): void;
}

/** The number that sends, with what is needed to send from it. */
export interface Sender {
  phoneNumberId: string;
  wabaId: string;
  accessToken: string;
  /** Size and refill per second of the number's token bucket. */
  messagesPerSecond: number;
  /** The messaging account that pays, where the number has one. */
  messagingAccountId?: string | null;
}

/** A refusal by the provider. `code` is null when the answer has none. */
export interface ProviderRefusal {
  code: number | null;
  subcode: number | null;
  /** The most specific text it gave. */
  message: string;
  httpStatus: number | null;
  /** Its own texts beside the codes, for those who call us as they would call it. */
  told?: Readonly<Record<string, string | boolean>>;
}

/** The outcome of a send. Only `unknown` leaves open whether the message went out. */
export type SendOutcome =
  | {
      kind: 'accepted';
      messageId: string;
      recipientWaId: string | null;
      /** Absent where the provider gave none. */
      recipientUserId?: string;
      /** The provider's word where it holds the message, such as held_for_quality_assessment. */
      providerStatus?: string;
    }
  | { kind: 'refused'; refusal: ProviderRefusal }
  /** No connection could be made, so nothing was sent. */
  | { kind: 'unreachable'; reason: string }
  | { kind: 'unknown'; reason: string };

/** A template as the provider shows it, its state in our words. */
export interface ProviderTemplate {
  metaTemplateId: string;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  statusReason: string | null;
  components: unknown[];
}

/** Whether our app receives the notifications of a business account. */
export interface Subscription {
  /** Null when the provider did not tell. */
  subscribed: boolean | null;
  /** Its words, where it refused. */
  problem: string | null;
}

/** Delivered messages of a business account, as the provider bills them, in its words. */
export interface ProviderVolume extends Record<'countryCode' | 'category' | 'type', string> {
  /** Digits of the number that sent; null where the provider does not tell. */
  phoneNumber: string | null;
  volume: number;
  /** About, in its currency; null where a partner pays. */
  cost: number | null;
}

/** How the placeholders of a template are written: `{{first_name}}` or `{{1}}`. */
type ParameterFormat = 'NAMED' | 'POSITIONAL';

/** A file at the provider. */
export interface ProviderMedia {
  url: string;
  mimeType: string | null;
  sha256: string | null;
  bytes: number | null;
}

export interface TemplateDraft {
  name: string;
  language: string;
  category: string;
  components: unknown[];
  /** Positional when absent. */
  parameterFormat?: ParameterFormat | undefined;
  /** After this time the provider drops an undelivered message; its own limit when absent. */
  messageSendTtlSeconds?: number | undefined;
}

export type SubmitOutcome =
  /** `isNew`: the provider's answer names the template; else a read after the answer found it. */
  | {
      kind: 'submitted';
      metaTemplateId: string;
      status: TemplateStatus;
      category: string;
      isNew: boolean;
    }
  /**
   * A template of that name and language is there already. `perhapsByThisCall`: the provider's answer was
   * lost, so this call may have made it.
   */
  | { kind: 'exists'; perhapsByThisCall?: true }
  | { kind: 'refused'; refusal: ProviderRefusal }
  /** The call as a whole was refused: token dead, no permission, business account unknown. */
  | { kind: 'forbidden'; refusal: ProviderRefusal };

/** The provider gave no usable answer: not reached, too late, or unreadable. */
export class ProviderUnreachable extends Error implements ExpectedError {
  override readonly name = 'ProviderUnreachable';
  readonly isExpected = true;
}

/** The provider refused a read or a registration. */
export class ProviderRefused extends Error implements ExpectedError {
  override readonly name = 'ProviderRefused';
  readonly isExpected = true;
  readonly refusal: ProviderRefusal;
  constructor(refusal: ProviderRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Whether the provider refused a call, or could not be read. */
export const isProviderError = (error: unknown): error is ProviderRefused | ProviderUnreachable =>
  error instanceof ProviderRefused || error instanceof ProviderUnreachable;

/** What the calls of the last minutes tell of the provider itself. */
export interface Heard {
  /** Its time now, by the last answer. */
  time: number | undefined;
  /** The calls without an answer since the last one. */
  missed: { count: number; reason: string } | undefined;
}

/**
 * The port of the upstream provider. Every call has a deadline. `send` never throws: its outcome may
 * be `unknown`. The others throw ProviderUnreachable or ProviderRefused.
 */
export interface Provider {
  /**
   * Sends once, at the number's rate; with a slot of the number at once. `to` is a number or a user id.
   * `chargeId` comes back in every status update. `direct` sends without a template, outside the window too.
   */
  send(
    sender: Sender,
    message: {
      to: string;
      content: Content;
      contextMessageId: string | null;
      chargeId: string;
      direct?: Direct | undefined;
    },
    slot?: Slot | undefined,
  ): Promise<SendOutcome>;
  /**
   * Shows the customer that a message was read, as all before it; with `typing` also that a reply is
   * being written, for 25 s or until the reply.
   */
  markRead(sender: Sender, message: { messageId: string; typing: boolean }): Promise<void>;
  /**
   * Uploads a file as its content comes in, and reads no faster than the provider takes it. Throws what
   * the content throws.
   */
  uploadMedia(
    sender: Sender,
    file: { content: AsyncIterable<Uint8Array>; mimeType: string; filename: string },
    signal: AbortSignal,
  ): Promise<{ mediaId: string }>;
  /**
   * Where a file can be read for five minutes, with the sender's token. Undefined when the provider has
   * no such file, no longer has it, or does not show it to this number.
   */
  readMedia(sender: Sender, mediaId: string): Promise<ProviderMedia | undefined>;
  /** Removes a file. False when the provider has no such file. */
  removeMedia(sender: Sender, mediaId: string): Promise<boolean>;
  /**
   * Waits for a slot of a number, for callers that can wait longer than one send: those of a lower rank
   * first, 0 when absent. Undefined when the time passes or the signal fires before.
   */
  takeSlot(
    number: Pick<Sender, 'phoneNumberId' | 'messagesPerSecond'>,
    limits: { withinMs: number; signal: AbortSignal; rank?: number | undefined },
  ): Promise<Slot | undefined>;
  readNumber(sender: Sender): Promise<PhoneProfile>;
  registerNumber(sender: Sender, pin: string): Promise<void>;
  /**
   * Subscribes the app of the token to the sender's business account, unless it is subscribed. Without a
   * subscription no status and no message arrives. A refusal is in the result.
   */
  subscribe(sender: Sender): Promise<Subscription>;
  /**
   * What the sender's business account is billed for messages delivered from `from` on and before `to`
   * (seconds since 1970), a year back at most.
   */
  readVolumes(sender: Sender, period: { from: number; to: number }): Promise<ProviderVolume[]>;
  /** All templates of the sender's business account, or those of one name. */
  listTemplates(sender: Sender, name?: string): Promise<ProviderTemplate[]>;
  /** Undefined when the sender's business account has no such id, or its token cannot see it. */
  readTemplate(sender: Sender, metaTemplateId: string): Promise<ProviderTemplate | undefined>;
  submitTemplate(sender: Sender, draft: TemplateDraft): Promise<SubmitOutcome>;
  /** Replaces the components of an existing template, which goes back to review. */
  editTemplate(
    sender: Sender,
    metaTemplateId: string,
    components: unknown[],
  ): Promise<SubmitOutcome>;
  /** Removes all languages of a template of the sender's business account, or the one with the id. */
  removeTemplate(
    sender: Sender,
    template: { name: string; metaTemplateId?: string | undefined },
  ): Promise<void>;
  close(): Promise<void>;
}
