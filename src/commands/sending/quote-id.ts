import { z } from 'zod';
import { Billing } from '../../events/price.ts';
import { NONCE_BYTES, TAG_BYTES } from '../../shared/aes.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { QuotedPrices } from '../account/state.ts';

/** What a quote binds a send to: the cost of each of its messages, and of all. */
export interface BoundQuote extends QuotedPrices {
  amount: number;
}

const Bound = z.object({
  billing: Billing,
  currency: z.string(),
  units: z.record(z.string(), z.int()),
  amount: z.int(),
  validUntil: z.int(),
});

const FORM = /^quote_(?<key>\w+)\.(?<bytes>[\w-]+)$/;

const contextOf = (accountId: string): string => `quote-${accountId}`;

/** A quote as a text that only this service can make, for one account: nothing of it is stored. */
export const quoteIdOf = (
  secrets: Pick<Secrets, 'seal'>,
  accountId: string,
  { billing, currency, units, amount, validUntil }: BoundQuote,
): string => {
  const bound = JSON.stringify({ billing, currency, units, amount, validUntil });
  const { key, iv, tag, text } = secrets.seal(bound, contextOf(accountId));
  const bytes = Buffer.concat([iv, tag, text].map((part) => Buffer.from(part, 'base64')));
  return `quote_${key}.${bytes.toString('base64url')}`;
};

/** The quote of a text. Throws where it was changed, or was made for another account. */
export const readQuoteId = (
  secrets: Pick<Secrets, 'open'>,
  accountId: string,
  quoteId: string,
): BoundQuote => {
  try {
    const { key, bytes: given } = FORM.exec(quoteId)!.groups!;
    const bytes = Buffer.from(given!, 'base64url');
    // Several texts decode to the same bytes.
    if (bytes.toString('base64url') !== given) throw new Error('not in its one form');
    const part = (from: number, to?: number) => bytes.subarray(from, to).toString('base64');
    const sealed = {
      key: key!,
      iv: part(0, NONCE_BYTES),
      tag: part(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
      text: part(NONCE_BYTES + TAG_BYTES),
    };
    return Bound.parse(JSON.parse(secrets.open(sealed, contextOf(accountId))));
  } catch (cause) {
    const details = { cause: cause as Error };
    throw new AppError('quote.invalid', '`quoteId` is no quote of this account', details);
  }
};
