import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/people',
    component: lazyRouteComponent(() => import('./people.tsx'), 'PeoplePage'),
  }),
] as const;
