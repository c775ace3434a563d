import type { NavEntry } from '../../layout/nav.ts';

export const messagesNav: readonly NavEntry[] = [
  {
    to: '/messages',
    also: ['/charges', '/find'],
    label: 'Messages',
    icon: 'mail',
    group: 'Messages',
    scope: 'messages:read',
  },
];
