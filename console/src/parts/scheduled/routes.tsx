import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

export const scheduledRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/scheduled',
    component: lazyRouteComponent(() => import('./scheduled.tsx'), 'Scheduled'),
  }),
] as const;
