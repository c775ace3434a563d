import type { NavEntry } from './layout/nav.ts';
import { accountsNav } from './parts/accounts/nav.ts';
import { administratorsNav } from './parts/administrators/nav.ts';
import { attemptsNav } from './parts/attempts/nav.ts';
import { botsNav } from './parts/bots/nav.ts';
import { conversationsNav } from './parts/conversations/nav.ts';
import { jobsNav } from './parts/jobs/nav.ts';
import { ledgerNav } from './parts/ledger/nav.ts';
import { messagesNav } from './parts/messages/nav.ts';
import { numbersNav } from './parts/numbers/nav.ts';
import { operationsNav } from './parts/operations/nav.ts';
import { overviewNav } from './parts/overview/nav.ts';
import { peopleNav } from './parts/people/nav.ts';
import { scheduledNav } from './parts/scheduled/nav.ts';
import { sendNav } from './parts/send/nav.ts';
import { templatesNav } from './parts/templates/nav.ts';
import { webhooksNav } from './parts/webhooks/nav.ts';

/** The side bar: each part names its own entries. */
export const navigation: readonly NavEntry[] = [
  ...overviewNav,
  ...sendNav,
  ...messagesNav,
  ...attemptsNav,
  ...scheduledNav,
  ...jobsNav,
  ...conversationsNav,
  ...botsNav,
  ...ledgerNav,
  ...numbersNav,
  ...templatesNav,
  ...webhooksNav,
  ...accountsNav,
  ...peopleNav,
  ...administratorsNav,
  ...operationsNav,
];
