import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table.tsx';
import { Amount, Time, Words } from '../../ui/value.tsx';
import { PlanName } from './open-account.tsx';
import { type Account, unitOf } from './read.ts';

export const accountColumns: readonly Column<Account>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <Words text={name} /> },
  {
    id: 'state',
    header: 'State',
    cell: ({ limits: { paused } }) => (
      <Badge tone={paused ? 'warn' : 'good'}>{paused ? 'paused' : 'active'}</Badge>
    ),
  },
  {
    id: 'balance',
    header: 'Balance',
    align: 'end',
    cell: (account) => <Amount value={account.balance} unit={unitOf(account)} />,
  },
  {
    id: 'plan',
    header: 'Plan',
    isMinor: true,
    cell: ({ planId }) => <PlanName id={planId} />,
  },
  {
    id: 'today',
    header: 'Sends today',
    align: 'end',
    isMinor: true,
    cell: ({ usage }) => usage.day,
  },
  {
    id: 'created',
    header: 'Opened',
    isMinor: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];
