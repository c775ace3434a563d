import type { NavEntry } from './layout/nav.ts';
import { accountsNav } from './parts/accounts/nav.ts';
import { administratorsNav } from './parts/administrators/nav.ts';
import { conversationsNav } from './parts/conversations/nav.ts';
import { ledgerNav } from './parts/ledger/nav.ts';
import { messagesNav } from './parts/messages/nav.ts';
import { operationsNav } from './parts/operations/nav.ts';
import { overviewNav } from './parts/overview/nav.ts';

/** The side bar: each part names its own entries. */
export const navigation: readonly NavEntry[] = [
  ...overviewNav,
  ...messagesNav,
  ...conversationsNav,
  ...ledgerNav,
  ...accountsNav,
  ...administratorsNav,
  ...operationsNav,
];
