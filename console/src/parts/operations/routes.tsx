import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

const getParentRoute = () => root;

export const operationsRoutes = [
  createRoute({
    getParentRoute,
    path: '/number-health',
    component: lazyRouteComponent(() => import('./number-health.tsx'), 'NumberHealthPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/dead-letters',
    component: lazyRouteComponent(() => import('./dead-letters.tsx'), 'DeadLetters'),
  }),
  createRoute({
    getParentRoute,
    path: '/dead-letters/$id',
    component: lazyRouteComponent(() => import('./dead-letter.tsx'), 'DeadLetter'),
  }),
  createRoute({
    getParentRoute,
    path: '/projections',
    component: lazyRouteComponent(() => import('./projections.tsx'), 'Projections'),
  }),
  createRoute({
    getParentRoute,
    path: '/approvals',
    component: lazyRouteComponent(() => import('./approvals.tsx'), 'Approvals'),
  }),
  createRoute({
    getParentRoute,
    path: '/erasures',
    component: lazyRouteComponent(() => import('./erasures.tsx'), 'Erasures'),
  }),
  createRoute({
    getParentRoute,
    path: '/actions',
    component: lazyRouteComponent(() => import('./actions.tsx'), 'Actions'),
  }),
] as const;
