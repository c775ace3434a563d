import { z } from 'zod';
import type { FreeWrites } from '../../commands/account/free-writes.ts';
import type { CommandContext } from '../../commands/core/decider.ts';
import { SESSION_MS } from '../../commands/tenancy/credentials.ts';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { StoreUnavailable } from '../../events/store.ts';
import type { Ids } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { organisationSuspended } from '../edge/admission.ts';
import { type RateLimiter, rateLimited } from '../edge/limits.ts';
import { reply } from '../edge/respond.ts';
import {
  briefId,
  cookieAt,
  refuseCrossSite,
  SESSION_ID_LENGTH,
  type Ticket,
} from '../edge/session.ts';
import { defineRawRoute, type RawRequest, type RawRoute } from '../route/raw-route.ts';
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

/** How long a session lasts whose beginning the log could not take. */
const BRIEF_MS = 15 * 60_000;
/** Sign-ins of one credential in a minute, those by its links included. */
const SIGN_INS_MAX = 120;
/** Pages of sessions of one holder: more than its sign-ins of 8 hours fill. */
const PAGES_MAX = 60;
/** Sessions that are ended side by side. */
const ENDED_TOGETHER = 50;
const BODY_BYTES_MAX = 4096;
const PATH = '/api/console/session';

const SignIn = z.union([
  z.strictObject({ credential: z.string().min(1).max(512) }),
  z.strictObject({ link: z.string().min(1).max(2048) }),
]);

export interface SessionDeps extends HolderDeps {
  tenancy: Pick<Tenancy, 'startSession' | 'endSession'>;
  freeWrites: Pick<FreeWrites, 'run'>;
  /** Windows by credential. */
  keyLimits: RateLimiter;
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

/** Each sign-in is an event: they are bounded as requests with the credential are. */
const mustBeAllowed = async ({ keyLimits }: SessionDeps, holder: Holder): Promise<void> => {
  const limit = await keyLimits.consume(`sign-in ${idOf(holder).id}`, SIGN_INS_MAX);
  if (holder.kind === 'key' && holder.key.organisationSuspended) throw organisationSuspended();
  if (!limit.allowed) throw rateLimited(limit);
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

/**
 * Begins the session. While the log is full or away, somebody must still be able to look: who has a
 * credential then gets a short session of which nothing is written. A link needs the log, which alone
 * knows that it is used once.
 */
const begin = async (
  deps: SessionDeps,
  { holder, sessionId, by }: Awaited<ReturnType<typeof requested>>,
  { requestId, now }: RawRequest,
): Promise<Ticket> => {
  const ticket = { id: sessionId, holder: idOf(holder), expiresAt: now + SESSION_MS };
  const started = { sessionId, holder: ticket.holder, by };
  const start = () => deps.tenancy.startSession(started, contextOf(holder, requestId));
  try {
    await (holder.kind === 'key' ? deps.freeWrites.run(holder.key.accountId, start) : start());
    return ticket;
  } catch (error) {
    if (by === 'link' || !(error instanceof StoreUnavailable)) throw error;
    return { ...ticket, id: briefId(sessionId), expiresAt: now + BRIEF_MS };
  }
};

const startRoute = (deps: SessionDeps): RawRoute =>
  defineRawRoute({
    method: 'POST',
    path: PATH,
    limitBytes: BODY_BYTES_MAX,
    checkHead: ({ headers }) => refuseCrossSite({ method: 'POST', headers }),
    async handle(request) {
      const asked = await requested(deps, request);
      await mustBeAllowed(deps, asked.holder);
      const session = await begin(deps, asked, request);
      const seconds = (session.expiresAt - request.now) / 1000;
      return reply(201, present(asked.holder, session.expiresAt), {
        ...PRIVATE,
        'Set-Cookie': cookie(deps.sessions.seal(session), seconds, request.headers.host),
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

/** Ends all sessions of a holder, on all instances. */
const endAll = async (
  { authenticator, tenancy }: SessionDeps,
  { session }: Current,
  context: CommandContext,
  now: number,
): Promise<void> => {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const open = await authenticator.openSessions(session.holder.id, now - SESSION_MS);
    if (open.length === 0) return;
    for (let from = 0; from < open.length; from += ENDED_TOGETHER) {
      const some = open.slice(from, from + ENDED_TOGETHER);
      await Promise.all(some.map((sessionId) => tenancy.endSession(sessionId, context)));
    }
  }
};

const endRoute = (
  deps: SessionDeps,
  path: string,
  end: (current: Current, context: CommandContext, now: number) => Promise<void>,
): RawRoute =>
  defineRawRoute({
    method: 'POST',
    path,
    limitBytes: 0,
    checkHead: ({ headers }) => refuseCrossSite({ method: 'POST', headers }),
    async handle(request) {
      const { headers, now, requestId } = request;
      const current = await currentSession(deps, request);
      if (current) await end(current, contextOf(current.holder, requestId), now);
      const over = { ...PRIVATE, 'Set-Cookie': cookie('', 0, headers.host) };
      return reply(200, { success: true }, over);
    },
  });

/** Sign in, who is signed in, sign out here or everywhere. */
export const sessionRoutes = (deps: SessionDeps): readonly RawRoute[] => [
  startRoute(deps),
  showRoute(deps),
  endRoute(deps, `${PATH}/end`, ({ session }, context) =>
    deps.tenancy.endSession(session.id, context),
  ),
  endRoute(deps, `${PATH}/end-all`, (...current) => endAll(deps, ...current)),
];
