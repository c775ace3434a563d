import { type RetentionFact, RetentionSet } from '../../events/erasure.ts';
import type { Decider } from '../core/decider.ts';

interface RetentionCommand {
  type: 'Set';
  accountId: string;
  /** Null: personal data stay. */
  months: number | null;
}

/** For how long an account keeps personal data. */
export const retentionDecider: Decider<number | null, RetentionCommand, RetentionFact> = {
  category: 'retention',
  initial: null,
  evolve: (_, { data }) => data.contentRetentionMonths,
  decide: ({ accountId, months }, current) =>
    months === current ? [] : [RetentionSet.of({ accountId, contentRetentionMonths: months })],
};

/**
 * The last UTC month that is not kept any more, such as `2026-09` at a time in November with one
 * month of retention: a month goes when it ended that many months ago.
 */
export const expiredThrough = (nowMs: number, months: number): string => {
  const now = new Date(nowMs);
  const gone = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months - 1, 1);
  return new Date(gone).toISOString().slice(0, 7);
};

/** When what is written now is not kept any more. */
export const expiresAt = (nowMs: number, months: number): number => {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months + 1, 1);
};
