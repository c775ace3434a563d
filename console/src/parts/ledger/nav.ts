import type { NavEntry } from '../../layout/nav.ts';

const common = { group: 'Money', for: 'administrator' } as const;

export const ledgerNav: readonly NavEntry[] = [
  { ...common, to: '/verify', label: 'Verify' },
  { ...common, to: '/seals', label: 'Seals' },
  { ...common, to: '/reconciliation', label: 'Reconciliation' },
  { to: '/credits', label: 'Balance', group: 'Money', for: 'key', scope: 'credits:read' },
];
