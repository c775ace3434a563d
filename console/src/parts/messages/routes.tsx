import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : String(value).slice(0, 300);

/** The filters of the list, as its address holds them. */
export interface MessageFilters {
  account?: string | undefined;
  contact?: string | undefined;
  reference?: string | undefined;
  status?: string | undefined;
}

const filtersIn = (search: Record<string, unknown>): MessageFilters => ({
  account: textOf(search.account),
  contact: textOf(search.contact),
  reference: textOf(search.reference),
  status: textOf(search.status),
});

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
