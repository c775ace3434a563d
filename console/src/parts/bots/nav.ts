import type { NavEntry } from '../../layout/nav.ts';

export const botsNav: readonly NavEntry[] = [
  { to: '/bots', label: 'Bots', icon: 'bot', group: 'Messages', for: 'key', scope: 'bots:read' },
];
