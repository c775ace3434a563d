import type { NavEntry } from '../../layout/nav.ts';

export const numbersNav: readonly NavEntry[] = [
  {
    to: '/numbers',
    label: 'Numbers',
    icon: 'phone',
    group: 'Set-up',
    for: 'key',
    scope: 'phones:read',
  },
];
