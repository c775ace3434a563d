import { z } from 'zod';
import type { Ids } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { RequestContext } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { SESSION_ID_LENGTH, type SessionHolder, type Sessions } from '../edge/session.ts';
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

/**
 * The fragment never reaches a server's or a proxy's log. A session makes no links: whoever stole one
 * would make sessions of it without end.
 */
const linkFor = (
  { sessions, ids }: LinkDeps,
  holder: SessionHolder,
  { now, session }: RequestContext,
) => {
  if (session) {
    throw new AppError(
      'session.no_links',
      'A link is made with a credential, and not with a session',
    );
  }
  const expiresAt = now + LINK_MS;
  const text = sessions.sealLink({ id: ids.secret(SESSION_ID_LENGTH), holder, expiresAt });
  return { path: `/console#link=${text}`, expiresAt: new Date(expiresAt).toISOString() };
};

const common = {
  method: 'POST',
  summary: 'Make a link that signs the holder of the credential in to the console, once',
  description:
    'The link works once, for 10 minutes, with the rights of the credential. Hand it to nobody else.',
  responses: { 201: Link },
  errors: ['session.no_links'],
} as const;

/** A link for the caller, so that no credential is typed into a browser. */
export const linkRoutes = (deps: LinkDeps): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    path: '/admin/v1/console-links',
    access: 'auditor',
    tags: ['Console'],
    handle: (_, context) =>
      reply(201, linkFor(deps, { kind: 'administrator', id: context.administrator.id }, context)),
  }),
  defineRoute({
    ...common,
    path: '/v1/console-links',
    access: 'key',
    tags: ['Console'],
    handle: (_, context) =>
      reply(201, linkFor(deps, { kind: 'key', id: context.key.keyId }, context)),
  }),
];
