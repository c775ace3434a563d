import type { NavEntry } from '../../layout/nav.ts';

export const jobsNav: readonly NavEntry[] = [
  {
    to: '/jobs',
    label: 'Jobs',
    icon: 'table',
    group: 'Messages',
    for: 'key',
    scope: ['notifications:send', 'messages:read'],
  },
];
