import type { NavEntry } from '../../layout/nav.ts';

const common = { group: 'Operations', for: 'administrator' } as const;

export const operationsNav: readonly NavEntry[] = [
  { ...common, to: '/number-health', label: 'Number health', icon: 'phone' },
  { ...common, to: '/dead-letters', label: 'Dead letters', icon: 'inbox' },
  { ...common, to: '/projections', label: 'Projections', icon: 'layers' },
  { ...common, to: '/approvals', label: 'Approvals', icon: 'check' },
  { ...common, to: '/erasures', label: 'Erasures', icon: 'trash' },
  { ...common, to: '/actions', label: 'Audit trail', icon: 'history' },
];
