import type { NumberRecord } from '../../commands/core/lookups.ts';

/** Whether a number can send, as its last reading says. */
export const healthOf = ({ blockers, limits }: Pick<NumberRecord, 'blockers' | 'limits'>) => {
  const canSend = blockers.length === 0;
  const isLimited = limits.length > 0;
  return {
    canSend,
    blockers: [...blockers],
    ...(isLimited && canSend && { status: 'LIMITED' as const }),
    ...(isLimited && { limits: [...limits] }),
  };
};
