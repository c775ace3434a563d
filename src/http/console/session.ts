import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import type { Ids } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Administrator, AuthenticatedKey, Authenticator } from '../edge/auth.ts';
import { actorOf } from '../edge/context.ts';
import {
  refuseCrossSite,
  SESSION_COOKIE,
  type SessionHolder,
  type Sessions,
  type Ticket,
} from '../edge/session.ts';
import { defineRawRoute, type RawRequest, type RawRoute } from '../route/raw-route.ts';
import { reply } from '../route/response.ts';

const HOUR_MS = 3_600_000;
/** A session ends after this, used or not. */
export const SESSION_MS = 8 * HOUR_MS;
const BODY_BYTES_MAX = 4096;
const PATH = '/api/console/session';

const SignIn = z.union([
  z.strictObject({ credential: z.string().min(1).max(512) }),
  z.strictObject({ link: z.string().min(1).max(2048) }),
]);

export interface SessionDeps {
  authenticator: Authenticator;
  sessions: Sessions;
  tenancy: Pick<Tenancy, 'startSession'>;
  ids: Ids;
}

/** Who is signed in, as the console shows it. */
type Holder =
  | { kind: 'administrator'; administrator: Administrator }
  | { kind: 'key'; key: AuthenticatedKey };

const present = (holder: Holder, expiresAt: number) => ({
  ...(holder.kind === 'administrator'
    ? { kind: holder.kind, ...holder.administrator }
    : {
        kind: holder.kind,
        id: holder.key.keyId,
        accountId: holder.key.accountId,
        scopes: holder.key.scopes,
      }),
  expiresAt: new Date(expiresAt).toISOString(),
});

const idOf = (holder: Holder): SessionHolder =>
  holder.kind === 'administrator'
    ? { kind: holder.kind, id: holder.administrator.id }
    : { kind: holder.kind, id: holder.key.keyId };

const holderOf = async (
  { authenticator }: SessionDeps,
  { kind, id }: SessionHolder,
  now: number,
): Promise<Holder | undefined> => {
  if (kind === 'administrator') {
    const administrator = await authenticator.administratorById(id);
    return administrator && { kind, administrator };
  }
  const key = await authenticator.apiKeyById(id, now);
  return key && { kind, key };
};

const holderOfCredential = async (
  { authenticator }: SessionDeps,
  credential: string,
  now: number,
): Promise<Holder | undefined> => {
  const administrator = await authenticator.administrator(credential);
  if (administrator) return { kind: 'administrator', administrator };
  const key = await authenticator.apiKey(credential, now);
  return key && { kind: 'key', key };
};

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
    return { holder, sessionId: deps.ids.uuid(), by: 'credential' };
  }
  const link = deps.sessions.openLink(body.link);
  const holder = link && link.expiresAt > now ? await holderOf(deps, link.holder, now) : undefined;
  if (!link || !holder) {
    throw new AppError('session.link', 'This link was used already, or has expired');
  }
  return { holder, sessionId: link.id, by: 'link' };
};

/** Browsers keep a `Secure` cookie of this machine only over HTTPS, some of them. */
const isThisMachine = (host: string | undefined): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host ?? '');

const cookie = (value: string, seconds: number, host: string | undefined): string =>
  [
    `${SESSION_COOKIE}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${seconds}`,
    ...(isThisMachine(host) ? [] : ['Secure']),
  ].join('; ');

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
        {
          requestId,
          ...(holder.kind === 'administrator'
            ? { by: actorOf(holder.administrator) }
            : { accountId: holder.key.accountId }),
        },
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
    async handle({ headers, now }) {
      const session = deps.sessions.of({ headers });
      const holder =
        session && session.expiresAt > now ? await holderOf(deps, session.holder, now) : undefined;
      return reply(200, session && holder ? present(holder, session.expiresAt) : null, PRIVATE);
    },
  });

const endRoute: RawRoute = defineRawRoute({
  method: 'POST',
  path: `${PATH}/end`,
  limitBytes: 0,
  checkHead: ({ headers }) => refuseCrossSite({ method: 'POST', headers }),
  handle: ({ headers }) =>
    reply(200, { success: true }, { ...PRIVATE, 'Set-Cookie': cookie('', 0, headers.host) }),
});

/** Sign in, who is signed in, sign out. */
export const sessionRoutes = (deps: SessionDeps): readonly RawRoute[] => [
  startRoute(deps),
  showRoute(deps),
  endRoute,
];
