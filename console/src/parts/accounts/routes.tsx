import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../layout/root.tsx';

const getParentRoute = () => root;

/** The tab of an account's page, as its address holds it. */
const tabIn = ({ tab }: Record<string, unknown>): { tab?: string } =>
  typeof tab === 'string' ? { tab } : {};

export const accountsRoutes = [
  createRoute({
    getParentRoute,
    path: '/organisations',
    component: lazyRouteComponent(() => import('./organisations.tsx'), 'Organisations'),
  }),
  createRoute({
    getParentRoute,
    path: '/organisations/$id',
    component: lazyRouteComponent(() => import('./organisation.tsx'), 'OrganisationPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts',
    component: lazyRouteComponent(() => import('./accounts.tsx'), 'Accounts'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$id',
    validateSearch: tabIn,
    component: lazyRouteComponent(() => import('./account.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/keys',
    component: lazyRouteComponent(() => import('./keys.tsx'), 'OwnKeys'),
  }),
  createRoute({
    getParentRoute,
    path: '/plans',
    component: lazyRouteComponent(() => import('./plans.tsx'), 'Plans'),
  }),
  createRoute({
    getParentRoute,
    path: '/rate-cards',
    component: lazyRouteComponent(() => import('./rate-cards.tsx'), 'RateCards'),
  }),
] as const;
