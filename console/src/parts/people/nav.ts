import type { NavEntry } from '../../layout/nav.ts';

export const peopleNav: readonly NavEntry[] = [
  {
    to: '/people',
    label: 'People',
    icon: 'user',
    group: 'Set-up',
    scope: 'people',
    isForPeople: true,
  },
];
