import type { NavEntry } from '../../layout/nav.ts';

const common = { group: 'Money', for: 'administrator' } as const;

export const ledgerNav: readonly NavEntry[] = [
  { ...common, to: '/verify', label: 'Verify', icon: 'shield' },
  { ...common, to: '/seals', label: 'Seals', icon: 'lock' },
  { ...common, to: '/reconciliation', label: 'Reconciliation', icon: 'scale' },
  {
    to: '/credits',
    label: 'Balance',
    icon: 'wallet',
    group: 'Money',
    for: 'key',
    scope: 'credits:read',
  },
];
