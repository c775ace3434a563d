import { AppError } from '../../shared/errors.ts';
import type { SessionHolder, Ticket } from './session.ts';
import { unavailabilityOf } from './unavailable.ts';

/** A usable API key, as the edge needs it. */
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
 * Finds the holder of a token. Undefined for an unknown, revoked, inactive or expired token; rejects
 * only when the look-up fails. Compares in constant time.
 */
export interface Authenticator {
  apiKey(token: string, nowMs: number): Promise<AuthenticatedKey | undefined>;
  administrator(token: string): Promise<Administrator | undefined>;
  /** The holder of a session of the console, by the id that the session names. */
  apiKeyById(keyId: string, nowMs: number): Promise<AuthenticatedKey | undefined>;
  administratorById(id: string): Promise<Administrator | undefined>;
  /** Whether a session was started, and not ended. */
  isOpen(sessionId: string): Promise<boolean>;
  /** Ids of the holder's sessions that started after a time and were not ended, 1,000 at a time. */
  openSessions(holderId: string, afterMs: number): Promise<readonly string[]>;
}

const BEARER = /^Bearer ([!-~]{1,512})$/i;

/** The token of an `Authorization` header; undefined when there is none or it is malformed. */
const bearerToken = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : BEARER.exec(header)?.[1];

const SEND_HEADER = 'Send the credential in the header Authorization: Bearer <credential>.';

/** The result of a credential's look-up. */
type Finding<T> = { holder: T } | { refusal: AppError };

/** Read models that lag or are away cannot tell now whether a credential is valid; contract 5.5. */
const lookupFailed = (cause: unknown): AppError =>
  unavailabilityOf(cause) ??
  new AppError('key.lookup_failed', 'Authentication lookup failed', { cause });

const found = async <T>(
  lookup: () => Promise<T | undefined>,
  unknown: () => AppError,
): Promise<Finding<T>> => {
  try {
    const holder = await lookup();
    return holder === undefined ? { refusal: unknown() } : { holder };
  } catch (cause) {
    return { refusal: lookupFailed(cause) };
  }
};

interface Lookup<T> {
  lookup(id: string): Promise<T | undefined>;
}

/** Looks the holder of a session up, of whom only a holder of this kind may call. */
export const identifySession = async <T>(
  { id, holder, expiresAt }: Ticket,
  wanted: { kind: SessionHolder['kind']; now: number },
  { isOpen, lookup }: Pick<Authenticator, 'isOpen'> & Lookup<T>,
): Promise<Finding<T>> => {
  if (expiresAt <= wanted.now || holder.kind !== wanted.kind) return { refusal: sessionEnded() };
  return found(async () => ((await isOpen(id)) ? lookup(holder.id) : undefined), sessionEnded);
};

const sessionEnded = (): AppError => new AppError('session.ended', 'The session has ended');

/**
 * Looks a credential up. Every invalid one gets the same refusal, so that a caller cannot tell a
 * revoked key from an unknown one.
 */
export const identify = async <T>(
  header: string | undefined,
  lookup: (token: string) => Promise<T | undefined>,
  unknown: (hint?: string) => AppError,
): Promise<Finding<T>> => {
  const token = bearerToken(header);
  if (token === undefined) return { refusal: unknown(SEND_HEADER) };
  return found(() => lookup(token), unknown);
};

export const invalidKey = (hint?: string): AppError =>
  new AppError('key.invalid', 'Missing or invalid API key', { hint });

export const invalidAdministrator = (hint?: string): AppError =>
  new AppError('administrator.invalid', 'Missing or invalid administrator token', { hint });

/** Contract 5.3. Applies to browsers only: a server sends no origin. */
export const mayComeFrom = (key: AuthenticatedKey, origin: string | undefined): boolean =>
  origin === undefined ||
  key.allowedOrigins === null ||
  key.allowedOrigins.some((allowed) => allowed.toLowerCase() === origin.toLowerCase());

export const originRefused = (origin: string): AppError =>
  new AppError('key.origin', `Origin ${origin.slice(0, 200)} is not allowed for this key`);

export const organisationSuspended = (): AppError =>
  new AppError('organisation.suspended', 'The organisation that owns this key is suspended');

export const hasScope = ({ scopes }: Pick<AuthenticatedKey, 'scopes'>, scope: string): boolean =>
  scopes === null || scopes.includes(scope);

export const requireScope = (key: AuthenticatedKey, scope: string): void => {
  if (!hasScope(key, scope)) throw new AppError('key.scope', `This key lacks the scope ${scope}`);
};

/** Lets an auditor read, and call the routes with access `auditor`. */
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
