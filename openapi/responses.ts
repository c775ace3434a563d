import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { problemOf, recordOf } from '../src/http/edge/respond.ts';
import { isOfContents } from '../src/http/route/contents.ts';
import { type JsonRoute, successStatus } from '../src/http/route/route.ts';
import { advice } from '../src/http/v1/schemas.ts';
import { AppError, type ErrorCode } from '../src/shared/errors.ts';
import { examplesOf } from './examples.ts';
import { pascal, segmentsOf, singular } from './names.ts';
import { sampleOf } from './sample.ts';
import { refTo, type Schema, type SchemaWriter } from './schema.ts';

const Problem = z.object({ error: z.string(), ...advice }).meta({
  id: 'Problem',
  description: 'Every error body has `error`, a text for people: branch on status and code.',
});

const ValidationProblem = z
  .object({
    error: z.object({
      formErrors: z.array(z.string()).describe('Problems of the body as a whole.'),
      fieldErrors: z.record(z.string(), z.array(z.string())).describe('Problems by field.'),
    }),
    ...advice,
  })
  .meta({ id: 'ValidationProblem', description: 'The request does not match its schema.' });

const coded = new Map<string, z.ZodType>();

/** The schema of an error's body: the plain one, or one with the error's code. */
const problemSchema = (code: ErrorCode): z.ZodType => {
  if (code === 'request.invalid') return ValidationProblem;
  const { code: publicCode, means, fields = {} } = recordOf(code);
  if (publicCode === undefined) return Problem;
  const id = `${pascal(publicCode.toLowerCase())}Problem`;
  const schema =
    coded.get(id) ??
    z
      .object({ error: z.string(), code: z.literal(publicCode), ...fields, ...advice })
      .meta({ id, description: means });
  coded.set(id, schema);
  return schema;
};

/** The body as the edge makes it, with the route's own fields. */
const errorExample = (
  code: ErrorCode,
  known?: Record<string, unknown>,
): Record<string, unknown> => {
  const { says, details } = recordOf(code);
  return { ...problemOf(new AppError(code, says, details)).body, ...known };
};

/** The body after an unexpected fault. */
const faultExample = (): Record<string, unknown> => problemOf(new Error()).body;

const integer = (description: string, example: number) => z.int().meta({ description, example });

const text = (description: string, example: string) => z.string().meta({ description, example });

/** Headers of several responses. */
const shared = z
  .object({
    'X-Request-Id': text(
      'Id of this request in the logs: the one that you sent, if it is valid and, unless it is a UUID or a hash, has no seven digits in a row.',
      '0199e0a1-7c1e-7b60-9a55-2f4b8f1f0c11',
    ),
    'RateLimit-Limit': integer('Requests permitted in the window of 60 seconds.', 120),
    'RateLimit-Remaining': integer('Requests left in the current window.', 119),
    'RateLimit-Reset': integer('Seconds until the window resets.', 42),
    'Retry-After': integer('Seconds until the next try, where waiting helps.', 17),
    'X-Waybill-Warnings': text(
      'What the request has and the route does not know: a list of RFC 9651.',
      'unknown;name="phone";near="contact"',
    ),
    'WWW-Authenticate': text('The kind of the missing credential.', 'Bearer'),
    Allow: text('The methods of this path.', 'GET, HEAD, OPTIONS'),
  })
  .partial();

const OF_KEYS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const byStatus: Record<number, readonly string[]> = {
  200: ['X-Waybill-Warnings'],
  400: ['X-Waybill-Warnings'],
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const headersOf = (schemas: SchemaWriter, object: z.ZodType): Schema =>
  Object.fromEntries(
    schemas.fields(object, 'output').map(({ name, required, schema }) => {
      const { description, example, ...rest } = schema;
      return [name, { description, ...(required && { required }), schema: rest, example }];
    }),
  );

export const sharedHeaders = (schemas: SchemaWriter): Schema => headersOf(schemas, shared);

/** Headers of every response of the route with this status. */
const frameHeaders = ({ access }: JsonRoute, status: number): Schema => {
  // An administrator's requests are counted only without a valid token.
  const counted =
    access === 'key' ||
    access === 'person' ||
    (access !== 'open' && [401, 429, 500].includes(status));
  const names = ['X-Request-Id', ...(counted ? OF_KEYS : []), ...(byStatus[status] ?? [])];
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
};

/** Headers of a success beside those of the frame. */
const successHeaders = (schemas: SchemaWriter, { responseHeaders = {} }: JsonRoute) =>
  headersOf(schemas, z.object(responseHeaders));

const takesBody = ({ method }: JsonRoute): boolean => !['GET', 'DELETE'].includes(method);

/** Errors of the pipelines, before a handler runs. */
const frameErrorsOf = (route: JsonRoute): readonly ErrorCode[] => {
  const { access, method, scope, request } = route;
  const codes: ErrorCode[] = ['route.unknown', 'route.method', 'service.unavailable'];
  codes.push('service.stopping');
  // A strict account is refused query parameters that a route does not know.
  if (request || access === 'key') codes.push('request.invalid');
  if (request || takesBody(route)) codes.push('request.malformed');
  if (takesBody(route)) {
    codes.push('request.timeout', 'request.too_large', 'request.unsupported_type');
  }
  if (access === 'open') return codes;
  codes.push('key.rate_limited', 'key.lookup_failed');
  if (isOfContents(route)) codes.push('person.contents');
  if (access === 'key' || access === 'person') {
    codes.push('key.invalid', 'key.origin', 'organisation.suspended', 'service.busy');
    codes.push('person.account');
    if (access === 'person') codes.push('person.only');
    if (scope !== undefined) codes.push('key.scope');
    return codes;
  }
  codes.push('administrator.invalid');
  if (access !== 'auditor' && method !== 'GET') codes.push('administrator.read_only');
  return codes;
};

/** Every error of the route, by status. */
export const errorsByStatus = (route: JsonRoute): ReadonlyMap<number, readonly ErrorCode[]> => {
  const all = new Set([...frameErrorsOf(route), ...route.errors]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...all].sort()) {
    const { status } = recordOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
};

/** Errors that have the frame's schema on every route. */
const isOfFrame = (code: ErrorCode): boolean =>
  code === 'request.invalid' || recordOf(code).plain === true;

const schemaOf = (route: JsonRoute, status: number, codes: readonly ErrorCode[]): z.ZodType => {
  const own = route.responses[status];
  const isOwn = (code: ErrorCode) => own && route.errors.includes(code) && !isOfFrame(code);
  const shared = new Set(codes.filter((code) => !isOwn(code)).map(problemSchema));
  const all = [...(own && codes.some(isOwn) ? [own] : []), ...shared];
  return all.length === 1 ? all[0]! : z.union(all);
};

const lineOf = (code: ErrorCode): string => {
  const { code: publicCode, means } = recordOf(code);
  return publicCode === undefined ? means : `\`${publicCode}\`: ${means}`;
};

const errorResponse = (
  schemas: SchemaWriter,
  route: JsonRoute,
  status: number,
  codes: readonly ErrorCode[],
): Schema => {
  const known = examplesOf(route)?.problems;
  const lines = codes.map(lineOf);
  const examples = codes.map((code) => [
    pascal(code),
    { summary: recordOf(code).means, value: errorExample(code, known?.[code]) },
  ]);
  if (status === 500) {
    lines.push('A fault of the service. Try again with back-off.');
    examples.push(['Fault', { summary: 'An unexpected fault.', value: faultExample() }]);
  }
  return {
    description: lines.length === 1 ? lines[0] : lines.map((line) => `- ${line}`).join('\n'),
    headers: frameHeaders(route, status),
    content: {
      'application/json': {
        schema: schemas.write(schemaOf(route, status, codes), 'output'),
        examples: Object.fromEntries(examples),
      },
    },
  };
};

/** Whether the route may answer that it will be done later. */
const isLater = (route: JsonRoute, status: number): boolean =>
  status === 202 && status !== successStatus(route);

/** The description of a success, where the route has none. */
const answerOf = (route: JsonRoute, status: number): string => {
  const { answer, method, responses } = route;
  if (isLater(route, status)) return 'It is taken, and goes out later; nothing is charged yet.';
  if (answer !== undefined) return answer;
  const schema = responses[status]!;
  const fields = schema instanceof z.ZodObject ? schema.shape : {};
  if (schema instanceof z.ZodArray) return 'The whole list; empty without entries.';
  if ('nextCursor' in fields) return 'One page; `nextCursor` leads to the next one.';
  if (status === 201) return 'Created, in its new state.';
  if ('success' in fields) return 'Done.';
  return method === 'GET' ? 'The current state.' : 'Done, in its new state.';
};

const successResponse = (schemas: SchemaWriter, route: JsonRoute, status: number): Schema => {
  const schema = schemas.write(route.responses[status]!, 'output');
  const written = status === successStatus(route) ? examplesOf(route)?.answer : undefined;
  const owner = singular(segmentsOf(route.path).findLast((segment) => !/^:/.test(segment)) ?? '');
  const context = { components: schemas.components, owner };
  const example = written ?? sampleOf(schema, context);
  return {
    description: answerOf(route, status),
    headers: {
      ...frameHeaders(route, status),
      ...(isLater(route, status) ? {} : successHeaders(schemas, route)),
    },
    content:
      route.download === 'file'
        ? { 'application/octet-stream': { schema: { description: 'The bytes of the file.' } } }
        : {
            [route.download === 'events' ? 'text/event-stream' : 'application/json']: {
              schema,
              example,
            },
            ...Object.fromEntries(
              (route.texts ?? []).map((type) => [type, { schema: { type: 'string' } }]),
            ),
          },
  };
};

/** Every response of a route, by status. */
export const responsesOf = (schemas: SchemaWriter, route: JsonRoute): Record<string, Schema> => {
  const errors = new Map(errorsByStatus(route));
  // Every route can fail with a fault.
  if (!errors.has(500)) errors.set(500, []);
  const successes = Object.keys(route.responses)
    .map(Number)
    .filter((status) => status < 300)
    .map((status) => [status, successResponse(schemas, route, status)]);
  const problems = [...errors].map(([status, codes]) => [
    status,
    errorResponse(schemas, route, status, codes),
  ]);
  return Object.fromEntries([...successes, ...problems]);
};

/** The component's name: the pipeline, the status, and the errors beside those of the pipeline. */
const nameOf = (route: JsonRoute, status: number): string => {
  const surface = {
    key: '',
    person: 'People',
    open: 'Public',
    administrator: 'Administration',
    support: 'Support',
    auditor: 'Audit',
  };
  const frame = frameErrorsOf(route);
  const codes = errorsByStatus(route).get(status) ?? [];
  const own = codes.filter((code) => !frame.includes(code));
  const kinds = frame.filter(
    (code) => recordOf(code).status === status && code.startsWith('request.'),
  );
  const told = status === 400 && own.length === 0 && kinds.length === 1 ? kinds : own;
  const text = (STATUS_CODES[status] ?? String(status)).replace(/\W/g, '');
  return surface[route.access] + text + told.map(pascal).join('');
};

export interface Described {
  route: JsonRoute;
  responses: Record<string, Schema>;
}

/** Moves errors of several operations into components, and leaves references in their places. */
export const shareResponses = (operations: readonly Described[]): Record<string, Schema> => {
  const places = operations.flatMap(({ route, responses }) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => ({ route, responses, status, response })),
  );
  const components: Record<string, Schema> = {};
  const groups = Map.groupBy(places, ({ response }) => JSON.stringify(response));
  for (const [first, ...others] of groups.values()) {
    if (!first || others.length === 0) continue;
    let name = nameOf(first.route, Number(first.status));
    while (name in components) name += 'Other';
    components[name] = first.response;
    for (const { responses, status } of [first, ...others]) {
      responses[status] = refTo('responses', name);
    }
  }
  return components;
};
