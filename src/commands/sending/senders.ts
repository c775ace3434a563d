import type { Sender } from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Lookups, NumberRecord } from '../core/lookups.ts';

/** The number with its token decrypted, for the provider's client. */
export const senderOf = (number: NumberRecord, secrets: Secrets): Sender => {
  if (!number.accessToken) {
    throw new AppError('number.no_token', 'Phone number has no access token configured');
  }
  return {
    phoneNumberId: number.phoneNumberId,
    wabaId: number.wabaId,
    accessToken: openToken(number, secrets),
    messagesPerSecond: number.messagesPerSecond,
  };
};

const opened = new WeakMap<object, string>();

const openToken = (number: NumberRecord, secrets: Secrets): string => {
  const sealed = number.accessToken!;
  const known = opened.get(sealed);
  if (known !== undefined) return known;
  const token = secrets.open(sealed, tokenContext(number.phoneNumberId));
  opened.set(sealed, token);
  return token;
};

/** A sealed token opens for its own number only. */
export const tokenContext = (phoneNumberId: string) => `phone-${phoneNumberId}`;

/**
 * The number to send from: the named one if it is the account's and configured, else the
 * account's oldest configured number. Undefined when there is none.
 */
export const findConfiguredNumber = async (
  lookups: Pick<Lookups, 'numbers'>,
  accountId: string,
  phoneNumberId: string | undefined,
): Promise<NumberRecord | undefined> => {
  const numbers = await lookups.numbers(accountId);
  return numbers.find(
    (number) =>
      number.accessToken !== null &&
      (phoneNumberId === undefined || number.phoneNumberId === phoneNumberId),
  );
};

/** The error message when the account has no such number. */
export const missingNumberMessage = (phoneNumberId: string | undefined): string =>
  phoneNumberId === undefined
    ? 'No configured messaging number exists on this account. Link one in the dashboard.'
    : 'Phone number not found or not configured';
