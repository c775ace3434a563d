import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

const component = lazyRouteComponent(() => import('./conversations.tsx'), 'Conversations');
const validateSearch = ({ search }: Record<string, unknown>): { search?: string } =>
  typeof search === 'string' && search !== '' ? { search: search.slice(0, 100) } : {};

export const conversationRoutes = [
  createRoute({ getParentRoute: () => root, path: '/conversations', validateSearch, component }),
  createRoute({
    getParentRoute: () => root,
    path: '/conversations/$id',
    validateSearch,
    component,
  }),
] as const;
