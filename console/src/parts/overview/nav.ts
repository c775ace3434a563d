import type { NavEntry } from '../../layout/nav.ts';

export const overviewNav: readonly NavEntry[] = [
  { to: '/', label: 'Overview', icon: 'activity', group: 'Now', scope: 'messages:read' },
];
