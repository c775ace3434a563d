import type { NavEntry } from '../../layout/nav.ts';

const common = { group: 'Operations', for: 'administrator' } as const;

export const operationsNav: readonly NavEntry[] = [
  { ...common, to: '/dead-letters', label: 'Dead letters' },
  { ...common, to: '/projections', label: 'Projections' },
  { ...common, to: '/erasures', label: 'Erasures' },
  { ...common, to: '/actions', label: 'Audit trail' },
];
