import { intent, NOW, price } from './samples.ts';
import { customer } from './subjects.ts';

// Commands to an account that pays with credits, with the fewest words that a test needs.

export const terms = { planId: 'standard', billing: 'credits', currency: 'USD' } as const;

export const openCommand = (accountId: string) => ({
  type: 'Open' as const,
  accountId,
  organisationId: 'org_1',
  name: 'Shop',
  terms,
});

export const grantCommand = (amount: number) => ({
  type: 'GrantCredits' as const,
  at: NOW,
  amount,
  reason: null,
  by: null,
});

/** The charge of `intent`. */
export const reserveCommand = () => ({
  type: 'Reserve' as const,
  contactRef: customer.ref,
  at: NOW,
  reason: 'order_shipped',
  price: price(),
  intent: intent(),
});
