import type { AppError } from '../errors.ts';
import { clientAddress } from './address.ts';
import {
  type Administrator,
  type AuthenticatedKey,
  type Authenticator,
  type Finding,
  identify,
  invalidAdministrator,
  invalidKey,
  mayComeFrom,
  organisationSuspended,
  originRefused,
} from './auth.ts';
import type { EdgeContext } from './context.ts';
import { allowOrigin } from './cors.ts';
import { ADDRESS_LIMIT, type RateLimiter, rateLimited, showRateLimit } from './ratelimit.ts';

type Refused = { refusal: AppError };

export interface AdmissionOptions {
  authenticator: Authenticator;
  /** Windows by key; shared by all instances when there are several. */
  keyLimits: RateLimiter;
  /** Windows by client address, for requests that no credential vouches for. */
  addressLimits: RateLimiter;
  trustProxyHops: number;
}

/** Who is let in, or why not. Says nothing to the caller yet but headers. */
export interface Admission {
  key(ctx: EdgeContext): Promise<Finding<AuthenticatedKey>>;
  administrator(ctx: EdgeContext): Promise<Finding<Administrator>>;
  /** A preflight can carry no key: it is told where its address stands, and not counted. */
  preflight(ctx: EdgeContext): Promise<void>;
}

export const createAdmission = ({
  authenticator,
  keyLimits,
  addressLimits,
  trustProxyHops,
}: AdmissionOptions): Admission => {
  /** Counts against the address; a look-up that failed is not the caller's fault and is not. */
  const refuseByAddress = async (ctx: EdgeContext, finding: Refused) => {
    const address = clientAddress(ctx.req, trustProxyHops);
    const isFault = finding.refusal.code === 'key.lookup_failed';
    const limit = isFault
      ? await addressLimits.peek(address, ADDRESS_LIMIT)
      : await addressLimits.consume(address, ADDRESS_LIMIT);
    showRateLimit(ctx, limit);
    return isFault || limit.allowed ? finding : { refusal: rateLimited(limit) };
  };

  return {
    async key(ctx) {
      const { origin, authorization } = ctx.req.headers;
      const lookup = (token: string) => authenticator.apiKey(token, ctx.state.receivedAt);
      const finding = await identify(authorization, lookup, invalidKey);
      if ('refusal' in finding) {
        // No key forbids the page to read why it was refused.
        if (origin !== undefined) allowOrigin(ctx, origin);
        return refuseByAddress(ctx, finding);
      }
      const key = finding.who;
      const limit = await keyLimits.consume(key.keyId, key.rateLimit);
      showRateLimit(ctx, limit);
      if (origin !== undefined) {
        if (!mayComeFrom(key, origin)) return { refusal: originRefused(origin) };
        allowOrigin(ctx, origin);
      }
      if (key.organisationSuspended) return { refusal: organisationSuspended() };
      return limit.allowed ? finding : { refusal: rateLimited(limit) };
    },

    async administrator(ctx) {
      const { authorization } = ctx.req.headers;
      const finding = await identify(
        authorization,
        authenticator.administrator,
        invalidAdministrator,
      );
      return 'refusal' in finding ? refuseByAddress(ctx, finding) : finding;
    },

    async preflight(ctx) {
      const address = clientAddress(ctx.req, trustProxyHops);
      showRateLimit(ctx, await addressLimits.peek(address, ADDRESS_LIMIT));
    },
  };
};
