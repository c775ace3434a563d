import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

export const botRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/bots',
    component: lazyRouteComponent(() => import('./bots.tsx'), 'Bots'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/bots/$id',
    component: lazyRouteComponent(() => import('./bot.tsx'), 'BotPage'),
  }),
] as const;
