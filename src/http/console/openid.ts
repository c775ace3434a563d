import type { OpenId, PendingSignIn } from '../../commands/people/openid.ts';
import type { People } from '../../commands/people/people.ts';
import { refused } from '../../commands/people/person.ts';
import { AppError } from '../../shared/errors.ts';
import { escapeHtml } from '../../shared/html.ts';
import type { Logger } from '../../shared/logger.ts';
import { ADDRESS_LIMIT, type RateLimiter, rateLimited } from '../edge/limits.ts';
import { type Response, refusalOf, reply, responseOf } from '../edge/respond.ts';
import { cookieIn, originAt, SESSION_ID_LENGTH, setCookie } from '../edge/session.ts';
import { POLICY } from '../route/content.ts';
import { defineRawRoute, type RawRequest, type RawRoute } from '../route/raw-route.ts';
import { PRIVATE, type SessionDeps, startSession } from './session.ts';
import { holderOf } from './session-holder.ts';

// Sign-in with OpenID Connect: the browser is led to the issuer, and back to the callback.

export interface OpenIdDeps extends SessionDeps {
  /** Null where no issuer is set. */
  openId: OpenId | null;
  people: SessionDeps['people'] & Pick<People, 'admit'>;
  /** Windows by client address. */
  addressLimits: RateLimiter;
  logger: Logger;
}

const CALLBACK = '/api/console/oidc/callback';
const COOKIE = 'waybill_sign_in';
/** Time to sign in at the issuer. */
const PENDING_MS = 10 * 60_000;
/** Whose role a claim gives is led to the issuer again after this, which may have taken the claim away. */
const CLAIM_MS = 3_600_000;

interface Kept extends PendingSignIn {
  /** The session gets this id, so that one sign-in begins one session. */
  sessionId: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

const textOf = ({ sessionId, expiresAt, state, nonce, verifier }: Kept): string =>
  [sessionId, expiresAt.toString(36), state, nonce, verifier].join('.');

/** The sign-in that this browser has begun; undefined where it is over. */
const keptIn = ({ sessions }: OpenIdDeps, { headers, now }: RawRequest): Kept | undefined => {
  const text = sessions.openPending(cookieIn(headers, COOKIE) ?? '');
  if (text === undefined) return undefined;
  const [sessionId, end, state, nonce, verifier] = text.split('.') as [string, ...string[]];
  const expiresAt = Number.parseInt(end!, 36);
  return expiresAt <= now
    ? undefined
    : { sessionId, expiresAt, state: state!, nonce: nonce!, verifier: verifier! };
};

const begin = async (deps: OpenIdDeps, openId: OpenId, { headers: { host }, now }: RawRequest) => {
  const { url, pending } = await openId.begin(`${originAt(host)}${CALLBACK}`);
  const sessionId = deps.ids.secret(SESSION_ID_LENGTH);
  const kept = { ...pending, sessionId, expiresAt: now + PENDING_MS };
  const cookie = setCookie(host, {
    name: COOKIE,
    value: deps.sessions.sealPending(textOf(kept)),
    seconds: PENDING_MS / 1000,
    isLax: true,
  });
  return reply(302, undefined, { ...PRIVATE, Location: url, 'Set-Cookie': cookie });
};

const finish = async (deps: OpenIdDeps, openId: OpenId, request: RawRequest) => {
  const { headers, query, address, now, requestId } = request;
  const limit = await deps.addressLimits.consume(address, ADDRESS_LIMIT);
  if (!limit.allowed) throw rateLimited(limit);
  const kept = keptIn(deps, request);
  if (!kept) {
    const sentence = 'This sign-in was begun in another browser, or more than 10 minutes ago';
    throw new AppError('session.openid', sentence);
  }
  const answer = new URL(`${originAt(headers.host)}${CALLBACK}`);
  for (const [name, value] of Object.entries(query)) answer.searchParams.set(name, value ?? '');
  const claims = await openId.finish(answer, kept);
  const { personId, isMapped } = await deps.people.admit(claims, requestId);
  const holder = await holderOf(deps, { kind: 'person', id: personId }, now);
  if (!holder) throw refused('This person may not sign in');
  const asked = { holder, sessionId: kept.sessionId, by: 'openid' as const };
  const lastsMs = isMapped ? CLAIM_MS : undefined;
  const started = await startSession(deps, { ...asked, lastsMs }, request);
  return reply(302, undefined, { ...started.headers, Location: '/console' });
};

/** A refusal as a page, for the browser that was led here. */
const pageOf = (refusal: AppError): Response => {
  const { status, headers, body } = responseOf(refusal);
  const text = [body.error, body.hint].map((line) => `<p>${escapeHtml(String(line ?? ''))}</p>`);
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill: sign in</title>
<main>
<h1>You are not signed in</h1>
${text.join('\n')}
<p><a href="/console">Back to the sign-in page</a></p>
</main>
</html>
`;
  return reply(status, html, {
    ...headers,
    ...PRIVATE,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
  });
};

type Step = (deps: OpenIdDeps, openId: OpenId, request: RawRequest) => Promise<Response>;

const stepRoute = (deps: OpenIdDeps, openId: OpenId, path: string, step: Step): RawRoute =>
  defineRawRoute({
    method: 'GET',
    path,
    limitBytes: 0,
    async handle(request) {
      try {
        return await step(deps, openId, request);
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal || !(request.headers.accept ?? '').includes('text/html')) throw error;
        const { requestId } = request;
        const reason = refusal.cause instanceof Error ? refusal.cause.message : undefined;
        deps.logger.info({ requestId, code: refusal.code, reason }, 'A sign-in was refused');
        return pageOf(refusal);
      }
    },
  });

/** How people may sign in beside a password, and the way there and back. */
export const openIdRoutes = (deps: OpenIdDeps): readonly RawRoute[] => {
  const { openId } = deps;
  const shown = { openId: openId && new URL(openId.issuer).host };
  return [
    defineRawRoute({
      method: 'GET',
      path: '/api/console/sign-in',
      limitBytes: 0,
      handle: () => reply(200, shown, PRIVATE),
    }),
    ...(openId
      ? [
          stepRoute(deps, openId, '/api/console/oidc/start', begin),
          stepRoute(deps, openId, CALLBACK, finish),
        ]
      : []),
  ];
};
