import { account } from '../commands/account.ts';
import { administrator } from '../commands/administrator.ts';
import { bot } from '../commands/bot.ts';
import { contact } from '../commands/contact.ts';
import { credits } from '../commands/credits.ts';
import { deadletter } from '../commands/dead-letter.ts';
import { key } from '../commands/key.ts';
import { ledger } from '../commands/ledger.ts';
import { log } from '../commands/log.ts';
import { message } from '../commands/message.ts';
import { number } from '../commands/number.ts';
import { organisation } from '../commands/organisation.ts';
import { plan } from '../commands/plan.ts';
import { profile } from '../commands/profile.ts';
import { projection } from '../commands/projection.ts';
import { ratecard } from '../commands/rate-card.ts';
import { simulate } from '../commands/simulate.ts';
import { template } from '../commands/template.ts';
import { wallet } from '../commands/wallet.ts';
import { webhook } from '../commands/webhook.ts';
import type { Noun } from './noun.ts';

/** In the order in which help shows them within their groups. */
export const nouns: readonly Noun[] = [
  organisation,
  account,
  contact,
  key,
  number,
  plan,
  ratecard,
  credits,
  wallet,
  ledger,
  administrator,
  message,
  deadletter,
  projection,
  log,
  simulate,
  template,
  bot,
  webhook,
  profile,
];
