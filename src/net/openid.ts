import type { ClientAuth, Configuration, IDToken } from 'openid-client';
import type { IssuedClaims, OpenId, PendingSignIn } from '../commands/people/openid.ts';
import { AppError } from '../shared/errors.ts';

type Role = NonNullable<IssuedClaims['role']>;

interface OpenIdSettings {
  /** With https, or http on this machine. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claim of which values name roles of operators; null where none does. */
  roles: { claim: string; roles: Readonly<Record<string, Role>> } | null;
}

/** For one request to the issuer. */
const TIMEOUT_SECONDS = 10;
const AGAIN_SECONDS = 10;

/** Loaded with the first sign-in: a service without any has no memory of it. */
const load = () => import('openid-client');
type Client = Awaited<ReturnType<typeof load>>;

/** The issuer does not answer, or answers that it cannot. */
const isAway = (error: unknown): boolean => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (cause instanceof Response) return cause.status >= 500 || cause.status === 429;
  // What `fetch` throws where there is no answer has no code.
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && code === undefined);
};

const away = (cause: unknown): AppError =>
  new AppError(
    'service.unavailable',
    'The sign-in service cannot be reached now: use your password, or try again',
    { retryAfterSeconds: AGAIN_SECONDS, cause },
  );

/** As the issuer wants it: in the header where it does not say. */
const authentication = ({ ClientSecretBasic, ClientSecretPost }: Client, secret: string) => {
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  const choose: ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    const isInBody =
      methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (isInBody ? inBody : inHeader)(server, ...rest);
  };
  return choose;
};

const discover = async ({ issuer, clientId, clientSecret }: OpenIdSettings) => {
  const client = await load();
  const { allowInsecureRequests, enableNonRepudiationChecks } = client;
  const execute = [enableNonRepudiationChecks];
  if (new URL(issuer).protocol === 'http:') execute.push(allowInsecureRequests);
  const options = { execute, timeout: TIMEOUT_SECONDS };
  const by = authentication(client, clientSecret);
  const configuration = await client.discovery(new URL(issuer), clientId, undefined, by, options);
  return { client, configuration };
};

interface Found {
  client: Client;
  configuration: Configuration;
}

/** The claims of the token, and what it lacks from the issuer's record of the person. */
const claimsOf = async (
  { client, configuration }: Found,
  tokens: Awaited<ReturnType<Client['authorizationCodeGrant']>>,
  needed: readonly string[],
): Promise<IDToken> => {
  const claims = tokens.claims()!;
  const isWhole = needed.every((name) => claims[name] !== undefined);
  if (isWhole || !configuration.serverMetadata().userinfo_endpoint) return claims;
  const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return { ...more, ...claims };
};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

const roleIn = (claims: IDToken, mapping: OpenIdSettings['roles']): Role | null => {
  if (mapping === null) return null;
  const values: readonly unknown[] = [claims[mapping.claim]].flat();
  return Object.entries(mapping.roles).find(([value]) => values.includes(value))?.[1] ?? null;
};

export const createOpenId = (settings: OpenIdSettings): OpenId => {
  const { issuer, roles } = settings;
  let found: Promise<Found> | undefined;
  /** What the issuer says of itself: read once, by the first of those who sign in. */
  const known = async (): Promise<Found> => {
    found ??= discover(settings);
    try {
      return await found;
    } catch (error) {
      found = undefined;
      throw away(error);
    }
  };
  const needed = ['email', 'email_verified', ...(roles ? [roles.claim] : [])];

  return {
    issuer,
    async begin(redirectUri) {
      const { client, configuration } = await known();
      const pending: PendingSignIn = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    async finish(answer, { state, nonce, verifier }) {
      const at = await known();
      const checks = {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      };
      try {
        const tokens = await at.client.authorizationCodeGrant(at.configuration, answer, checks);
        const claims = await claimsOf(at, tokens, needed);
        return {
          email: claims.email_verified === true ? textOf(claims.email) : null,
          name: textOf(claims.name),
          role: roleIn(claims, roles),
        };
      } catch (cause) {
        if (isAway(cause)) throw away(cause);
        throw new AppError('session.openid', 'The sign-in was not completed', { cause });
      }
    },
  };
};
