import type { NavEntry } from '../../layout/nav.ts';

const common = { for: 'administrator' } as const;

export const accountsNav: readonly NavEntry[] = [
  { ...common, to: '/organisations', label: 'Organisations', group: 'Set-up' },
  { ...common, to: '/accounts', label: 'Accounts', group: 'Set-up' },
  { ...common, to: '/plans', label: 'Plans', group: 'Set-up' },
  { ...common, to: '/rate-cards', label: 'Rate cards', group: 'Set-up' },
];
