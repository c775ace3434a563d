import type { NavEntry } from '../../layout/nav.ts';

export const attemptsNav: readonly NavEntry[] = [
  {
    to: '/attempts',
    label: 'Attempts',
    icon: 'checks',
    group: 'Messages',
    scope: 'messages:read',
  },
];
