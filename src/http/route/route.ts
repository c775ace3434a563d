import type { z } from 'zod';
import type { FourEyes } from '../../events/approval.ts';
import type { Projection } from '../../projections/define.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import type {
  AdministratorContext,
  AnyContext,
  KeyContext,
  RequestContext,
} from '../edge/context.ts';
import type { Response } from '../edge/respond.ts';
import type { RawRoute } from './raw-route.ts';
import type { ReadModels } from './read-models.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: a key, or a person of the account's organisation; such a person alone; an administrator;
 * support or an auditor too (for a method that is not GET); or every caller without a credential.
 */
export type Access = 'key' | 'person' | 'administrator' | 'support' | 'auditor' | 'open';

export interface RequestSchemas {
  params?: z.ZodType;
  query?: z.ZodType;
  /** Names in lower case. */
  headers?: z.ZodType;
  body?: z.ZodType;
}

type ResponseSchemas = Readonly<Record<number, z.ZodType>>;

/** A route whose callers may send an `Idempotency-Key`. */
export interface Idempotent {
  /**
   * Numbers and user ids of the contacts that a response may name: it is stored under their keys.
   * Null for a route without contacts, whose responses are stored in clear.
   */
  contacts: ((input: RouteInput, body: unknown) => readonly string[]) | null;
  /** The key of a request without the header: a text that no header can be. */
  implied?(input: RouteInput, context: AnyContext): string | undefined;
  /**
   * Whether a response is final; every response is when absent. A repeated request continues after
   * a response that is not final, and receives a new one.
   */
  isFinal?(answer: { status: number; body: unknown }, input: RouteInput): boolean;
  /**
   * Whether a disconnect before the response is written refunds the charge. The response is
   * stored only once it is written; otherwise a repeated request receives a new one.
   */
  reversible?: boolean;
  /**
   * For a form, whose file is unread when its key is claimed: throws `idempotency.mismatch` where it is
   * another one than that which was answered with this body.
   */
  compare?(input: RouteInput, context: AnyContext, body: unknown): Promise<void>;
}

/** The declaration of a route, for its guards and its documentation. */
interface RouteFacts {
  method: Method;
  /** Without `/api`: `/v1/phones/:phoneNumberId/webhook`. */
  path: string;
  access: Access;
  /** The scope that a key needs, or one of these; a key without a list of scopes has every scope. */
  scope?: string | readonly string[];
  summary: string;
  description?: string;
  /** The content of a success, for the documentation. */
  answer?: string;
  tags: readonly string[];
  request?: RequestSchemas;
  /** By status; also for errors whose bodies have more fields than `error` and `code`. */
  responses: ResponseSchemas;
  /** Errors that the handler may throw; those of the pipelines need no declaration. */
  errors: readonly ErrorCode[];
  idempotent?: Idempotent;
  /** Read models that the handler reads; it has no other way to read one. */
  reads?: readonly Projection[];
  /** Whether the route stores data without a charge; the account's plan limits such writes. */
  free?: true;
  /** What two people are needed for, where the organisation asks for it. */
  fourEyes?: FourEyes;
  /** Whether its answers tell who did something: people among them are then named. */
  names?: true;
  /**
   * The fields of a form with a file, which the handler reads as a stream; the pipeline reads no body but one
   * in JSON, where the request has a schema for it.
   */
  upload?: z.ZodType;
  /**
   * A success is a file, the JSON of the declared body, or server-sent events of it, which the caller
   * reads as a stream.
   */
  download?: 'file' | 'json' | 'events';
  /** Media types of a success that is a text instead of JSON, where the query asks for one. */
  texts?: readonly string[];
  /** How the route's callers read an error, where that is not as on other routes. */
  problem?: (error: unknown, requestId: string) => Response<Record<string, unknown>>;
  /**
   * The body of a success where the request only asks what it would do. The reference says so in words: as
   * one of two bodies it would take the fields of a success from every generated client.
   */
  dryRun?: z.ZodType;
  /** Headers of a success, by their schemas. */
  responseHeaders?: Readonly<Record<string, z.ZodType>>;
}

/** The parsed parts of a request, as far as the route has schemas. */
export interface RouteInput {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

/** A route of the API as the frame and the documentation see it. */
export interface JsonRoute extends RouteFacts {
  body?: 'json';
  handle(input: RouteInput, context: AnyContext): unknown;
  /** Handles a request once under an idempotency key; absent where the route takes none. */
  handleOnce?(input: RouteInput, context: AnyContext, key: string): unknown;
}

export type Route = JsonRoute | RawRoute;

type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : unknown;

type Parsed<Schemas, Part extends keyof RequestSchemas, Otherwise> =
  Schemas extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : Otherwise;

interface InputOf<Path extends string, Schemas> extends RouteInput {
  /** Strings by the names in the path, unless the route has a schema. */
  params: Parsed<Schemas, 'params', PathParams<Path>>;
  query: Parsed<Schemas, 'query', undefined>;
  headers: Parsed<Schemas, 'headers', undefined>;
  body: Parsed<Schemas, 'body', undefined>;
}

type ContextOf<A extends Access> = A extends 'key' | 'person'
  ? KeyContext
  : A extends 'open'
    ? RequestContext
    : AdministratorContext;

/** A GET receives read models with its context; other methods wait for them after their command. */
type ModelsOf<M extends Method, Reads extends readonly Projection[]> = Reads extends readonly []
  ? unknown
  : M extends 'GET'
    ? { readonly models: ReadModels }
    : { upToDate(): Promise<ReadModels> };

type Success = 200 | 201 | 202;

/** Response bodies may be read-only. */
export type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Sendable<T[Key]> }
    : T;

type BodyOf<Responses extends ResponseSchemas> = {
  [Status in keyof Responses]: Status extends Success
    ? Sendable<z.input<Responses[Status]>>
    : never;
}[keyof Responses];

/** A plain body is sent with the route's success status. */
type Answer<Body> = Body | Response<Body>;

/** Declares one operation: its guards, types and documentation. Handlers do not see Koa. */
export const defineRoute = <
  const Path extends string,
  const A extends Access,
  const M extends Method,
  const Responses extends ResponseSchemas,
  const Schemas extends RequestSchemas = Record<never, never>,
  const Reads extends readonly Projection[] = [],
>(
  definition: Omit<RouteFacts, 'method' | 'path' | 'access' | 'request' | 'responses' | 'reads'> & {
    method: M;
    path: Path;
    access: A;
    request?: Schemas;
    responses: Responses;
    reads?: Reads;
    handle(
      input: InputOf<Path, Schemas>,
      context: ContextOf<A> & ModelsOf<M, Reads>,
    ): Answer<BodyOf<Responses>> | Promise<Answer<BodyOf<Responses>>>;
  },
): JsonRoute =>
  // `compile` calls a handler only with the input and the context that its declaration promises.
  definition as unknown as JsonRoute;

/** The status of a plain body: the lowest declared success. */
export const successStatus = (route: JsonRoute): number => {
  const successes = Object.keys(route.responses)
    .map(Number)
    .filter((status) => status < 300);
  if (successes.length === 0) throw new Error(`${route.method} ${route.path} declares no success`);
  return Math.min(...successes);
};
