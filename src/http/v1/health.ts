import type { Lookups, NumberRecord } from '../../commands/core/lookups.ts';
import { barOf, sendsDirect } from '../../commands/sending/direct.ts';
import type { DirectSendBar } from '../../events/phone.ts';

/** Whether a number can send, as its last reading says; and why it sends nothing without a template. */
export const healthOf = (
  { blockers, limits }: Pick<NumberRecord, 'blockers' | 'limits'>,
  directSend: DirectSendBar | null,
) => {
  const canSend = blockers.length === 0;
  const isLimited = limits.length > 0;
  return {
    canSend,
    blockers: [...blockers],
    ...(isLimited && canSend && { status: 'LIMITED' as const }),
    ...(isLimited && { limits: [...limits] }),
    ...(directSend && { directSend }),
  };
};

/** Whether an account sends events without a template, and what keeps its numbers from that now. */
export const readDirectSend = async (
  lookups: Pick<Lookups, 'account'>,
  accountId: string,
  now: number,
) => {
  const isOn = await sendsDirect(lookups, accountId);
  return { isOn, barOf: (number: NumberRecord) => (isOn ? barOf(number, now) : null) };
};
