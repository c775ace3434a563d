import { STATUS_CODES } from 'node:http';
import type { ErrorCode } from '../../shared/errors.ts';
import { isPlain, publicCodeOf, statusOf } from '../edge/error-responses.ts';
import { type JsonRoute, successStatus } from '../route/route.ts';
import { errorExample, faultExample, noteOf } from './errors.ts';
import type { Examples } from './example.ts';
import { withFieldNotes } from './fields.ts';
import { frameHeaders, successHeaders } from './headers.ts';
import { answerSubjectOf, pascal } from './names.ts';
import { operationNotes } from './notes.ts';
import { refTo, type Schema, schemaOf } from './schema.ts';

const takesBody = ({ method }: JsonRoute): boolean => !['GET', 'DELETE'].includes(method);

/** What the frame may refuse with before a handler runs, by the surface that a route stands on. */
export const frameErrorsOf = (route: JsonRoute): readonly ErrorCode[] => {
  const { access, method, scope, request } = route;
  const codes: ErrorCode[] = ['route.unknown', 'route.method', 'service.unavailable'];
  codes.push('service.stopping');
  if (request) codes.push('request.invalid');
  if (request || takesBody(route)) codes.push('request.malformed');
  if (takesBody(route)) {
    codes.push('request.timeout', 'request.too_large', 'request.unsupported_type');
  }
  if (access === 'open') return codes;
  codes.push('key.rate_limited', 'key.lookup_failed');
  if (access === 'key') {
    codes.push('key.invalid', 'key.origin', 'organisation.suspended', 'service.busy');
    if (scope !== undefined) codes.push('key.scope');
    return codes;
  }
  codes.push('administrator.invalid');
  if (access === 'administrator' && method !== 'GET') codes.push('administrator.read_only');
  return codes;
};

/** Every refusal that the route can answer with, by its status. */
export const errorsByStatus = (route: JsonRoute): ReadonlyMap<number, readonly ErrorCode[]> => {
  const all = new Set([...frameErrorsOf(route), ...route.errors]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...all].sort()) {
    const codes = byStatus.get(statusOf(code)) ?? [];
    byStatus.set(statusOf(code), [...codes, code]);
  }
  return byStatus;
};

/** The shape of one refusal: the plain one, or one that is told apart by its code. */
export const problemShapeName = (code: ErrorCode): string => {
  if (code === 'request.invalid') return 'ValidationProblem';
  const publicCode = publicCodeOf(code);
  return publicCode === undefined ? 'Problem' : `${pascal(publicCode.toLowerCase())}Problem`;
};

/** The route's own word on its refusals, told apart by the codes that they can have. */
const declaredShape = (route: JsonRoute, status: number, codes: readonly ErrorCode[]): Schema => {
  const shape = withFieldNotes(schemaOf(route.responses[status]!, 'output'), 'problem');
  const publicCodes = [...new Set(codes.map(publicCodeOf))].filter((one) => one !== undefined);
  const properties = { ...(shape.properties as Record<string, Schema>) };
  if (!('code' in properties)) return shape;
  if (publicCodes.length === 0) {
    const { code: _, ...others } = properties;
    return { ...shape, properties: others };
  }
  const always = codes.every((code) => publicCodeOf(code) !== undefined);
  const required = [...((shape.required ?? []) as string[]), ...(always ? ['code'] : [])];
  properties.code = { type: 'string', enum: publicCodes };
  return { ...shape, properties, required };
};

const shapeOf = (route: JsonRoute, status: number, codes: readonly ErrorCode[]): Schema => {
  const declared = codes.filter((code) => route.errors.includes(code) && !isOfFrame(code));
  const isDeclared = route.responses[status] !== undefined && declared.length > 0;
  const others = isDeclared ? codes.filter((code) => !declared.includes(code)) : codes;
  const shapes = [
    ...(isDeclared ? [declaredShape(route, status, declared)] : []),
    ...[...new Set(others.map(problemShapeName))].map((name) => refTo('schemas', name)),
  ];
  return shapes.length === 1 ? shapes[0]! : { anyOf: shapes };
};

const isOfFrame = (code: ErrorCode): boolean => code === 'request.invalid' || isPlain(code);

const lineOf = (code: ErrorCode): string => {
  const publicCode = publicCodeOf(code);
  return publicCode === undefined ? noteOf(code).means : `\`${publicCode}\`: ${noteOf(code).means}`;
};

const exampleName = (code: ErrorCode): string => pascal(code);

const errorResponse = (
  route: JsonRoute,
  status: number,
  codes: readonly ErrorCode[],
  known: Examples['problems'],
): Schema => {
  const lines = codes.map(lineOf);
  const examples = codes.map((code) => [
    exampleName(code),
    { summary: noteOf(code).means, value: errorExample(code, known?.[code]) },
  ]);
  if (status === 500) {
    lines.push('Something went wrong on our side. Try again with back-off.');
    examples.push(['Fault', { summary: 'An unexpected fault.', value: faultExample() }]);
  }
  return {
    description: lines.length === 1 ? lines[0] : lines.map((line) => `- ${line}`).join('\n'),
    headers: frameHeaders(route, status),
    content: {
      'application/json': {
        schema: codes.length > 0 ? shapeOf(route, status, codes) : refTo('schemas', 'Problem'),
        examples: Object.fromEntries(examples),
      },
    },
  };
};

/** What a success holds. */
const answerNoteOf = ({ method, path, responses }: JsonRoute, status: number): string => {
  const own = operationNotes[`${method} ${path}`]?.answer;
  if (own !== undefined) return own;
  const shape = schemaOf(responses[status]!, 'output');
  const fields = (shape.properties ?? {}) as Record<string, Schema>;
  if (shape.type === 'array') return 'All there are; empty when there are none.';
  if ('nextCursor' in fields) return 'One page; `nextCursor` leads to the next one.';
  if (status === 201) return 'Made, as it now stands.';
  if ('success' in fields) return 'Done.';
  return method === 'GET' ? 'As it stands now.' : 'Done, as it now stands.';
};

const successResponse = (route: JsonRoute, status: number, answer: unknown): Schema => {
  return {
    description: answerNoteOf(route, status),
    headers: { ...frameHeaders(route, status), ...successHeaders(route) },
    content: {
      'application/json': {
        schema: withFieldNotes(
          schemaOf(route.responses[status]!, 'output'),
          answerSubjectOf(route.path),
        ),
        ...(answer !== undefined && { example: answer }),
      },
    },
  };
};

const successesOf = ({ responses }: JsonRoute): readonly number[] =>
  Object.keys(responses)
    .map(Number)
    .filter((status) => status < 300);

/** All that a route can answer, by status. */
export const responsesOf = (route: JsonRoute, examples: Examples | undefined): Schema => {
  const errors = new Map(errorsByStatus(route));
  // A fault can happen anywhere, whatever else has this status.
  if (!errors.has(500)) errors.set(500, []);
  const successes = successesOf(route).map((status) => {
    const answer = status === successStatus(route) ? examples?.answer : undefined;
    return [status, successResponse(route, status, answer)];
  });
  const problems = [...errors].map(([status, codes]) => [
    status,
    errorResponse(route, status, codes, examples?.problems),
  ]);
  return Object.fromEntries([...successes, ...problems]);
};

/** Named after its surface, its status, and what the route adds to the frame's own refusals. */
const nameOf = (route: JsonRoute, status: number): string => {
  const surface = { key: '', open: 'Public', administrator: 'Administration', auditor: 'Audit' };
  const frame = frameErrorsOf(route);
  const codes = errorsByStatus(route).get(status) ?? [];
  const own = codes.filter((code) => !frame.includes(code));
  const kinds = frame.filter((code) => statusOf(code) === status && code.startsWith('request.'));
  const told = status === 400 && own.length === 0 && kinds.length === 1 ? kinds : own;
  const text = (STATUS_CODES[status] ?? String(status)).replace(/\W/g, '');
  return surface[route.access] + text + told.map(pascal).join('');
};

interface Described {
  route: JsonRoute;
  operation: Schema;
}

/** Refusals that several operations have stand once. */
export const shareResponses = (
  operations: readonly Described[],
): { inPlace: readonly Described[]; responses: Record<string, Schema> } => {
  const counts = new Map<string, number>();
  const each = operations.flatMap(({ operation }) => Object.values(operation.responses as Schema));
  for (const response of each) {
    const key = JSON.stringify(response);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  const responses: Record<string, Schema> = {};
  const shared = (route: JsonRoute, status: number, response: Schema): Schema => {
    const key = JSON.stringify(response);
    if (status < 400 || counts.get(key)! < 2) return response;
    let name = names.get(key) ?? nameOf(route, status);
    if (!names.has(key)) while (name in responses) name += 'Other';
    names.set(key, name);
    responses[name] = response;
    return refTo('responses', name);
  };
  const inPlace = operations.map(({ route, operation }) => {
    const entries = Object.entries(operation.responses as Record<string, Schema>);
    const replaced = entries.map(([status, response]) => [
      status,
      shared(route, Number(status), response),
    ]);
    return { route, operation: { ...operation, responses: Object.fromEntries(replaced) } };
  });
  return { inPlace, responses };
};
