import type { AppError } from '../../shared/errors.ts';
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
 * What the head of a request is worth. With `who` the credential is right, and its holder's body may
 * be read, whatever else there is to refuse; without it nothing more of the request is.
 */
export type Verdict<T> = { who: T; refusal?: AppError } | { who?: undefined; refusal: AppError };

export interface AdmissionOptions {
  authenticator: Authenticator;
  /** Windows by key; shared by all instances when there are several. */
  keyLimits: RateLimiter;
  /** Windows by client address, for requests that no credential vouches for. */
  addressLimits: RateLimiter;
  trustProxyHops: number;
  /** Everybody who reaches this server counts as an operator: on a port that is not public. */
  onlyOperators?: boolean;
}

/** Who is let in, or why not. Says nothing to the caller yet but headers. */
export interface Admission {
  key(ctx: EdgeContext): Promise<Verdict<AuthenticatedKey>>;
  administrator(ctx: EdgeContext): Promise<Verdict<Administrator>>;
  /** A preflight can carry no key: it is told where its address stands, and not counted. */
  preflight(ctx: EdgeContext): Promise<void>;
  /** Counts a wrong secret, and tells what it is refused with: over the limit of the address, 429. */
  guess(ctx: EdgeContext, refusal: AppError): Promise<AppError>;
  /** Whether wrong secrets have come from this address as often as is put up with. */
  isOverLimit(ctx: EdgeContext): Promise<boolean>;
  /**
   * Whether the caller may see how the service is: an administrator, a caller on this machine, or
   * anybody on a port for operators. Throws for a token that is not right.
   */
  isOperator(ctx: EdgeContext): Promise<boolean>;
}

export const createAdmission = ({
  authenticator,
  keyLimits,
  addressLimits,
  trustProxyHops,
  onlyOperators = false,
}: AdmissionOptions): Admission => {
  const guess = async (ctx: EdgeContext, refusal: AppError): Promise<AppError> => {
    const address = clientAddress(ctx.req, trustProxyHops);
    // A look-up that failed is not the caller's fault.
    const isFault = refusal.code === 'key.lookup_failed';
    const limit = isFault
      ? await addressLimits.peek(address, ADDRESS_LIMIT)
      : await addressLimits.consume(address, ADDRESS_LIMIT);
    showRateLimit(ctx, limit);
    return isFault || limit.allowed ? refusal : rateLimited(limit);
  };

  const administrator = async (ctx: EdgeContext): Promise<Verdict<Administrator>> => {
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

  return {
    guess,
    administrator,

    async key(ctx) {
      const { origin, authorization } = ctx.req.headers;
      const lookup = (token: string) => authenticator.apiKey(token, ctx.state.receivedAt);
      const finding = await identify(authorization, lookup, invalidKey);
      if ('refusal' in finding) {
        // No key forbids the page to read why it was refused.
        if (origin !== undefined) allowOrigin(ctx, origin);
        return { refusal: await guess(ctx, finding.refusal) };
      }
      const { who } = finding;
      vouchFor(ctx.req.socket);
      const limit = await keyLimits.consume(who.keyId, who.rateLimit);
      showRateLimit(ctx, limit);
      // Over its limit a key is not worth the reading of a body either.
      const known = limit.allowed ? { who } : {};
      if (origin !== undefined) {
        if (!mayComeFrom(who, origin)) return { ...known, refusal: originRefused(origin) };
        allowOrigin(ctx, origin);
      }
      if (who.organisationSuspended) return { ...known, refusal: organisationSuspended() };
      return limit.allowed ? finding : { refusal: rateLimited(limit) };
    },

    async preflight(ctx) {
      const address = clientAddress(ctx.req, trustProxyHops);
      showRateLimit(ctx, await addressLimits.peek(address, ADDRESS_LIMIT));
    },

    async isOverLimit(ctx) {
      const address = clientAddress(ctx.req, trustProxyHops);
      return (await addressLimits.peek(address, ADDRESS_LIMIT)).remaining === 0;
    },

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
