import { z } from 'zod';
import { clockMinutes, isTimeZone, weekdays } from './hours.ts';
import { distinct, limits, open, templateUrl, variableName } from './node-fields.ts';
import { isPath } from './template.ts';

// The data of nodes that send no message.

const RULES_MAX = 20;
const CASES_MAX = 20;
const ASSIGNMENTS_MAX = 20;
const DELAY_SECONDS_MAX = 86_400;
const INTERVALS_MAX = 10;
const HEADERS_MAX = 20;
const TIMEOUT_MS_MAX = 10_000;
const TIMEOUT_MS_DEFAULT = 5_000;
const BODY_LENGTH_MAX = 16_384;
export const HANDOFF_MINUTES_MAX = 30 * 24 * 60;
const HANDOFF_MINUTES_DEFAULT = 60;

const templateValue = z
  .union([z.string().max(limits.text), z.number(), z.boolean()])
  .transform(String);

const path = z
  .string()
  .refine(
    isPath,
    'must be contact.name, contact.waId, contact.userId, message.text, message.flow.response.<name> or vars.<name>',
  );

export const operators = [
  'equals',
  'not_equals',
  'contains',
  'starts_with',
  'ends_with',
  'greater_than',
  'less_than',
  'is_empty',
  'is_not_empty',
  'matches',
] as const;
const WITHOUT_VALUE: readonly string[] = ['is_empty', 'is_not_empty'];

const Rule = z
  .object({ variable: path, op: z.enum(operators), value: templateValue.optional() })
  .refine(({ op, value }) => value !== undefined || WITHOUT_VALUE.includes(op), 'needs a value');
export type Rule = z.output<typeof Rule>;

export const ConditionData = z.object({
  match: z.enum(['all', 'any']).default('all'),
  rules: z.array(Rule).min(1).max(RULES_MAX),
});

export const SwitchData = z.object({
  variable: path,
  cases: z
    .array(z.object({ id: z.string().min(1).max(200), value: templateValue }))
    .min(1)
    .max(CASES_MAX)
    .refine((all) => distinct(all.map(({ id }) => id)), 'must have different ids'),
});

export const SetVariableData = z.object({
  assignments: z
    .array(z.object({ name: variableName, value: templateValue }))
    .min(1)
    .max(ASSIGNMENTS_MAX),
});

export const DelayData = z.object({ seconds: z.int().min(1).max(DELAY_SECONDS_MAX) });

const clockTime = (allowMidnightEnd: boolean) =>
  z
    .string()
    .refine(
      (text) => clockMinutes(text) !== null && (allowMidnightEnd || text !== '24:00'),
      'must be a time such as 09:00',
    );
const Interval = z
  .tuple([clockTime(false), clockTime(true)])
  .refine(([from, to]) => from !== to, 'must not begin when it ends');

export const BusinessHoursData = z.object({
  timezone: z.string().refine(isTimeZone, 'must be a time zone such as Asia/Kolkata'),
  days: z.partialRecord(z.enum(weekdays), z.array(Interval).max(INTERVALS_MAX)),
});

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Headers that control the transport of a request. */
const HEADERS_RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const isHeaderName = (name: string) =>
  HEADER_NAME.test(name) && !HEADERS_RESERVED.has(name.toLowerCase());

const Headers = z
  .record(z.string(), templateValue)
  .refine((all) => Object.keys(all).length <= HEADERS_MAX, 'holds too many headers')
  .refine((all) => Object.keys(all).every(isHeaderName), 'holds a header that cannot be set');

const isSmallBody = (body: unknown) => JSON.stringify(body ?? '').length <= BODY_LENGTH_MAX;

export const HttpRequestData = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  url: templateUrl,
  headers: Headers.default({}),
  /** Text, or JSON whose strings are templates. */
  body: z
    .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
    .nullish()
    .refine(isSmallBody, `must not be longer than ${BODY_LENGTH_MAX} characters`),
  timeoutMs: z.int().min(1).max(TIMEOUT_MS_MAX).default(TIMEOUT_MS_DEFAULT),
  saveAs: open(variableName.optional()),
});

export const HandoffData = z.object({
  minutes: z.int().min(1).max(HANDOFF_MINUTES_MAX).default(HANDOFF_MINUTES_DEFAULT),
});
