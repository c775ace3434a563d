import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/value.tsx';
import './accounts.css';
import { Chain } from '../ledger/chain-tab.tsx';
import { Ledger } from '../ledger/ledger.tsx';
import { AccountOverview } from './account-overview.tsx';
import { Catalog } from './catalog.tsx';
import { Keys } from './keys.tsx';
import { Numbers } from './numbers.tsx';
import { type Account, useAccount } from './read.ts';

const tabsOf = (account: Account): readonly { id: string; title: string; content: ReactNode }[] => [
  { id: 'overview', title: 'Overview', content: <AccountOverview account={account} /> },
  { id: 'keys', title: 'Keys', content: <Keys account={account} /> },
  { id: 'numbers', title: 'Numbers', content: <Numbers account={account} /> },
  { id: 'catalog', title: 'Catalog', content: <Catalog account={account} /> },
  { id: 'ledger', title: 'Ledger', content: <Ledger account={account} /> },
  { id: 'chain', title: 'Chain', content: <Chain account={account} /> },
];

/** An account: what it may do, what it has done, and everything that belongs to it. */
export const AccountPage = () => {
  const { id } = useParams({ strict: false }) as { id: string };
  const { tab = 'overview' } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const query = useAccount(id);
  const { data } = query;
  const choose = (next: string) => {
    if (next !== tab) void navigate({ to: `/accounts/${id}`, search: { tab: next } } as never);
  };
  return (
    <Page
      title={data?.name ?? 'Account'}
      lead={
        data && (
          <span>
            since <Time at={data.createdAt} />
          </span>
        )
      }
    >
      <QueryState query={query} />
      {data && (
        <Tabs label="Parts of the account" tabs={tabsOf(data)} selected={tab} onSelect={choose} />
      )}
    </Page>
  );
};
