import type { Noun } from '../program/noun.ts';
import { wholeNumber } from '../program/parse.ts';
import { moneyVerb } from './money.ts';

export const credits: Noun = {
  name: 'credits',
  group: 'Money',
  summary: 'Credits of accounts on credit plans: grant, revoke',
  verbs: [
    moneyVerb('grant', 'Grant credits', wholeNumber(1)),
    moneyVerb('revoke', 'Take credits back; the balance stays at 0 or above', wholeNumber(1)),
  ],
  examples: [
    'credits grant <account> 500 --reason "Welcome"',
    'credits revoke <account> 20 --reason "Granted by mistake"',
  ],
};
