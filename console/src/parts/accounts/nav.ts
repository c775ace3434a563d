import type { NavEntry } from '../../layout/nav.ts';

const common = { for: 'administrator' } as const;

export const accountsNav: readonly NavEntry[] = [
  { ...common, to: '/organisations', label: 'Organisations', icon: 'building', group: 'Set-up' },
  { ...common, to: '/accounts', label: 'Accounts', icon: 'store', group: 'Set-up' },
  { ...common, to: '/plans', label: 'Plans', icon: 'tag', group: 'Set-up' },
  { ...common, to: '/rate-cards', label: 'Rate cards', icon: 'table', group: 'Set-up' },
  {
    to: '/keys',
    label: 'API keys',
    icon: 'lock',
    group: 'Set-up',
    for: 'key',
    scope: 'keys',
    isForPeople: true,
  },
];
