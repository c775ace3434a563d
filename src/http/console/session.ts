import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import type { Ids } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { cookieAt, refuseCrossSite, SESSION_ID_LENGTH, type Ticket } from '../edge/session.ts';
import { defineRawRoute, type RawRequest, type RawRoute } from '../route/raw-route.ts';
import { reply } from '../route/response.ts';
import {
  type Current,
  contextOf,
  currentSession,
  type Holder,
  type HolderDeps,
  holderOf,
  holderOfCredential,
  idOf,
  present,
} from './session-holder.ts';

const HOUR_MS = 3_600_000;
/** A session ends after this, used or not. */
const SESSION_MS = 8 * HOUR_MS;
const BODY_BYTES_MAX = 4096;
const PATH = '/api/console/session';

const SignIn = z.union([
  z.strictObject({ credential: z.string().min(1).max(512) }),
  z.strictObject({ link: z.string().min(1).max(2048) }),
]);

export interface SessionDeps extends HolderDeps {
  tenancy: Pick<Tenancy, 'startSession' | 'endSession'>;
  ids: Ids;
}

const bodyOf = ({ rawBody }: RawRequest): z.output<typeof SignIn> => {
  try {
    return SignIn.parse(JSON.parse(rawBody.toString()));
  } catch {
    throw new AppError('request.malformed', 'Send {"credential": "…"} or {"link": "…"} as JSON');
  }
};

/** The session that the body asks for. Throws `session.invalid` and `session.link`. */
const requested = async (
  deps: SessionDeps,
  request: RawRequest,
): Promise<{ holder: Holder; sessionId: string; by: 'credential' | 'link' }> => {
  const body = bodyOf(request);
  const { now } = request;
  if ('credential' in body) {
    const holder = await holderOfCredential(deps, body.credential, now);
    if (!holder) throw new AppError('session.invalid', 'This credential is not valid');
    return { holder, sessionId: deps.ids.secret(SESSION_ID_LENGTH), by: 'credential' };
  }
  const link = deps.sessions.openLink(body.link);
  const holder = link && link.expiresAt > now ? await holderOf(deps, link.holder, now) : undefined;
  if (!link || !holder) {
    throw new AppError('session.link', 'This link was used already, or has expired');
  }
  return { holder, sessionId: link.id, by: 'link' };
};

const cookie = (value: string, seconds: number, host: string | undefined): string => {
  const { name, isSecure } = cookieAt(host);
  return [
    `${name}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${seconds}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
};

const PRIVATE = { 'Cache-Control': 'no-store' };

const startRoute = (deps: SessionDeps): RawRoute =>
  defineRawRoute({
    method: 'POST',
    path: PATH,
    limitBytes: BODY_BYTES_MAX,
    checkHead: ({ headers }) => refuseCrossSite({ method: 'POST', headers }),
    async handle(request) {
      const { holder, sessionId, by } = await requested(deps, request);
      const { headers, requestId, now } = request;
      const session: Ticket = { id: sessionId, holder: idOf(holder), expiresAt: now + SESSION_MS };
      await deps.tenancy.startSession(
        { sessionId, holder: session.holder, by },
        contextOf(holder, requestId),
      );
      const value = deps.sessions.seal(session);
      return reply(201, present(holder, session.expiresAt), {
        ...PRIVATE,
        'Set-Cookie': cookie(value, SESSION_MS / 1000, headers.host),
      });
    },
  });

/** Null where nobody is signed in: the console then shows its way in. */
const showRoute = (deps: SessionDeps): RawRoute =>
  defineRawRoute({
    method: 'GET',
    path: PATH,
    limitBytes: 0,
    async handle(request) {
      const current = await currentSession(deps, request);
      return reply(
        200,
        current ? present(current.holder, current.session.expiresAt) : null,
        PRIVATE,
      );
    },
  });

/** Ends the session on all instances: `sessionsOf` says which sessions of the holder. */
const endRoute = (
  deps: SessionDeps,
  path: string,
  sessionsOf: (current: Current, now: number) => Promise<readonly string[]>,
): RawRoute =>
  defineRawRoute({
    method: 'POST',
    path,
    limitBytes: 0,
    checkHead: ({ headers }) => refuseCrossSite({ method: 'POST', headers }),
    async handle(request) {
      const { headers, now, requestId } = request;
      const current = await currentSession(deps, request);
      if (current) {
        const context = contextOf(current.holder, requestId);
        for (const sessionId of await sessionsOf(current, now)) {
          await deps.tenancy.endSession(sessionId, context);
        }
      }
      const over = { ...PRIVATE, 'Set-Cookie': cookie('', 0, headers.host) };
      return reply(200, { success: true }, over);
    },
  });

/** Sign in, who is signed in, sign out here or everywhere. */
export const sessionRoutes = (deps: SessionDeps): readonly RawRoute[] => [
  startRoute(deps),
  showRoute(deps),
  endRoute(deps, `${PATH}/end`, async ({ session }) => [session.id]),
  endRoute(deps, `${PATH}/end-all`, ({ session }, now) =>
    deps.authenticator.openSessions(session.holder.id, now - SESSION_MS),
  ),
];
