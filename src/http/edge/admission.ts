import { type AppError, isRefusal } from '../../shared/errors.ts';
import {
  type Administrator,
  type AuthenticatedKey,
  type Authenticator,
  identify,
  identifySession,
  invalidAdministrator,
  invalidKey,
  mayComeFrom,
  organisationSuspended,
  originRefused,
} from './auth.ts';
import { vouchFor } from './connections.ts';
import { ADDRESS_LIMIT, type RateLimiter, rateLimited, showRateLimit } from './limits.ts';
import { clientAddress, type EdgeContext, isLocalCaller } from './request.ts';
import { refuseCrossSite, type Sessions, type Ticket } from './session.ts';

// The CORS headers for browsers whose origin a key allows. auth.ts checks the key and the origin.

const EXPOSED_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
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
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const PREFLIGHT_SECONDS = '3600';

export const isPreflight = ({ req }: EdgeContext): boolean =>
  req.method === 'OPTIONS' &&
  req.headers.origin !== undefined &&
  req.headers['access-control-request-method'] !== undefined;

/** Lets the page at `origin` read the response. */
export const allowOrigin = (ctx: EdgeContext, origin: string): void => {
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
};

/** Allows every origin, because a preflight carries no key; the request itself may be refused. */
export const answerPreflight = (ctx: EdgeContext): void => {
  allowOrigin(ctx, ctx.req.headers.origin!);
  ctx.set('Access-Control-Allow-Methods', METHODS);
  ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS);
  ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  ctx.status = 204;
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
  /** Shows a preflight the rate limit of its address without counting it: it can carry no key. */
  preflight(ctx: EdgeContext): Promise<void>;
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

/** The session of a request that brings no credential. Throws for a request that another site caused. */
const sessionOf = (sessions: Sessions, { req, state }: EdgeContext): Ticket | undefined => {
  if (req.headers.authorization !== undefined || req.headers.cookie === undefined) return undefined;
  const session = sessions.of(req);
  if (!session) return undefined;
  refuseCrossSite(req);
  state.session = session;
  return session;
};

const createKeyCheck =
  ({ authenticator, sessions, keyLimits }: AdmissionOptions, guess: Guess): Admission['key'] =>
  async (ctx) => {
    const { origin, authorization } = ctx.req.headers;
    const { receivedAt: now } = ctx.state;
    const session = sessionOf(sessions, ctx);
    const finding = session
      ? await identifySession(
          session,
          { kind: 'key', now },
          { isOpen: authenticator.isOpen, lookup: (id) => authenticator.apiKeyById(id, now) },
        )
      : await identify(authorization, (token) => authenticator.apiKey(token, now), invalidKey);
    if ('refusal' in finding) {
      // Lets the page read the refusal, because no key restricts its origin.
      if (origin !== undefined) allowOrigin(ctx, origin);
      return { refusal: await guess(ctx, finding.refusal) };
    }
    const { holder } = finding;
    vouchFor(ctx.req.socket);
    const limit = await keyLimits.consume(holder.keyId, holder.rateLimit);
    showRateLimit(ctx, limit);
    // A key over its limit gets no body read.
    const known = limit.allowed ? { holder } : {};
    // A session comes from the console's own page alone.
    if (origin !== undefined && !session) {
      if (!mayComeFrom(holder, origin)) return { ...known, refusal: originRefused(origin) };
      allowOrigin(ctx, origin);
    }
    if (holder.organisationSuspended) return { ...known, refusal: organisationSuspended() };
    return limit.allowed ? finding : { refusal: rateLimited(limit) };
  };

const createAdministratorCheck =
  ({ authenticator, sessions }: AdmissionOptions, guess: Guess): Admission['administrator'] =>
  async (ctx) => {
    const { authorization } = ctx.req.headers;
    const session = sessionOf(sessions, ctx);
    const finding = session
      ? await identifySession(
          session,
          { kind: 'administrator', now: ctx.state.receivedAt },
          { isOpen: authenticator.isOpen, lookup: authenticator.administratorById },
        )
      : await identify(authorization, authenticator.administrator, invalidAdministrator);
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
    preflight: async (ctx) => showRateLimit(ctx, await look(ctx)),
    isOverLimit: async (ctx) => (await look(ctx)).remaining === 0,
    async isOperator(ctx) {
      if (onlyOperators) return true;
      const isAdministrator = sessionOf(options.sessions, ctx)?.holder.kind === 'administrator';
      if (ctx.req.headers.authorization === undefined && !isAdministrator) {
        return isLocalCaller(ctx.req, trustProxyHops);
      }
      const { refusal } = await administrator(ctx);
      if (refusal) throw refusal;
      return true;
    },
  };
};
