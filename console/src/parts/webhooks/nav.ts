import type { NavEntry } from '../../layout/nav.ts';

export const webhooksNav: readonly NavEntry[] = [
  {
    to: '/webhooks',
    label: 'Webhooks',
    icon: 'link',
    group: 'Set-up',
    for: 'key',
    scope: 'webhooks:read',
  },
];
