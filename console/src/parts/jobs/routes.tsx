import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

export const jobRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/jobs',
    component: lazyRouteComponent(() => import('./jobs.tsx'), 'Jobs'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/jobs/new',
    component: lazyRouteComponent(() => import('./new-job.tsx'), 'NewJob'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/jobs/$id',
    component: lazyRouteComponent(() => import('./job.tsx'), 'JobPage'),
  }),
] as const;
