import type { components } from './generated/reference.ts';

/** What a send was charged, from the headers of its answer (contract 4.3). */
export interface Billing {
  category: components['schemas']['Charge']['price']['category'];
  /** Sell price, a decimal text. */
  price: string;
  /** Whole credits; null on a wallet plan. */
  creditsCharged: number | null;
  /** Whole credits after the charge; null on a wallet plan. */
  creditsRemaining: number | null;
  /** A decimal text, after the charge; null on a credit plan. */
  walletBalance: string | null;
}

const numberIn = (headers: Headers, name: string): number | null => {
  const text = headers.get(name);
  return text === null ? null : Number(text);
};

/** Undefined for an answer that tells no cost: nothing has been sent yet. */
export const billingOf = (headers: Headers): Billing | undefined => {
  const price = headers.get('x-message-price');
  if (price === null) return undefined;
  return {
    category: (headers.get('x-message-category') ?? 'SERVICE') as Billing['category'],
    price,
    creditsCharged: numberIn(headers, 'x-credits-charged'),
    creditsRemaining: numberIn(headers, 'x-credits-remaining'),
    walletBalance: headers.get('x-wallet-balance'),
  };
};
