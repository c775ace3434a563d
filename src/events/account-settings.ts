import { z } from 'zod';
import { BalanceFell, BalanceThresholdSet } from './balance-threshold.ts';
import { defineEvent } from './define.ts';

/** Whether sends of the account are strict where their body does not say it. In an account's stream. */
export const StrictSendingSet = defineEvent(
  'StrictSendingSet',
  z.object({ accountId: z.string(), strict: z.boolean() }),
);

export const accountSettingEvents = [BalanceThresholdSet, BalanceFell, StrictSendingSet] as const;
