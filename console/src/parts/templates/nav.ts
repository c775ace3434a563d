import type { NavEntry } from '../../layout/nav.ts';

export const templatesNav: readonly NavEntry[] = [
  {
    to: '/templates',
    label: 'Templates',
    icon: 'file',
    group: 'Set-up',
    for: 'key',
    scope: 'templates:read',
  },
];
