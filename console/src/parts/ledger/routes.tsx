import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textOf } from '../../api/search.ts';
import { root } from '../../layout/root.tsx';
import type { LedgerFilters } from './read.ts';

const getParentRoute = () => root;

/** The month of a page, as its address holds it: `2026-11`. */
const monthIn = ({ month }: Record<string, unknown>): { month?: string } =>
  typeof month === 'string' && /^\d{4}-\d{2}$/.test(month) ? { month } : {};

const movementsIn = ({ type, since, until }: Record<string, unknown>): LedgerFilters => ({
  type: ['DEDUCT', 'REFUND', 'GRANT', 'REVOKE'].find(
    (one) => one === type,
  ) as LedgerFilters['type'],
  since: textOf(since),
  until: textOf(until),
});

export const ledgerRoutes = [
  createRoute({
    getParentRoute,
    path: '/accounts/$id/month',
    validateSearch: monthIn,
    component: lazyRouteComponent(() => import('./month.tsx'), 'Month'),
  }),
  createRoute({
    getParentRoute,
    path: '/verify',
    component: lazyRouteComponent(() => import('./verify.tsx'), 'Verify'),
  }),
  createRoute({
    getParentRoute,
    path: '/seals',
    component: lazyRouteComponent(() => import('./seals.tsx'), 'Seals'),
  }),
  createRoute({
    getParentRoute,
    path: '/reconciliation',
    validateSearch: monthIn,
    component: lazyRouteComponent(() => import('./reconciliation.tsx'), 'Reconciliation'),
  }),
  createRoute({
    getParentRoute,
    path: '/credits',
    validateSearch: movementsIn,
    component: lazyRouteComponent(() => import('./credits.tsx'), 'Credits'),
  }),
  createRoute({
    getParentRoute,
    path: '/credits/month',
    validateSearch: monthIn,
    component: lazyRouteComponent(() => import('./own-month.tsx'), 'OwnMonth'),
  }),
] as const;
