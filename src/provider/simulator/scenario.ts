import type { MediaKind } from '../../events/content.ts';
import type { MediaFault } from './media-file.ts';

/** An update of an accepted message; a number is a failure with that code. */
export type Step = 'sent' | 'delivered' | 'read' | number;

/** How the send call ends for the caller. */
type Ending =
  | 'accept'
  | 'refuse'
  | 'bad_gateway'
  | 'no_id'
  | 'cut_json'
  | 'silence'
  | 'reset'
  | 'reset_unread'
  | 'cut_off';

/** How the provider bills a message. */
export interface Billing {
  /** Lower case, as the provider writes it in statuses. */
  category: string;
  type: string;
  /** What statuses tell of it: all, all but the outdated `billable`, or nothing. */
  told: 'all' | 'without_billable' | 'nothing';
  /** How often analytics count it. */
  counted: number;
}

export interface Scenario {
  /** The digits of the number that always meets this scenario. */
  recipient?: string;
  /** A sentence for people. */
  what: string;
  ending: Ending;
  /** The code of a refusal. */
  code?: number;
  /** Applies to the first call with a charge id only; the next one is accepted. */
  firstOnly?: boolean;
  /** Whether the message goes out; when absent, it does if the ending is `accept`. */
  goesOut?: boolean;
  /** The state of an accepted template's message; when absent, `accepted`. */
  messageStatus?: 'held_for_quality_assessment' | 'paused';
  steps?: readonly Step[];
  /** Each update is sent twice. */
  doubled?: boolean;
  /** The last update comes first. */
  reversed?: boolean;
  /** The first update comes before the answer to the send call. */
  early?: boolean;
  /** How it is billed, where that is not by its category. */
  billing?: Partial<Billing>;
  /** The provider knows the recipient under an id without its fifth digit. */
  otherWaId?: boolean;
  /** The customer hides the number: webhooks show the user id alone. */
  hidden?: boolean;
  /** After the last update the customer answers with a file of this kind. */
  sendsFile?: MediaKind;
  /** What goes wrong with that file. */
  fileFault?: MediaFault;
}
