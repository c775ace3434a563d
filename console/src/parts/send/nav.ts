import type { NavEntry } from '../../layout/nav.ts';

export const sendNav: readonly NavEntry[] = [
  {
    to: '/send',
    label: 'Send',
    icon: 'send',
    group: 'Messages',
    for: 'key',
    scope: 'notifications:send',
  },
];
