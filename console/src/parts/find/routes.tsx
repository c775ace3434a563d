import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

export const findRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/find',
    validateSearch: ({ q }: Record<string, unknown>) => ({ q: String(q ?? '').slice(0, 300) }),
    component: lazyRouteComponent(() => import('./find.tsx'), 'Find'),
  }),
] as const;
