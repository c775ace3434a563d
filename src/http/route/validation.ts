import { z } from 'zod';
import type { StrictProblem } from '../../commands/sending/strict.ts';
import { AppError } from '../../shared/errors.ts';
import { bigIntsAsText, hasBigInts } from '../../shared/json.ts';
import { lettersOf, nearest } from '../../shared/nearest.ts';
import type { RequestSchemas, RouteInput } from './route.ts';

// A schema's complaints in the words of a caller, who knows neither schemas nor types of a program.

type ZodIssue = z.core.$ZodRawIssue;

/** What the field with this name may look like. */
const samples: Readonly<Record<string, string>> = {
  to: '+919812345678',
  event: 'order_shipped',
  recipients: '[{ "to": "+919812345678" }]',
  variables: '{ "orderId": "A-1042" }',
  phoneNumberId: '106540352242922',
  languageCode: 'en_US',
  language: 'en_US',
  since: '2026-11-01T00:00:00Z',
  until: '2026-12-01T00:00:00Z',
  text: '{ "body": "Your order is on its way." }',
  email: 'asha@shop.example',
  webhookUrl: 'https://shop.example/hooks/waybill',
  url: 'https://shop.example/hooks/waybill',
  contentRetentionMonths: '24',
  reason: 'Customer request 4711',
};

const kinds: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false, without quotes',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
  null: 'null',
};

const LONG_NUMBER = 'must be a text in quotes, not a number: long numbers lose digits on the way';

/** Of a field, or of an item of a list: what stands between the brackets. */
const sampleOf = (path: readonly PropertyKey[] = []): string | undefined => {
  const field = path.at(-1);
  if (typeof field === 'string') return samples[field];
  const list = path.at(-2);
  return typeof list === 'string' ? /^\[(.*)\]$/.exec(samples[list] ?? '')?.[1] : undefined;
};

const suchAs = (path: readonly PropertyKey[] | undefined): string => {
  const sample = sampleOf(path);
  return sample === undefined ? '' : `, such as ${sample}`;
};

const ofType = ({ expected, input, path }: Extract<ZodIssue, { code: 'invalid_type' }>): string => {
  if (input === undefined) return `is required${suchAs(path)}`;
  if (expected === 'string' && ['number', 'bigint'].includes(typeof input)) return LONG_NUMBER;
  return `must be ${kinds[expected] ?? `of the kind ${expected}`}${suchAs(path)}`;
};

const UNITS: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  object: 'fields',
  map: 'fields',
  file: 'bytes',
};

/** `least` says that there is too little. */
const ofSize = (
  least: boolean,
  {
    origin,
    inclusive = true,
    path,
  }: { origin: string; inclusive?: boolean; path?: PropertyKey[] | undefined },
  limit: number | bigint,
): string => {
  const unit = UNITS[origin];
  if (unit !== undefined) {
    if (least && limit === 1) return 'must not be empty';
    const sample = least && origin === 'string' ? suchAs(path) : '';
    return `must have at ${least ? 'least' : 'most'} ${limit} ${unit}${sample}`;
  }
  if (inclusive) return `must be at ${least ? 'least' : 'most'} ${limit}`;
  return `must be ${least ? 'more' : 'less'} than ${limit}`;
};

const formats: Readonly<Record<string, string>> = {
  datetime: 'must be a date and time, such as 2026-11-01T00:00:00Z',
  date: 'must be a date, such as 2026-11-01',
  email: 'must be an email address, such as asha@shop.example',
  url: 'must be an address, such as https://shop.example/hooks/waybill',
  uuid: 'must be an id as the service gave it',
};

const ofFormat = ({
  format,
  path,
  pattern,
}: Extract<ZodIssue, { code: 'invalid_format' }>): string => {
  const sample = suchAs(path);
  const known = formats[format];
  if (known !== undefined) return known;
  if (sample !== '') return `has the wrong form${sample}`.replace(', such as', ': write it like');
  return pattern === undefined ? 'has the wrong form' : `must match ${pattern}`;
};

const ofValue = ({ values, input }: Extract<ZodIssue, { code: 'invalid_value' }>): string => {
  const texts = values.map(String);
  if (input === undefined) return `is required: one of ${texts.join(', ')}`;
  const meant = typeof input === 'string' ? nearest(input, texts) : undefined;
  const must = texts.length === 1 ? `must be ${texts[0]}` : `must be one of ${texts.join(', ')}`;
  return meant === undefined ? must : `${must}; did you mean ${meant}?`;
};

/** The words for a complaint; undefined where the schema says it itself. */
export const wordsOf = (issue: ZodIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return ofType(issue);
    case 'too_small':
      return ofSize(true, issue, issue.minimum);
    case 'too_big':
      return ofSize(false, issue, issue.maximum);
    case 'invalid_format':
      return ofFormat(issue);
    case 'invalid_value':
      return ofValue(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have the fields ${issue.keys.join(', ')}`;
    case 'invalid_union':
      return issue.input === undefined
        ? `is required${suchAs(issue.path)}`
        : `has none of the forms that the reference at /docs shows${suchAs(issue.path)}`;
    default:
      return undefined;
  }
};

/** Contract 7.1. */
export interface Validation {
  formErrors: string[];
  fieldErrors: Record<string, string[]>;
}

/** Problems that one response lists. */
const PROBLEMS_MAX = 50;

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>;

const nestedPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      return index === 0 ? String(part) : `.${String(part)}`;
    })
    .join('');

/** Problems by top-level field. A nested problem is listed under that field with its whole path. */
const validationOf = (issues: readonly Issue[]): Validation => {
  const formErrors: string[] = [];
  const fields = new Map<string, string[]>();
  for (const { path, message } of issues.slice(0, PROBLEMS_MAX)) {
    const [top] = path;
    if (top === undefined) {
      formErrors.push(message);
      continue;
    }
    const messages = fields.get(String(top)) ?? [];
    messages.push(path.length === 1 ? message : `${nestedPath(path)}: ${message}`);
    fields.set(String(top), messages);
  }
  if (issues.length > PROBLEMS_MAX) {
    formErrors.push(`${issues.length - PROBLEMS_MAX} further problems are not listed`);
  }
  return { formErrors, fieldErrors: Object.fromEntries(fields) };
};

export const invalid = (issues: readonly Issue[], cause?: Error): AppError =>
  new AppError('request.invalid', 'The request is invalid', { ...validationOf(issues), cause });

const IN_WORDS = { error: wordsOf };

const PARTS = ['params', 'query', 'headers', 'body'] as const;

/** Parses the parts that have a schema and reports the problems of all parts at once. */
export const createValidator = (schemas: RequestSchemas): ((given: RouteInput) => RouteInput) => {
  const guarded = PARTS.flatMap((part) => {
    const schema = schemas[part];
    return schema ? [{ part, schema }] : [];
  });
  return (given) => {
    const input: RouteInput = {
      params: given.params,
      query: undefined,
      headers: undefined,
      body: undefined,
    };
    let issues: Issue[] | undefined;
    const isExact = !hasBigInts(given.body);
    for (const { part, schema } of guarded) {
      const result = schema.safeParse(given[part], IN_WORDS);
      // Where a schema accepts any value, a long number continues as the text of its digits.
      if (result.success) {
        input[part] = isExact || part !== 'body' ? result.data : bigIntsAsText(result.data);
      }
      if (!result.success) issues = [...(issues ?? []), ...result.error.issues];
    }
    if (issues) throw invalid(issues);
    return input;
  };
};

/** A name in a request that its route does not know. */
export interface UnknownName {
  kind: 'query parameter' | 'field';
  /** The whole name: `recipients[3].vars`. */
  name: string;
  /** The known name that was probably meant. */
  near: string | undefined;
  known: readonly string[];
}

/** Names that one response lists, and the length of each. */
const UNKNOWN_MAX = 10;
const NAME_MAX = 100;

/** What callers of other services write for a name of ours. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  contact: ['phone', 'number', 'msisdn', 'recipient', 'customer', 'waid', 'to', 'from'],
  to: ['phone', 'number', 'msisdn', 'recipient', 'contact', 'waid'],
  since: ['from', 'start', 'startdate', 'after'],
  until: ['to', 'end', 'enddate', 'before'],
  limit: ['count', 'size', 'pagesize', 'perpage', 'top'],
  cursor: ['page', 'offset', 'next', 'after', 'token'],
  event: ['template', 'templatename', 'eventkey'],
  variables: ['params', 'parameters', 'values', 'data', 'placeholders'],
  languageCode: ['language', 'lang', 'locale'],
  phoneNumberId: ['from', 'sender', 'senderid', 'numberid'],
  clientReference: ['reference', 'ref', 'externalid', 'correlationid'],
  recipients: ['messages', 'contacts', 'numbers', 'to'],
};

const meantBy = (name: string, known: readonly string[]): string | undefined => {
  return nearest(name, known) ?? known.find((one) => SYNONYMS[one]?.includes(lettersOf(name)));
};

/** The names that a value may have: those of an object, each with the names of its value, or of a list's items. */
interface Names {
  fields?: ReadonlyMap<string, Names | undefined>;
  items?: Names | undefined;
}

/** Undefined where the schema takes any names. */
const namesIn = (schema: z.ZodType): Names | undefined => {
  if (schema instanceof z.ZodArray) return { items: namesIn(schema.element as z.ZodType) };
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return namesIn(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) return namesIn(schema.in as z.ZodType);
  if (!(schema instanceof z.ZodObject) || schema.def.catchall) return undefined;
  const shape = Object.entries(schema.shape as Record<string, z.ZodType>);
  return { fields: new Map(shape.map(([name, field]) => [name, namesIn(field)])) };
};

/** The names of query parameters, and of the fields of a body that can be strict: that of a send. */
export const knownNamesOf = ({ query = z.object({}), body }: RequestSchemas) => {
  const inBody = body && namesIn(body);
  return { query: namesIn(query), body: inBody?.fields?.has('strict') ? inBody : undefined };
};

/** Adds the names of a value that are not known. */
export const addUnknown = (
  found: UnknownName[],
  kind: UnknownName['kind'],
  value: unknown,
  { fields, items }: Names,
  path = '',
): void => {
  if (typeof value !== 'object' || value === null) return;
  for (const name in value) {
    if (found.length >= UNKNOWN_MAX) return;
    const child = (value as Record<string, unknown>)[name];
    const inner = fields ? fields.get(name) : items;
    if (Array.isArray(value)) {
      if (inner) addUnknown(found, kind, child, inner, `${path}[${name}]`);
    } else if (fields) {
      const whole = path === '' ? name : `${path}.${name}`;
      if (!fields.has(name)) {
        const known = [...fields.keys()];
        found.push({ kind, name: whole.slice(0, NAME_MAX), near: meantBy(name, known), known });
      } else if (inner) addUnknown(found, kind, child, inner, whole);
    }
  }
};

/** A string of a structured field (RFC 9651), which has printable ASCII characters only. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/[^ -~]/gu, (one) => encodeURIComponent(one.toWellFormed())).replaceAll(/["\\]/g, '\\$&')}"`;

/** The value of `X-Waybill-Warnings`: `unknown;name="phone";near="contact"`. */
export const warningsOf = (unknown: readonly UnknownName[]): string =>
  unknown
    .map(({ name, near }) => {
      const meant = near === undefined ? '' : `;near=${quoted(near)}`;
      return `unknown;name=${quoted(name)}${meant}`;
    })
    .join(', ');

/** What a strict request with such names is refused for. */
export const problemsOf = (unknown: readonly UnknownName[]): StrictProblem[] =>
  unknown.map(({ kind, name, near, known }) => {
    const names = known.length === 0 ? 'none' : known.join(', ');
    const advice = near === undefined ? `known are ${names}` : `did you mean ${near}?`;
    return { path: [name], message: `is no ${kind} of this request; ${advice}` };
  });
