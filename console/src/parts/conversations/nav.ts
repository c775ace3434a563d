import type { NavEntry } from '../../layout/nav.ts';

export const conversationsNav: readonly NavEntry[] = [
  {
    to: '/conversations',
    label: 'Conversations',
    group: 'Messages',
    for: 'key',
    scope: 'messages:read',
  },
];
