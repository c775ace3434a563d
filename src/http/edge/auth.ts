import { AppError } from '../../shared/errors.ts';

/** An API key that may be used now, with what the edge must know of it. */
export interface AuthenticatedKey {
  keyId: string;
  accountId: string;
  organisationId: string;
  organisationSuspended: boolean;
  /** Null: any origin. Empty: none. */
  allowedOrigins: readonly string[] | null;
  /** Requests in 60 seconds. */
  rateLimit: number;
  /** Null: every scope. Empty: none. */
  scopes: readonly string[] | null;
}

export interface Administrator {
  id: string;
  name: string;
  email: string;
  role: 'admin' | 'auditor';
}

/**
 * Says whose a token is. Undefined for every token that must not pass, whatever the reason:
 * unknown, revoked, inactive, expired. Rejects only when it could not find out. Compares in
 * constant time.
 */
export interface Authenticator {
  apiKey(token: string, nowMs: number): Promise<AuthenticatedKey | undefined>;
  administrator(token: string): Promise<Administrator | undefined>;
}

const BEARER = /^Bearer ([!-~]{1,512})$/i;

/** The token of an `Authorization` header; undefined when there is none or it is malformed. */
export const bearerToken = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : BEARER.exec(header)?.[1];

/** What a credential turned out to be worth. */
export type Finding<T> = { who: T } | { refusal: AppError };

/**
 * Looks a credential up. All that is wrong with one has one answer, so that nobody can tell a
 * revoked key from a guess.
 */
export const identify = async <T>(
  header: string | undefined,
  lookup: (token: string) => Promise<T | undefined>,
  unknown: () => AppError,
): Promise<Finding<T>> => {
  const token = bearerToken(header);
  if (token === undefined) return { refusal: unknown() };
  try {
    const who = await lookup(token);
    return who === undefined ? { refusal: unknown() } : { who };
  } catch (cause) {
    return {
      refusal: new AppError('key.lookup_failed', 'Authentication lookup failed', { cause }),
    };
  }
};

const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

export const invalidKey = (): AppError =>
  new AppError('key.invalid', 'Missing or invalid API key', { headers: CHALLENGE });

export const invalidAdministrator = (): AppError =>
  new AppError('administrator.invalid', 'Missing or invalid administrator token', {
    headers: CHALLENGE,
  });

/** Contract 5.3. A server's call carries no origin and is not concerned. */
export const mayComeFrom = (key: AuthenticatedKey, origin: string | undefined): boolean =>
  origin === undefined ||
  key.allowedOrigins === null ||
  key.allowedOrigins.some((allowed) => allowed.toLowerCase() === origin.toLowerCase());

export const originRefused = (origin: string): AppError =>
  new AppError('key.origin', `Origin ${origin.slice(0, 200)} is not allowed for this key`);

export const organisationSuspended = (): AppError =>
  new AppError('organisation.suspended', 'The organisation that owns this key is suspended');

export const requireScope = (key: AuthenticatedKey, scope: string): void => {
  if (key.scopes !== null && !key.scopes.includes(scope)) {
    throw new AppError('key.scope', `This key lacks the scope ${scope}`);
  }
};

/** An auditor reads; beside that only what is marked as open to auditors. */
export const requireWrite = (
  administrator: Administrator,
  access: string,
  method: string,
): void => {
  const reads = access === 'auditor' || method === 'GET' || method === 'HEAD';
  if (administrator.role === 'auditor' && !reads) {
    throw new AppError('administrator.read_only', 'An auditor may only read');
  }
};
