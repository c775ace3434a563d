import type { RefundCause } from './account.ts';

/** Causes as callers see them: the sweep refunds an expired charge. */
export type RefundWord = Exclude<RefundCause, 'expired'> | 'swept';

export const refundWordOf = (cause: RefundCause): RefundWord =>
  cause === 'expired' ? 'swept' : cause;
