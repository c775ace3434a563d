import { z } from 'zod';
import type { FreeWrites } from '../../commands/account/free-writes.ts';
import type { CommandContext } from '../../commands/core/decider.ts';
import type { People } from '../../commands/people/people.ts';
import { SESSION_MS } from '../../commands/tenancy/credentials.ts';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { StoreUnavailable } from '../../events/store.ts';
import type { Ids } from '../../shared/clock.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../shared/passwords.ts';
import { organisationSuspended } from '../edge/admission.ts';
import { type RateLimiter, rateLimited } from '../edge/limits.ts';
import { reply } from '../edge/respond.ts';
import {
  briefId,
  refuseCrossSite,
  SESSION_ID_LENGTH,
  setCookie,
  type Ticket,
} from '../edge/session.ts';
import { defineRawRoute, type RawRequest, type RawRoute } from '../route/raw-route.ts';
import { createdPasskey, PasskeyAnswer, signedIn } from './passkeys.ts';
import {
  type Current,
  contextOf,
  currentSession,
  type Holder,
  type HolderDeps,
  holderOf,
  holderOfCredential,
  idOf,
  mustBeSignedIn,
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
/** What a browser answers with a new passkey is a few KB. */
export const BODY_BYTES_MAX = 16_384;
const PATH = '/api/console/session';
/** All of the holder. */
const OWN = '/api/console/sessions';
/** What the passkey of an invitation is called. */
const FIRST = 'First passkey';

const SignIn = z.union([
  z.strictObject({ credential: z.string().min(1).max(512) }),
  z.strictObject({ link: z.string().min(1).max(2048) }),
  z.strictObject({
    email: z.string().min(1).max(320),
    password: z.string().min(1).max(PASSWORD_LENGTH_MAX),
  }),
  z.strictObject({ passkey: PasskeyAnswer }),
]);

const invited = { link: z.string().min(1).max(2048) };
const Acceptance = z.union([
  z.strictObject({ ...invited, password: z.string().min(1).max(PASSWORD_LENGTH_MAX) }),
  z.strictObject({ ...invited, passkey: PasskeyAnswer }),
]);

export interface SessionDeps extends HolderDeps {
  tenancy: Pick<Tenancy, 'startSession' | 'endSession'>;
  freeWrites: Pick<FreeWrites, 'run'>;
  people: Pick<People, 'accept' | 'idOf'>;
  /** Windows by credential. */
  keyLimits: RateLimiter;
  ids: Ids;
}

/** The body as one of the forms. */
export const bodyOf = <T>({ rawBody }: RawRequest, schema: z.ZodType<T>, forms: string): T => {
  try {
    return schema.parse(JSON.parse(rawBody.toString()));
  } catch {
    throw new AppError('request.malformed', `Send ${forms} as JSON`);
  }
};

const SIGN_INS =
  '{"email": "…", "password": "…"}, {"passkey": {…}}, {"credential": "…"} or {"link": "…"}';
const ACCEPTANCE = '{"link": "…", "password": "…"} or {"link": "…", "passkey": {…}}';

interface Asked {
  holder: Holder;
  sessionId: string;
  by: 'credential' | 'link' | 'password' | 'invitation' | 'openid' | 'passkey';
  /** Where it is shorter than that of others. */
  lastsMs?: number | undefined;
}

const newSession = ({ ids }: SessionDeps, holder: Holder, by: Asked['by']): Asked => ({
  holder,
  sessionId: ids.secret(SESSION_ID_LENGTH),
  by,
});

const limitOf = ({ keyLimits }: Pick<SessionDeps, 'keyLimits'>, id: string) =>
  keyLimits.consume(`sign-in ${id}`, SIGN_INS_MAX);

/** Bounds what a holder writes about the own ways in. */
export const mustBeWithinLimit = async (
  deps: Pick<SessionDeps, 'keyLimits'>,
  id: string,
): Promise<void> => {
  const limit = await limitOf(deps, id);
  if (!limit.allowed) throw rateLimited(limit);
};

/** Guesses of a password are counted before they are compared, which costs more than the count. */
const withPassword = async (
  deps: SessionDeps,
  { email, password }: { email: string; password: string },
  { address }: RawRequest,
): Promise<Asked> => {
  await mustBeWithinLimit(deps, deps.people.idOf(email));
  const person = await deps.authenticator.personByPassword(email, password, address);
  if (!person) throw new AppError('session.invalid', 'E-mail and password do not match');
  return newSession(deps, { kind: 'person', person }, 'password');
};

/** The session that the body asks for. Throws `session.invalid` and `session.link`. */
const requested = async (deps: SessionDeps, request: RawRequest): Promise<Asked> => {
  const body = bodyOf(request, SignIn, SIGN_INS);
  const { now } = request;
  if ('email' in body) return withPassword(deps, body, request);
  if ('passkey' in body) {
    const { personId, sessionId } = await signedIn(deps, body.passkey, request);
    const holder = await holderOf(deps, { kind: 'person', id: personId }, now);
    if (!holder) throw new AppError('session.invalid', 'This person may not sign in');
    return { holder, sessionId, by: 'passkey' };
  }
  if ('credential' in body) {
    const holder = await holderOfCredential(deps, body.credential, now);
    if (!holder) throw new AppError('session.invalid', 'This credential is not valid');
    return newSession(deps, holder, 'credential');
  }
  const link = deps.sessions.openLink(body.link);
  const holder = link && link.expiresAt > now ? await holderOf(deps, link.holder, now) : undefined;
  if (!link || !holder) {
    throw new AppError('session.link', 'This link was used already, or has expired');
  }
  return { holder, sessionId: link.id, by: 'link' };
};

/** Ways that were counted before it was known who signs in. */
const COUNTED: readonly Asked['by'][] = ['password', 'openid'];

/** Each sign-in is an event: they are bounded as requests with the credential are. */
const mustBeAllowed = async (deps: SessionDeps, { holder, by }: Asked): Promise<void> => {
  const limit = COUNTED.includes(by) ? undefined : await limitOf(deps, idOf(holder).id);
  if (await isSuspended(deps, holder)) throw organisationSuspended();
  if (limit && !limit.allowed) throw rateLimited(limit);
};

const isSuspended = async ({ authenticator }: SessionDeps, holder: Holder): Promise<boolean> => {
  if (holder.kind === 'key') return holder.key.organisationSuspended;
  if (holder.kind === 'administrator' || holder.person.organisationId === null) return false;
  return authenticator.isSuspended(holder.person.organisationId);
};

/** Of answers that no cache keeps. */
export const PRIVATE = { 'Cache-Control': 'no-store' };

/**
 * Begins the session. While the log is full or away, somebody must still be able to look: who has a
 * credential then gets a short session of which nothing is written. A link needs the log, which alone
 * knows that it is used once.
 */
const begin = async (
  deps: SessionDeps,
  { holder, sessionId, by, lastsMs = SESSION_MS }: Asked,
  { requestId, now }: RawRequest,
): Promise<Ticket> => {
  const ticket = { id: sessionId, holder: idOf(holder), expiresAt: now + lastsMs };
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

/** Begins the session of somebody who may, with the headers that hand it to the browser. */
export const startSession = async (deps: SessionDeps, asked: Asked, request: RawRequest) => {
  await mustBeAllowed(deps, asked);
  const session = await begin(deps, asked, request);
  const seconds = (session.expiresAt - request.now) / 1000;
  const value = deps.sessions.seal(session);
  const cookie = setCookie(request.headers.host, { value, seconds });
  return { session, headers: { ...PRIVATE, 'Set-Cookie': cookie } };
};

const startRoute = (
  deps: SessionDeps,
  path: string,
  ask: (deps: SessionDeps, request: RawRequest) => Promise<Asked>,
): RawRoute =>
  defineRawRoute({
    method: 'POST',
    path,
    limitBytes: BODY_BYTES_MAX,
    checkHead: ({ headers }) => refuseCrossSite({ method: 'POST', headers }),
    async handle(request) {
      const asked = await ask(deps, request);
      const { session, headers } = await startSession(deps, asked, request);
      return reply(201, await present(deps, asked.holder, session.expiresAt), headers);
    },
  });

/** The invitation of a link, or of its end. Throws `session.link` once it is over. */
export const invitationIn = (
  { sessions }: Pick<SessionDeps, 'sessions'>,
  link: string,
  now: number,
): Ticket => {
  const invitation = sessions.openInvitation(link.slice(link.indexOf('=') + 1));
  if (invitation && invitation.expiresAt > now) return invitation;
  throw new AppError('session.link', 'This link was used already, or has expired');
};

const mustBeLong = ({ length }: string): void => {
  if (length >= PASSWORD_LENGTH_MIN) return;
  const problem = `must have at least ${PASSWORD_LENGTH_MIN} characters`;
  throw invalidFields({ password: [problem] });
};

/** The person of an invitation chooses a password or makes a passkey, and is signed in with it. */
const accepted = async (deps: SessionDeps, request: RawRequest): Promise<Asked> => {
  const body = bodyOf(request, Acceptance, ACCEPTANCE);
  const { id: invitationId, holder: invited } = invitationIn(deps, body.link, request.now);
  const personId = invited.id;
  if ('password' in body) mustBeLong(body.password);
  const way =
    'password' in body
      ? { password: body.password }
      : { passkey: await createdPasskey(deps, body.passkey, { personId, name: FIRST }, request) };
  await deps.people.accept({ personId, invitationId }, way, request.requestId);
  const holder = await holderOf(deps, invited, request.now);
  if (!holder) throw new AppError('session.link', 'This person may not sign in');
  return newSession(deps, holder, 'invitation');
};

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
        current ? await present(deps, current.holder, current.session.expiresAt) : null,
        PRIVATE,
      );
    },
  });

const openOf = ({ authenticator }: Pick<SessionDeps, 'authenticator'>, id: string, now: number) =>
  authenticator.openSessions(id, now - SESSION_MS);

/** What the page shows of a holder's sessions, the newest. */
const SHOWN_MAX = 100;

/** Where a holder is signed in. A session is known by its beginning: nothing is kept of the device. */
const listRoute = (deps: SessionDeps): RawRoute =>
  defineRawRoute({
    method: 'GET',
    path: OWN,
    limitBytes: 0,
    async handle(request) {
      const { session } = await mustBeSignedIn(deps, request);
      const open = await openOf(deps, session.holder.id, request.now);
      const shown = open
        .slice(0, SHOWN_MAX)
        .map(({ id, startedAt, by }) => ({ id, startedAt, by, isThis: id === session.id }));
      return reply(200, { sessions: shown }, PRIVATE);
    },
  });

/** Ends one of the holder's own. */
const endOneRoute = (deps: SessionDeps): RawRoute =>
  defineRawRoute({
    method: 'POST',
    path: `${OWN}/:id/end`,
    limitBytes: 0,
    checkHead: ({ headers }) => refuseCrossSite({ method: 'POST', headers }),
    async handle(request) {
      const { session, holder } = await mustBeSignedIn(deps, request);
      const open = await openOf(deps, session.holder.id, request.now);
      const found = open.find(({ id }) => id === request.params.id);
      if (!found) throw new AppError('resource.unknown', 'Session not found');
      await deps.tenancy.endSession(found.id, contextOf(holder, request.requestId));
      return reply(200, { success: true }, PRIVATE);
    },
  });

/** Ends all sessions of a holder, on all instances. */
export const endSessionsOf = async (
  { authenticator, tenancy }: Pick<SessionDeps, 'authenticator' | 'tenancy'>,
  holderId: string,
  context: CommandContext,
  now: number,
): Promise<void> => {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const open = await openOf({ authenticator }, holderId, now);
    if (open.length === 0) return;
    for (let from = 0; from < open.length; from += ENDED_TOGETHER) {
      const some = open.slice(from, from + ENDED_TOGETHER);
      await Promise.all(some.map(({ id }) => tenancy.endSession(id, context)));
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
      const cookie = setCookie(headers.host, { value: '', seconds: 0 });
      const over = { ...PRIVATE, 'Set-Cookie': cookie };
      return reply(200, { success: true }, over);
    },
  });

/** Sign in, who is signed in and where, sign out here or everywhere. */
export const sessionRoutes = (deps: SessionDeps): readonly RawRoute[] => [
  startRoute(deps, PATH, requested),
  startRoute(deps, '/api/console/invitations/accept', accepted),
  showRoute(deps),
  endRoute(deps, `${PATH}/end`, ({ session }, context) =>
    deps.tenancy.endSession(session.id, context),
  ),
  endRoute(deps, `${PATH}/end-all`, ({ session }, ...rest) =>
    endSessionsOf(deps, session.holder.id, ...rest),
  ),
  listRoute(deps),
  endOneRoute(deps),
];
