import type { JsonRoute } from '../route/route.ts';
import { allRoutes, type Handlers } from '../routes.ts';

/** Every route as data, without a service: its handler must not be called. */
export const describedRoutes = (): readonly JsonRoute[] => allRoutes({} as Handlers);
