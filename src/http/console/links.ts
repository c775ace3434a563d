import { z } from 'zod';
import type { Ids } from '../../shared/clock.ts';
import type { SessionHolder, Sessions } from '../edge/session.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

/** Long enough to open it in a browser, too short to be worth stealing. */
const LINK_MS = 10 * 60_000;

const Link = z
  .object({
    path: z.string().describe('Path and fragment, to be put after the origin of the service.'),
    expiresAt: z.iso.datetime().describe('Time after which the link signs nobody in, ISO 8601.'),
  })
  .meta({ id: 'ConsoleLink' });

export interface LinkDeps {
  sessions: Sessions;
  ids: Ids;
}

/** The fragment never reaches a server's or a proxy's log. */
const linkFor = ({ sessions, ids }: LinkDeps, holder: SessionHolder, now: number) => {
  const expiresAt = now + LINK_MS;
  const text = sessions.sealLink({ id: ids.uuid(), holder, expiresAt });
  return { path: `/console#link=${text}`, expiresAt: new Date(expiresAt).toISOString() };
};

const common = {
  method: 'POST',
  summary: 'Make a link that signs the holder of the credential in to the console, once',
  description:
    'The link works once, for 10 minutes, with the rights of the credential. Hand it to nobody else.',
  responses: { 201: Link },
  errors: [],
} as const;

/** A link for the caller, so that no credential is typed into a browser. */
export const linkRoutes = (deps: LinkDeps): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    path: '/admin/v1/console-links',
    access: 'auditor',
    tags: ['Console'],
    handle: (_, { administrator, now }) =>
      reply(201, linkFor(deps, { kind: 'administrator', id: administrator.id }, now)),
  }),
  defineRoute({
    ...common,
    path: '/v1/console-links',
    access: 'key',
    tags: ['Console'],
    handle: (_, { key, now }) => reply(201, linkFor(deps, { kind: 'key', id: key.keyId }, now)),
  }),
];
