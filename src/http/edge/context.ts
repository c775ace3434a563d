import type { ParameterizedContext } from 'koa';
import type { StrictProblem } from '../../commands/sending/strict.ts';
import type { operatorRoles, Passkey, PersonRole } from '../../events/person.ts';
import type { Actor, Claim } from '../../events/store.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Ticket } from './session.ts';

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
  /** Null: every scope of keys. Empty: none. */
  scopes: readonly string[] | null;
  /** The gateway takes the caller's own data of a message for an `Idempotency-Key`. */
  opaqueIsIdempotent?: true;
  /** Of a person who signed in, and has no key: the other fields are then those of his role. */
  person?: Person;
}

/** Somebody who signed in with his own name. */
export interface Person {
  id: string;
  name: string;
  email: string;
  role: PersonRole;
  /** Null for an operator. */
  organisationId: string | null;
  /** Null: all accounts of the organisation. */
  accounts: readonly string[] | null;
}

/** A person with the keys that sign in. */
export interface PersonRecord extends Pick<Person, 'id' | 'name' | 'email'> {
  passkeys: readonly (Passkey & { id: string; addedAt: string })[];
}

export interface Administrator {
  id: string;
  name: string;
  email: string;
  role: (typeof operatorRoles)[number];
  /** A person who signed in, and has no token. */
  isPerson?: true;
}

/** A request that its pipeline admitted. */
export interface Admitted {
  body: unknown;
  bodyBytes: Buffer;
  key?: AuthenticatedKey;
  administrator?: Administrator;
}

/** The administrator as events record them: without the role, and of a person the id alone. */
export const actorOf = ({ id, email, name, isPerson }: Administrator): Actor =>
  isPerson ? { id } : { id, email, name };

/** Who acts for an account, as the commands of its request record it. */
export const actingFor = ({ key, requestId }: Pick<KeyContext, 'key' | 'requestId'>) => ({
  requestId,
  accountId: key.accountId,
  // What people of the account cause counts in its free writes as what its keys cause.
  ...(key.person && { by: { id: key.person.id }, countsAsFree: true }),
});

/** State of a request, set by the middleware. */
export interface EdgeState {
  requestId: string;
  /** Wall-clock time of arrival, in milliseconds since 1970. */
  receivedAt: number;
  /** Path template of the matched route; absent until the router has matched one. */
  route?: string;
  /** Headers of any response to the request, also of an error's. Names as `Content-Type`. */
  headers: Record<string, string>;
  admitted?: Admitted;
  /** The account of the key, also of a refused request. */
  accountId?: string;
  /** The session of the console that stands in for a credential. */
  session?: Ticket;
}

/** Koa's context with the state of the edge. Handlers never see it. */
export type EdgeContext = ParameterizedContext<EdgeState>;

/** A form up to its file. Whatever follows the file is read while the file is. */
export interface IncomingForm {
  /** The texts that came before the file. */
  fields: Readonly<Record<string, string>>;
  filename: string;
  mimeType: string;
  /** The file has no more bytes. */
  bytesMax: number;
  /** Read at the pace of its reader. Throws where the form is malformed, too slow or ends early. */
  content: AsyncIterable<Buffer>;
}

/** The request as a handler sees it, beside its input. */
export interface RequestContext {
  readonly requestId: string;
  /** Time of arrival, in milliseconds since 1970. */
  readonly now: number;
  /** The session of the console, of a request without a credential. */
  readonly session?: Ticket;
  /** A signal that fires when the caller disconnects before the response is written. */
  signal(): AbortSignal;
  /** Resolves when the response is over: whether it was written before the caller disconnected. */
  written(): Promise<boolean>;
  /** A logger whose lines carry the request id. */
  log(): Logger;
  /** The bytes of the body, for fingerprints; empty without a body. */
  readonly bodyBytes: Buffer;
  /** Reads the form of a route with `upload` up to its file, and lets `use` read the file. */
  readForm<T>(
    limits: { bytesMax: number; ignoresLateFields?: boolean },
    use: (form: IncomingForm) => Promise<T>,
  ): Promise<T>;
  /** The names of a send that its route does not know, which a strict one refuses. */
  unknown?: readonly StrictProblem[];
  /** The claim of the request's `Idempotency-Key`, which commands must carry. */
  readonly claim?: Claim;
  /** Whether an earlier run of the claimed request was interrupted. */
  readonly resumed?: boolean;
}

export interface KeyContext extends RequestContext {
  readonly key: AuthenticatedKey;
}

export interface AdministratorContext extends RequestContext {
  readonly administrator: Administrator;
  /** Another person has said yes to it. */
  readonly isApproved?: true;
}

export type AnyContext = RequestContext & Partial<KeyContext & AdministratorContext>;
