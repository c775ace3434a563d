import type { NavEntry } from '../../layout/nav.ts';

export const botsNav: readonly NavEntry[] = [
  { to: '/bots', label: 'Bots', group: 'Messages', for: 'key', scope: 'bots:read' },
];
