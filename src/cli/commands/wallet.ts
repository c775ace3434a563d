import { InvalidArgumentError } from 'commander';
import type { Noun } from '../program/noun.ts';
import { moneyVerb } from './money.ts';

/** The amount stays text: a binary fraction would round it. */
const decimal = (text: string): string => {
  if (/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError('Must be a decimal number such as 25.00.');
};

export const wallet: Noun = {
  name: 'wallet',
  group: 'Money',
  summary: 'Money of accounts on wallet plans: top up, adjust',
  verbs: [
    moneyVerb('top-up', 'Top a wallet up, in the currency of its plan', decimal),
    moneyVerb('adjust', 'Adjust a wallet up or down; it stays at 0 or above', decimal),
  ],
  examples: [
    'wallet top-up <account> 25.00 --reason "Invoice 1042"',
    'wallet adjust <account> -3.50 --reason "Charged twice"',
  ],
};
