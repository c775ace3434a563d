import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks/$id',
    component: lazyRouteComponent(() => import('./webhook.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks/$id/deliveries/$delivery',
    component: lazyRouteComponent(() => import('./delivery.tsx'), 'Delivery'),
  }),
] as const;
