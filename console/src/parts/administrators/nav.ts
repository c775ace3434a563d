import type { NavEntry } from '../../layout/nav.ts';

export const administratorsNav: readonly NavEntry[] = [
  {
    to: '/administrators',
    label: 'Administrators',
    icon: 'users',
    group: 'Set-up',
    for: 'administrator',
  },
];
