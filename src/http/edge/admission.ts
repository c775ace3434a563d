import { type AppError, isRefusal } from '../../shared/errors.ts';
import { clientAddress, isLocalCaller } from './address.ts';
import {
  type Administrator,
  type AuthenticatedKey,
  type Authenticator,
  identify,
  invalidAdministrator,
  invalidKey,
  mayComeFrom,
  organisationSuspended,
  originRefused,
} from './auth.ts';
import { vouchFor } from './connections.ts';
import type { EdgeContext } from './context.ts';
import { allowOrigin } from './cors.ts';
import { ADDRESS_LIMIT, type RateLimiter, rateLimited, showRateLimit } from './rate-limit.ts';

/**
 * The result of checking a request's head. With `holder` the credential is valid and the body may be
 * read, even before a refusal; without `holder` nothing more of the request is read.
 */
export type Verdict<T> =
  | { holder: T; refusal?: AppError }
  | { holder?: undefined; refusal: AppError };

export interface AdmissionOptions {
  authenticator: Authenticator;
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

const createKeyCheck =
  ({ authenticator, keyLimits }: AdmissionOptions, guess: Guess): Admission['key'] =>
  async (ctx) => {
    const { origin, authorization } = ctx.req.headers;
    const lookup = (token: string) => authenticator.apiKey(token, ctx.state.receivedAt);
    const finding = await identify(authorization, lookup, invalidKey);
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
    if (origin !== undefined) {
      if (!mayComeFrom(holder, origin)) return { ...known, refusal: originRefused(origin) };
      allowOrigin(ctx, origin);
    }
    if (holder.organisationSuspended) return { ...known, refusal: organisationSuspended() };
    return limit.allowed ? finding : { refusal: rateLimited(limit) };
  };

const createAdministratorCheck =
  ({ authenticator }: AdmissionOptions, guess: Guess): Admission['administrator'] =>
  async (ctx) => {
    const { authorization } = ctx.req.headers;
    const finding = await identify(
      authorization,
      authenticator.administrator,
      invalidAdministrator,
    );
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
      if (ctx.req.headers.authorization === undefined) {
        return isLocalCaller(ctx.req, trustProxyHops);
      }
      const { refusal } = await administrator(ctx);
      if (refusal) throw refusal;
      return true;
    },
  };
};
