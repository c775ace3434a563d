import type { NavEntry } from '../../layout/nav.ts';

export const scheduledNav: readonly NavEntry[] = [
  {
    to: '/scheduled',
    label: 'Scheduled',
    icon: 'clock',
    group: 'Messages',
    for: 'key',
    scope: ['notifications:send', 'messages:send'],
  },
];
