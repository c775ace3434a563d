import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

export const administratorRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/administrators',
    component: lazyRouteComponent(() => import('./administrators.tsx'), 'Administrators'),
  }),
] as const;
