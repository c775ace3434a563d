import type { DueRow, DueRows } from '../core/timers.ts';

/** A scheduled send that has not ended. */
export interface WaitingSend extends DueRow {
  scheduleId: string;
  accountId: string;
  contactRef: string;
  phoneNumberId: string | null;
}

/** What the read models tell of scheduled sends. */
export interface ScheduledLookups extends DueRows<WaitingSend> {
  /** How many of an account wait. */
  count(accountId: string): Promise<number>;
}
