import type { Content } from '../events/content.ts';
import type { PhoneProfile } from '../events/phone.ts';
import type { TemplateStatus } from '../events/template.ts';
import type { ExpectedError } from '../shared/errors.ts';

/** A token of a number's bucket, taken ahead of the call that uses it. */
export interface Slot {
  readonly key: string;
  /** True once: the caller may go without taking another token. */
  use(): boolean;
  /** Hands it on if it was not used. */
  giveBack(): void;
}

/** The number that sends, with what is needed to send from it. */
export interface Sender {
  phoneNumberId: string;
  wabaId: string;
  accessToken: string;
  /** Pace: size and refill of the number's token bucket. */
  messagesPerSecond: number;
}

/** The provider's own words for saying no. `code` is null when the answer carried none. */
export interface ProviderRefusal {
  code: number | null;
  subcode: number | null;
  /** The most specific text it gave. */
  message: string;
  httpStatus: number | null;
}

/** What became of a send. Only `unknown` leaves open whether the message went out. */
export type SendOutcome =
  | { kind: 'accepted'; messageId: string; recipientWaId: string | null }
  | { kind: 'refused'; refusal: ProviderRefusal }
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

export interface TemplateDraft {
  name: string;
  language: string;
  category: string;
  components: unknown[];
}

export type SubmitOutcome =
  /** `isNew`: the provider's answer names it; else it was read after an answer that did not. */
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

/** The provider could not be read: out of reach, no answer in time, or an answer that is none. */
export class ProviderUnreachable extends Error implements ExpectedError {
  readonly isExpected = true;
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ProviderUnreachable';
  }
}

/** The provider answered a read or a registration with a no. */
export class ProviderRefused extends Error implements ExpectedError {
  readonly isExpected = true;
  readonly refusal: ProviderRefusal;
  constructor(refusal: ProviderRefusal) {
    super(refusal.message);
    this.name = 'ProviderRefused';
    this.refusal = refusal;
  }
}

/** Whether the provider refused a call, or could not be read. */
export const isProviderError = (error: unknown): error is ProviderRefused | ProviderUnreachable =>
  error instanceof ProviderRefused || error instanceof ProviderUnreachable;

/**
 * The upstream. Every call has a deadline. `send` never throws: what it cannot know is an
 * outcome. The others throw ProviderUnreachable or ProviderRefused.
 */
export interface Provider {
  /**
   * Sends once, at the number's rate: at once with a slot of the number, which is then used.
   * `chargeId` comes back in every status update.
   */
  send(
    sender: Sender,
    message: { to: string; content: Content; contextMessageId: string | null; chargeId: string },
    slot?: Slot | undefined,
  ): Promise<SendOutcome>;
  /**
   * Waits for a slot in the pace of a number, for senders that have more time than a single send has.
   * Undefined when there was none within that time, or the signal fired before.
   */
  takeSlot(
    number: Pick<Sender, 'phoneNumberId' | 'messagesPerSecond'>,
    limits: { withinMs: number; signal: AbortSignal },
  ): Promise<Slot | undefined>;
  readNumber(sender: Sender): Promise<PhoneProfile>;
  registerNumber(sender: Sender, pin: string): Promise<void>;
  /** All templates of the sender's business account, or those of one name. */
  listTemplates(sender: Sender, name?: string): Promise<ProviderTemplate[]>;
  /** Undefined when the id is none of the sender's business account, or its token cannot see it. */
  readTemplate(sender: Sender, metaTemplateId: string): Promise<ProviderTemplate | undefined>;
  submitTemplate(sender: Sender, draft: TemplateDraft): Promise<SubmitOutcome>;
  /** Replaces the components of one that is there; it goes back to review. */
  editTemplate(
    sender: Sender,
    metaTemplateId: string,
    components: unknown[],
  ): Promise<SubmitOutcome>;
  close(): Promise<void>;
}
