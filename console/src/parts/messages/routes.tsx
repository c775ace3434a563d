import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';
import { filtersIn } from './filters.ts';

export const messageRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/messages',
    validateSearch: filtersIn,
    component: lazyRouteComponent(() => import('./messages.tsx'), 'Messages'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/messages/$id',
    component: lazyRouteComponent(() => import('./message-story.tsx'), 'MessageStory'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/charges/$id',
    component: lazyRouteComponent(() => import('./charge-story.tsx'), 'ChargeStory'),
  }),
] as const;
