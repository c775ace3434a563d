import type { DirectSend, RefundCause } from '../../events/account.ts';
import type { ConversationKey } from '../../events/conversation.ts';
import type { DirectSendBar, Sealed } from '../../events/phone.ts';
import type { PlanTerms, RateCard } from '../../events/pricing.ts';
import type { Position } from '../../events/store.ts';
import type { CategoryChange, TemplateStatus } from '../../events/template.ts';
import type { OpenCharges } from '../account/state.ts';
import type { Candidate } from '../bots/matching.ts';
import type { DueRun } from '../bots/waking.ts';
import type { DueRows } from './timers.ts';

// What commands read beside the stream that they write. The port; the read models answer it.

/** A linked number. "Configured" means that it has an access token. */
export interface NumberRecord {
  phoneNumberId: string;
  wabaId: string;
  accountId: string;
  accessToken: Sealed | null;
  displayPhoneNumber: string;
  verifiedName: string;
  qualityRating: string | null;
  registered: boolean | null;
  blockers: readonly string[];
  limits: readonly string[];
  /** The provider's word for how many customers may be written to in 24 hours. */
  messagingLimit: string | null;
  /** The messaging account that pays, which sends carry. */
  messagingAccountId: string | null;
  /** Whether our app receives the notifications of the business account; null when unknown. */
  subscribed: boolean | null;
  subscriptionProblem: string | null;
  /** What the provider's last refusal of a message without a template said of the business account. */
  directSendBar: DirectSendBar | null;
  messagesPerSecond: number;
  webhookUrl: string | null;
  linkedAt: string;
}

export interface TemplateRow {
  wabaId: string;
  name: string;
  language: string;
  metaTemplateId: string;
  category: string;
  status: TemplateStatus;
  statusReason: string | null;
  /** The change of category that the provider has announced; absent otherwise. */
  changingTo?: CategoryChange;
  components: readonly unknown[];
  /** The account that owns it; null for the catalog's templates and for those not submitted here. */
  accountId: string | null;
}

interface AccountRecord {
  id: string;
  organisationId: string;
  planId: string;
  directSend: DirectSend;
}

/** A run of a bot that has not ended. */
export interface OpenRun {
  runId: string;
  conversationId: string;
  /** Its place in the order of all runs. */
  order: Position;
}

/** A message without a record that has claimed a charge. */
export interface ChargeClaimRow {
  messageRef: string;
  chargeId: string;
  reservedAt: string;
}

/** Finds what was made under this key, else makes it. At once where it is kept. */
export type Memo<Value> = (key: string, make: () => Promise<Value>) => Value | Promise<Value>;

export interface Lookups {
  /**
   * Keeps what is made of answers until one of them changes. What is not `isWhole` is made each time, and
   * so is all while each look-up reads.
   */
  memo<Value extends {}>(isWhole?: (value: Value) => boolean): Memo<Value>;
  /** `fresh` waits until the read models have seen the whole log; else the answer may be older. */
  account(accountId: string, options?: { fresh?: boolean }): Promise<AccountRecord | undefined>;
  /** The plan's newest version. */
  plan(planId: string): Promise<PlanTerms | undefined>;
  /** Every published card and the built-in one, in the order of publication. */
  rateCards(): Promise<readonly RateCard[]>;
  /** The account's linked numbers, oldest first. */
  numbers(accountId: string): Promise<readonly NumberRecord[]>;
  /** A linked number of any account. */
  number(phoneNumberId: string): Promise<NumberRecord | undefined>;
  /** The linked numbers of one business account, oldest first. */
  numbersOfWaba(wabaId: string): Promise<readonly NumberRecord[]>;
  /**
   * All languages of one template name in one business account, as the mirror has them. `fresh`
   * waits until the read models have seen the whole log.
   */
  templates(
    wabaId: string,
    name: string,
    options?: { fresh?: boolean },
  ): Promise<readonly TemplateRow[]>;
  /** The whole mirror of one business account. */
  allTemplates(wabaId: string): Promise<readonly TemplateRow[]>;
  /**
   * When the 24-hour window of this contact closes or closed, in ms; null when it never opened.
   * Messages to the number while it belonged to another account open no window of this account.
   */
  windowExpiresAt(conversation: ConversationKey): Promise<number | null>;
  /** All bots of an account, inactive ones included. */
  bots(accountId: string): Promise<readonly Candidate[]>;
  /** Runs that wait or act. */
  dueRuns: DueRows<DueRun>;
  /** Runs of an account's bots at one of its numbers that have not ended, oldest first. */
  openRuns(of: {
    accountId: string;
    phoneNumberId: string;
    /** Positions in the log between which they began; the views are waited for up to the later. */
    after: Position;
    upTo: Position;
    limit: number;
  }): Promise<readonly OpenRun[]>;
  /** Open dead letters that were kept for a reason, oldest first, of those after a place in the log. */
  openDeadLetters(of: {
    reason: string;
    after: Position;
    limit: number;
  }): Promise<readonly { deadLetterId: string; order: Position }[]>;
  /**
   * Whether a charge was refunded, and whether its message counts in the caps, as of a
   * revision of its account's stream. Later events are not seen.
   */
  refundOf(
    accountId: string,
    chargeId: string,
  ): Promise<{ refunded: boolean; counted: boolean; asOfRevision: number }>;
  /** Why a charge was given back, as far as the read models know; undefined where they know nothing. */
  refundCauseOf(chargeId: string): Promise<RefundCause | undefined>;
  /**
   * Whether an account has a priced reservation with neither message nor refund, as of a revision
   * of its stream: a reservation that is not found comes after it.
   */
  openCharges(accountId: string): Promise<OpenCharges>;
  /** Reservations older than `before` with neither message nor refund, oldest first. */
  openReservations(
    before: string,
    limit: number,
  ): Promise<readonly { accountId: string; chargeId: string }[]>;
  /**
   * The ref of the message that is recorded for a charge, undefined where there is none. Null while the read
   * models have not seen the whole log: then it is not known.
   */
  messageOfCharge(accountId: string, chargeId: string): Promise<string | undefined | null>;
  /**
   * Charges that messages without a record have claimed: one charge's in the order of their
   * claiming, or those reserved after `reservedAfter`, oldest first.
   */
  chargeClaims(
    wanted:
      | { chargeId: string; accountId: string; limit: number }
      | { reservedAfter: string; limit: number },
  ): Promise<readonly ChargeClaimRow[]>;
}
