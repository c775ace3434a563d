import { AppError, isRefusal } from '../../shared/errors.ts';
import { clientAddress, isLocalCaller } from './address.ts';
import type {
  Administrator,
  Admitted,
  AuthenticatedKey,
  EdgeContext,
  Person,
  PersonRecord,
} from './context.ts';
import {
  ADDRESS_LIMIT,
  type RateLimiter,
  rateLimited,
  SESSION_LIMIT,
  showRateLimit,
} from './limits.ts';
import { type Response, reply, unavailabilityOf } from './respond.ts';
import { isOperatorRole, operatorRights, tenantRights } from './roles.ts';
import { vouchFor } from './server.ts';
import { refuseCrossSite, type SessionHolder, type Sessions, type Ticket } from './session.ts';

/** A session that was not ended. */
interface OpenSession {
  id: string;
  startedAt: string;
  /** How its holder signed in. */
  by: string;
}

/**
 * Finds the holder of a token. Undefined for an unknown, revoked, inactive or expired token; rejects
 * only when the look-up fails. Compares in constant time.
 */
export interface Authenticator {
  apiKey(token: string, nowMs: number): Promise<AuthenticatedKey | undefined>;
  administrator(token: string): Promise<Administrator | undefined>;
  /** The holder of a session of the console, by the id that the session names. */
  apiKeyById(keyId: string, nowMs: number): Promise<AuthenticatedKey | undefined>;
  administratorById(id: string): Promise<Administrator | undefined>;
  /** A person who may sign in, by his id; undefined for one who was suspended. */
  personById(id: string): Promise<Person | undefined>;
  /** What is known of a person who may sign in or was invited; undefined for one who was suspended. */
  personRecord(id: string): Promise<PersonRecord | undefined>;
  isSuspended(organisationId: string): Promise<boolean>;
  /** The hashes of one address wait for each other, and not those of others for them. */
  personByPassword(email: string, password: string, address: string): Promise<Person | undefined>;
  /** The accounts that the person may act for. */
  accountsOf(person: Person): Promise<readonly { id: string; name: string }[]>;
  /**
   * The rights of the person in an account of his: the asked one, else his only one, or any. Throws
   * `person.account` and `resource.unknown`.
   */
  keyOfPerson(
    person: Person,
    asked: { accountId: string | undefined; isAny: boolean },
  ): Promise<AuthenticatedKey>;
  /** Whether a session was started, and not ended. */
  isOpen(sessionId: string): Promise<boolean>;
  /** The holder's sessions that started after a time and were not ended, the newest first; 1,000 at most. */
  openSessions(holderId: string, afterMs: number): Promise<readonly OpenSession[]>;
}

const BEARER = /^Bearer ([!-~]{1,512})$/i;

const SEND_HEADER = 'Send the credential in the header Authorization: Bearer <credential>.';

/** The result of a credential's look-up. */
type Finding<T> = { holder: T } | { refusal: AppError };

const found = async <T>(
  lookup: Promise<T | undefined>,
  unknown: () => AppError,
): Promise<Finding<T>> => {
  try {
    const holder = await lookup;
    return holder === undefined ? { refusal: unknown() } : { holder };
  } catch (cause) {
    // Read models that lag or are away cannot tell now whether a credential is valid; contract 5.5.
    const refusal =
      unavailabilityOf(cause) ??
      new AppError('key.lookup_failed', 'Authentication lookup failed', { cause });
    return { refusal };
  }
};

const sessionEnded = (): AppError => new AppError('session.ended', 'The session has ended');

/** Looks the holder of a session up; `lookup` finds none of a kind that may not call. */
const identifySession = async <T>(
  { id, holder, expiresAt }: Ticket,
  now: number,
  isOpen: Authenticator['isOpen'],
  lookup: (holder: SessionHolder) => Promise<T | undefined>,
): Promise<Finding<T>> => {
  if (expiresAt <= now) return { refusal: sessionEnded() };
  const ofOpen = async () => ((await isOpen(id)) ? lookup(holder) : undefined);
  return found(ofOpen(), sessionEnded);
};

/** The holder of a session who may call for an account. */
const callerOf =
  (authenticator: Authenticator, now: number) =>
  async ({ kind, id }: SessionHolder): Promise<AuthenticatedKey | Person | undefined> => {
    if (kind === 'key') return authenticator.apiKeyById(id, now);
    const person = kind === 'person' ? await authenticator.personById(id) : undefined;
    return person?.organisationId == null ? undefined : person;
  };

/** The holder of a session who may administer. */
const operatorOf =
  (authenticator: Authenticator) =>
  async ({ kind, id }: SessionHolder): Promise<Administrator | undefined> => {
    if (kind === 'administrator') return authenticator.administratorById(id);
    const person = kind === 'person' ? await authenticator.personById(id) : undefined;
    return person && administratorOf(person);
  };

/** A person as an administrator; undefined for one of an organisation. */
const administratorOf = ({ id, name, email, role }: Person): Administrator | undefined =>
  isOperatorRole(role) ? { id, name, email, role, isPerson: true } : undefined;

/**
 * Looks a credential up. Every invalid one gets the same refusal, so that a caller cannot tell a
 * revoked key from an unknown one.
 */
const identify = async <T>(
  header: string | undefined,
  now: number,
  lookup: (token: string, nowMs: number) => Promise<T | undefined>,
  unknown: (hint?: string) => AppError,
): Promise<Finding<T>> => {
  const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
  return token === undefined
    ? { refusal: unknown(SEND_HEADER) }
    : found(lookup(token, now), unknown);
};

const invalidKey = (hint?: string): AppError =>
  new AppError('key.invalid', 'Missing or invalid API key', { hint });

const invalidAdministrator = (hint?: string): AppError =>
  new AppError('administrator.invalid', 'Missing or invalid administrator token', { hint });

/** Contract 5.3. Applies to browsers only: a server sends no origin. */
const mayComeFrom = ({ allowedOrigins }: AuthenticatedKey, origin: string): boolean =>
  allowedOrigins === null ||
  allowedOrigins.some((allowed) => allowed.toLowerCase() === origin.toLowerCase());

const originRefused = (origin: string): AppError =>
  new AppError('key.origin', `Origin ${origin.slice(0, 200)} is not allowed for this key`);

export const organisationSuspended = (): AppError =>
  new AppError('organisation.suspended', 'The organisation that owns this key is suspended');

export const hasScope = ({ scopes }: Pick<AuthenticatedKey, 'scopes'>, scope: string): boolean =>
  scopes === null || scopes.includes(scope);

/** Throws where a key, or the role of a person, has none of these scopes. */
export const requireScope = (
  { scopes, person }: Pick<AuthenticatedKey, 'scopes' | 'person'>,
  scope: string | readonly string[],
): void => {
  if (scopes === null) return;
  const any = typeof scope === 'string' ? [scope] : scope;
  if (any.some((one) => scopes.includes(one))) return;
  const who = person ? `The role ${person.role}` : 'This key';
  throw new AppError('key.scope', `${who} lacks the scope ${any.join(' or ')}`);
};

/** Lets every operator read, and call the routes that are for his role. */
export const requireWrite = ({ role }: Administrator, access: string, method: string): void => {
  const { writes } = operatorRights[role];
  if (writes === 'all' || method === 'GET' || method === 'HEAD' || writes.includes(access)) return;
  const who = role === 'auditor' ? 'An auditor' : 'Support';
  throw new AppError('administrator.read_only', `${who} may only read`);
};

/** Whether texts, names and numbers of customers are hidden from the caller. */
export const isHidden = ({ key, administrator }: Omit<Admitted, 'body' | 'bodyBytes'>): boolean => {
  if (administrator) return !operatorRights[administrator.role].seesContents;
  const role = key?.person?.role;
  return role !== undefined && !isOperatorRole(role) && !tenantRights[role].seesContents;
};

const EXPOSED_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Waybill-Warnings',
  'X-Message-Category',
  'X-Message-Price',
  'X-Credits-Charged',
  'X-Credits-Remaining',
  'X-Wallet-Balance',
  'X-Request-Id',
  'Idempotency-Replayed',
].join(', ');

/** Request headers that a page may send. */
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id';
const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': REQUEST_HEADERS,
  'Access-Control-Max-Age': '3600',
};

export const isPreflight = ({ req: { method, headers } }: EdgeContext): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** Lets the page at `origin` read the response. */
const allowOrigin = ({ state }: EdgeContext, origin: string): void => {
  state.headers['Access-Control-Allow-Origin'] = origin;
  state.headers['Access-Control-Expose-Headers'] = EXPOSED_HEADERS;
};

/**
 * The result of checking a request's head. With `holder` the credential is valid and the body may be
 * read, even before a refusal; without `holder` nothing more of the request is read.
 */
export type Verdict<T> =
  | { holder: T; refusal?: AppError }
  | { holder?: undefined; refusal: AppError };

export interface AdmissionOptions {
  authenticator: Authenticator;
  /** Sessions of the console, of requests without an `Authorization` header. */
  sessions: Sessions;
  /** Windows by key; shared by all instances when there are several. */
  keyLimits: RateLimiter;
  /** Windows by client address, for requests without a valid credential. */
  addressLimits: RateLimiter;
  trustProxyHops: number;
  /** Treats every caller as an operator: for a port that is not public. */
  onlyOperators?: boolean;
}

/** Checks the credentials of a request. Sets response headers, and no body or status. */
export interface Admission {
  key(ctx: EdgeContext): Promise<Verdict<AuthenticatedKey>>;
  administrator(ctx: EdgeContext): Promise<Verdict<Administrator>>;
  /**
   * The response to a preflight. Allows every origin, because a preflight carries no key; the request
   * itself may be refused. Shows the rate limit of its address without counting it.
   */
  preflight(ctx: EdgeContext): Promise<Response>;
  /** Counts a wrong secret and returns the refusal: 429 over the limit of the address. */
  guess(ctx: EdgeContext, refusal: AppError): Promise<AppError>;
  /** Whether the address has used up its limit of wrong secrets. */
  isOverLimit(ctx: EdgeContext): Promise<boolean>;
  /**
   * Whether the caller is an operator: an administrator, a caller on this machine, or any caller on
   * a port for operators. Throws for an invalid token.
   */
  isOperator(ctx: EdgeContext): Promise<boolean>;
}

type Guess = Admission['guess'];

const createGuess =
  ({ addressLimits, trustProxyHops }: AdmissionOptions): Guess =>
  async (ctx, refusal) => {
    const address = clientAddress(ctx.req, trustProxyHops);
    // The caller did not cause a failed look-up.
    const isFault = isRefusal(refusal, 'key.lookup_failed', 'service.unavailable');
    const limit = isFault
      ? await addressLimits.peek(address, ADDRESS_LIMIT)
      : await addressLimits.consume(address, ADDRESS_LIMIT);
    showRateLimit(ctx, limit);
    return isFault || limit.allowed ? refusal : rateLimited(limit);
  };

/** The session of a request without an `Authorization` header. Throws for a request that another site caused. */
const sessionOf = (sessions: Sessions, { req, state }: EdgeContext): Ticket | undefined => {
  if (req.headers.cookie === undefined) return undefined;
  const session = sessions.of(req);
  if (!session) return undefined;
  refuseCrossSite(req);
  state.session = session;
  return session;
};

/** Paths about the organisation, whichever of its accounts is named. */
const OF_ORGANISATION = /^\/api\/v1\/people(\/|$)/;

/** The account that a person with several means. A browser's stream of events sends no headers. */
const accountAskedBy = ({ req, query, path }: EdgeContext) => {
  const asked = req.headers['x-waybill-account'] ?? query.account;
  const accountId = typeof asked === 'string' ? asked : undefined;
  return { accountId, isAny: OF_ORGANISATION.test(path) };
};

const createKeyCheck =
  ({ authenticator, sessions, keyLimits }: AdmissionOptions, guess: Guess): Admission['key'] =>
  async (ctx) => {
    const { origin, authorization } = ctx.req.headers;
    const { receivedAt: now } = ctx.state;
    const session = authorization === undefined ? sessionOf(sessions, ctx) : undefined;
    const finding = session
      ? await identifySession(session, now, authenticator.isOpen, callerOf(authenticator, now))
      : await identify(authorization, now, authenticator.apiKey, invalidKey);
    if ('refusal' in finding) {
      // Lets the page read the refusal, because no key restricts its origin.
      if (origin !== undefined) allowOrigin(ctx, origin);
      return { refusal: await guess(ctx, finding.refusal) };
    }
    vouchFor(ctx.req.socket);
    const { holder: found } = finding;
    const isKey = 'keyId' in found;
    // The pages of the console take nothing from the programs that hold the same key.
    const limit =
      isKey && !session
        ? await keyLimits.consume(found.keyId, found.rateLimit)
        : await keyLimits.consume(`console ${isKey ? found.keyId : found.id}`, SESSION_LIMIT);
    showRateLimit(ctx, limit);
    if (!isKey && !limit.allowed) return { refusal: rateLimited(limit) };
    const holder = isKey ? found : await authenticator.keyOfPerson(found, accountAskedBy(ctx));
    // A key over its limit gets no body read.
    const known = limit.allowed ? { holder } : {};
    // A session comes from the console's own page alone.
    if (origin !== undefined && !session) {
      if (!mayComeFrom(holder, origin)) return { ...known, refusal: originRefused(origin) };
      allowOrigin(ctx, origin);
    }
    if (holder.organisationSuspended) return { ...known, refusal: organisationSuspended() };
    return limit.allowed ? { holder } : { refusal: rateLimited(limit) };
  };

const createAdministratorCheck =
  ({ authenticator, sessions }: AdmissionOptions, guess: Guess): Admission['administrator'] =>
  async (ctx) => {
    const { authorization } = ctx.req.headers;
    const { receivedAt: now } = ctx.state;
    const session = authorization === undefined ? sessionOf(sessions, ctx) : undefined;
    const finding = session
      ? await identifySession(session, now, authenticator.isOpen, operatorOf(authenticator))
      : await identify(authorization, now, authenticator.administrator, invalidAdministrator);
    if ('refusal' in finding) return { refusal: await guess(ctx, finding.refusal) };
    vouchFor(ctx.req.socket);
    return finding;
  };

export const createAdmission = (options: AdmissionOptions): Admission => {
  const { addressLimits, trustProxyHops, onlyOperators = false } = options;
  const guess = createGuess(options);
  const administrator = createAdministratorCheck(options, guess);
  const look = (ctx: EdgeContext) =>
    addressLimits.peek(clientAddress(ctx.req, trustProxyHops), ADDRESS_LIMIT);
  return {
    guess,
    administrator,
    key: createKeyCheck(options, guess),
    async preflight(ctx) {
      showRateLimit(ctx, await look(ctx));
      allowOrigin(ctx, ctx.req.headers.origin!);
      return reply(204, undefined, PREFLIGHT_HEADERS);
    },
    isOverLimit: async (ctx) => (await look(ctx)).remaining === 0,
    async isOperator(ctx) {
      if (onlyOperators) return true;
      if (ctx.req.headers.authorization === undefined) {
        const holder = sessionOf(options.sessions, ctx)?.holder;
        const mayBe =
          holder?.kind === 'person'
            ? await operatorOf(options.authenticator)(holder)
            : holder?.kind === 'administrator';
        if (!mayBe) return isLocalCaller(ctx.req, trustProxyHops);
      }
      const { refusal } = await administrator(ctx);
      if (refusal) throw refusal;
      return true;
    },
  };
};
