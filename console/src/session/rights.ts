import type { Session } from './api.ts';

// What the console shows is what the service allows: test/console/rights.test.ts compares them.

/** Whether the key or the role has the scope; an administrator's session calls no API of tenants. */
export const hasScope = (session: Session, scope: string): boolean =>
  session.kind === 'key' && (session.scopes?.includes(scope) ?? true);

/** The operators who may act, by whom a route is for; auditors' own routes are for all of them. */
const actors = { administrator: ['admin'], support: ['admin', 'support'] };

/** Whether the viewer may change things: in an account as far as the scopes go. */
export const mayAct = (session: Session, route: keyof typeof actors): boolean =>
  session.kind === 'key' || actors[route].includes(session.role);

/** Whether texts, names, files and whole numbers of customers are shown. */
export const seesContents = (session: Session): boolean =>
  session.kind === 'key' ? session.person?.seesContents !== false : session.role !== 'support';
