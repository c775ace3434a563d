import { allRoutes } from '../../src/http/routes.ts';
import type { Json } from './waybill.ts';

/**
 * Every JSON route as it is declared; what handlers work with is not needed to look at them. Without
 * streams of events, which do not end: these have tests of their own.
 */
export const declaredRoutes = () => {
  const nothing: Json = new Proxy(() => nothing, { get: () => nothing });
  return allRoutes(nothing).filter(({ download }) => download !== 'events');
};

/** A path with these values for its parameters. */
export const filledPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? 'unknown'));
