import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

const eventIn = ({ event }: Record<string, unknown>): { event?: string } =>
  typeof event === 'string' && event !== '' ? { event: event.slice(0, 100) } : {};

export const sendRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/send',
    validateSearch: eventIn,
    component: lazyRouteComponent(() => import('./send.tsx'), 'Send'),
  }),
] as const;
