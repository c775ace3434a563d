import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';
import { attemptSearchIn } from './filters.ts';

export const attemptRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/attempts',
    validateSearch: attemptSearchIn,
    component: lazyRouteComponent(() => import('./attempts.tsx'), 'Attempts'),
  }),
] as const;
