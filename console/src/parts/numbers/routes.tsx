import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

export const numberRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/numbers',
    component: lazyRouteComponent(() => import('./numbers.tsx'), 'Numbers'),
  }),
] as const;
