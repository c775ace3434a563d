import type { NavEntry } from '../../layout/nav.ts';

export const conversationsNav: readonly NavEntry[] = [
  {
    to: '/conversations',
    label: 'Conversations',
    icon: 'chat',
    group: 'Messages',
    for: 'key',
    scope: 'messages:read',
  },
];
