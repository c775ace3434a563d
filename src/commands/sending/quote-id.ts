import { z } from 'zod';
import { Billing } from '../../events/price.ts';
import { AppError } from '../../shared/errors.ts';
import { readSealedId, sealedIdOf } from '../../shared/sealed-id.ts';
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

const kindOf = (accountId: string) => ({ prefix: 'quote', context: `quote-${accountId}` });

/** A quote as a text that only this service can make, for one account: nothing of it is stored. */
export const quoteIdOf = (
  secrets: Pick<Secrets, 'seal'>,
  accountId: string,
  { billing, currency, units, amount, validUntil }: BoundQuote,
): string =>
  sealedIdOf(secrets, kindOf(accountId), { billing, currency, units, amount, validUntil });

/** The quote of a text. Throws where it was changed, or was made for another account. */
export const readQuoteId = (
  secrets: Pick<Secrets, 'open'>,
  accountId: string,
  quoteId: string,
): BoundQuote => {
  try {
    return Bound.parse(readSealedId(secrets, kindOf(accountId), quoteId));
  } catch (cause) {
    const details = { cause: cause as Error };
    throw new AppError('quote.invalid', '`quoteId` is no quote of this account', details);
  }
};
