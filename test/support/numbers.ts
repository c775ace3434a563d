import type { NumberRecord } from '../../src/commands/core/lookups.ts';
import { secrets } from './message-refs.ts';

/** A number as the look-ups have it, with a token that `secrets` has sealed. */
export const numberRecord = (phoneNumberId = '10', change: Partial<NumberRecord> = {}) =>
  ({
    phoneNumberId,
    wabaId: '20',
    accountId: 'acc_1',
    messagesPerSecond: 80,
    messagingAccountId: null,
    directSendBar: null,
    accessToken: secrets.seal('EAAG', `phone-${phoneNumberId}`),
    ...change,
  }) as NumberRecord;
