import type { NavEntry } from '../../layout/nav.ts';

export const messagesNav: readonly NavEntry[] = [
  { to: '/messages', label: 'Messages', group: 'Messages', scope: 'messages:read' },
];
