import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

export const templateRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/templates',
    component: lazyRouteComponent(() => import('./templates.tsx'), 'Templates'),
  }),
] as const;
