import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';
import { type Sought, type View, views } from './read.ts';

const component = lazyRouteComponent(() => import('./conversations.tsx'), 'Conversations');
const validateSearch = ({ search, view, label }: Record<string, unknown>): Sought => ({
  ...(typeof search === 'string' && search !== '' && { search: search.slice(0, 100) }),
  ...(typeof view === 'string' && view in views && { view: view as View }),
  ...(typeof label === 'string' && label !== '' && { label: label.slice(0, 50) }),
});

export const conversationRoutes = [
  createRoute({ getParentRoute: () => root, path: '/conversations', validateSearch, component }),
  createRoute({
    getParentRoute: () => root,
    path: '/conversations/$id',
    validateSearch,
    component,
  }),
] as const;
