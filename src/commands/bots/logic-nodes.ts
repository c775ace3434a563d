import { z } from 'zod';
import { clockMinutes, isTimeZone } from '../../shared/time-zones.ts';
import { RunStop } from './budget.ts';
import { isOpen, weekdays } from './hours.ts';
import {
  distinct,
  limits,
  open,
  templateUrl,
  VALUE_LENGTH_MAX,
  variableName,
} from './node-fields.ts';
import { type FormField, NAME_HINT, nodeType, saveAsField, TEXT_HINT } from './node-type.ts';
import { RESPONSE_LENGTH_MAX, readResponse, requestOf } from './requests.ts';
import { conditionOutcome, matchingCase, operators } from './rules.ts';
import { DEFAULT, leave, UNKNOWN, type Variables } from './run.ts';
import { isPath, render, type Scope } from './template.ts';

// The types of nodes that send no message: they decide, wait, call or hand over.

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
/** URLs called for each message of the contact. */
const REQUESTS_MAX = 10;
const MINUTE_MS = 60_000;

const templateValue = z
  .union([z.string().max(limits.text), z.number(), z.boolean()])
  .transform(String);

const path = z
  .string()
  .refine(
    isPath,
    'must be contact.name, contact.waId, contact.userId, message.text, message.flow.response.<name> or vars.<name>',
  );

const WITHOUT_VALUE: readonly string[] = ['is_empty', 'is_not_empty'];

const Rule = z
  .object({ variable: path, op: z.enum(operators), value: templateValue.optional() })
  .refine(({ op, value }) => value !== undefined || WITHOUT_VALUE.includes(op), 'needs a value');

const value: FormField = { kind: 'text', name: 'value', label: 'Value' };
const variable: FormField = { kind: 'path', name: 'variable', label: 'Variable' };

const ConditionData = z.object({
  match: z.enum(['all', 'any']).default('all'),
  rules: z.array(Rule).min(1).max(RULES_MAX),
});

const condition = nodeType({
  data: ConditionData,
  does: 'compares variables',
  outcomes: ['true', 'false'],
  example: { match: 'all', rules: [{ variable: 'vars.order', op: 'starts_with', value: 'A' }] },
  form: [
    { kind: 'select', name: 'match', label: 'True if', options: ['all', 'any'], fallback: 'all' },
    {
      kind: 'list',
      name: 'rules',
      label: 'Rules',
      of: 'rule',
      max: RULES_MAX,
      fresh: { variable: 'message.text', op: 'equals', value: '' },
      fields: [
        variable,
        { kind: 'select', name: 'op', label: 'Comparison', options: operators, fallback: 'equals' },
        { ...value, unless: { op: ['matches', ...WITHOUT_VALUE] } },
        { ...value, label: 'Pattern', when: { op: ['matches'] } },
      ],
    },
  ],
  patterns: ({ rules }) =>
    rules.flatMap(({ op, value }) => (op === 'matches' ? [value ?? ''] : [])),
  enter: (data, { scope, budget }) => leave(conditionOutcome(data, scope, budget)),
});

const SwitchData = z.object({
  variable: path,
  cases: z
    .array(z.object({ id: z.string().min(1).max(200), value: templateValue }))
    .min(1)
    .max(CASES_MAX)
    .refine((all) => distinct(all.map(({ id }) => id)), 'must have different ids'),
});

const switchNode = nodeType({
  data: SwitchData,
  does: 'compares one variable with several values',
  outcomes: [{ each: 'cases', as: 'case' }, DEFAULT],
  example: { variable: 'message.text', cases: [{ id: 'c1', value: 'yes' }] },
  form: [
    variable,
    {
      kind: 'list',
      name: 'cases',
      label: 'Cases',
      of: 'case',
      max: CASES_MAX,
      idLetter: 'c',
      fresh: { value: '' },
      fields: [{ kind: 'text', name: 'id', label: 'Id' }, value],
    },
  ],
  enter(data, { scope, budget }) {
    const matching = matchingCase(data, scope, budget);
    return leave(matching === undefined ? DEFAULT : `case:${matching}`);
  },
});

const SetVariableData = z.object({
  assignments: z
    .array(z.object({ name: variableName, value: templateValue }))
    .min(1)
    .max(ASSIGNMENTS_MAX),
});

/** In order: a value may use a variable that an earlier assignment sets. */
const assign = ({ assignments }: z.output<typeof SetVariableData>, scope: Scope): Variables => {
  let set: Variables = {};
  for (const { name, value } of assignments) {
    const seen = { ...scope, variables: { ...scope.variables, ...set } };
    set = { ...set, [name]: render(value, seen, VALUE_LENGTH_MAX) };
  }
  return set;
};

const setVariable = nodeType({
  data: SetVariableData,
  does: 'sets variables',
  outcomes: [DEFAULT],
  example: { assignments: [{ name: 'topic', value: '{{message.text}}' }] },
  form: [
    {
      kind: 'list',
      name: 'assignments',
      label: 'Variables',
      of: 'variable',
      max: ASSIGNMENTS_MAX,
      fresh: { name: '', value: '' },
      fields: [{ kind: 'text', name: 'name', label: 'Name', hint: NAME_HINT }, value],
    },
  ],
  enter: (data, { scope }) => leave(DEFAULT, { variables: assign(data, scope) }),
});

const delay = nodeType({
  data: z.object({ seconds: z.int().min(1).max(DELAY_SECONDS_MAX) }),
  does: 'waits up to 24 h, also across a restart',
  outcomes: [DEFAULT],
  waits: true,
  example: { seconds: 60 },
  form: [
    {
      kind: 'number',
      name: 'seconds',
      label: 'Seconds',
      min: 1,
      max: DELAY_SECONDS_MAX,
      hint: `Up to a day: ${DELAY_SECONDS_MAX}.`,
    },
  ],
  enter: ({ seconds }, { now }) => ({
    kind: 'wait',
    for: 'delay',
    until: now + seconds * 1000,
    attempts: 0,
    messageId: null,
  }),
});

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

const BusinessHoursData = z.object({
  timezone: z.string().refine(isTimeZone, 'must be a time zone such as Asia/Kolkata'),
  days: z.partialRecord(z.enum(weekdays), z.array(Interval).max(INTERVALS_MAX)),
});

const businessHours = nodeType({
  data: BusinessHoursData,
  does: 'compares the time of a time zone',
  outcomes: ['open', 'closed'],
  example: { timezone: 'UTC', days: { mon: [['09:00', '18:00']] } },
  form: [
    { kind: 'zone', name: 'timezone', label: 'Time zone' },
    { kind: 'hours', name: 'days', label: 'Open' },
  ],
  enter: (data, { now }) => leave(isOpen(data, now) ? 'open' : 'closed'),
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

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const HttpRequestData = z.object({
  method: z.enum(METHODS).default('GET'),
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

const httpRequest = nodeType({
  data: HttpRequestData,
  does: 'calls a URL: a public address, a host with a dot, port 80, 443, 8080 or 8443',
  outcomes: ['success', 'error'],
  example: {
    method: 'POST',
    url: 'https://shop.example/orders',
    headers: { 'x-shop': '1' },
    body: { order: '{{vars.order}}' },
    timeoutMs: TIMEOUT_MS_DEFAULT,
    saveAs: 'found',
  },
  form: [
    { kind: 'select', name: 'method', label: 'Method', fallback: 'GET', options: METHODS },
    { kind: 'text', name: 'url', label: 'URL', placeholder: 'https://', hint: TEXT_HINT },
    { kind: 'pairs', name: 'headers', label: 'Headers' },
    {
      kind: 'json',
      name: 'body',
      label: 'Body, as JSON',
      hint: 'Texts in it are filled in. None when empty.',
    },
    {
      kind: 'number',
      name: 'timeoutMs',
      label: 'Time limit in ms',
      min: 1,
      max: TIMEOUT_MS_MAX,
      hint: `${TIMEOUT_MS_DEFAULT} when empty.`,
    },
    saveAsField,
  ],
  enter(data, { scope, requests }) {
    if (requests >= REQUESTS_MAX) {
      throw new RunStop('bounds', `more than ${REQUESTS_MAX} requests for one message`);
    }
    return { kind: 'request', request: requestOf(data, scope) };
  },
  settle({ saveAs }, result, _, { budget }) {
    if (result.type !== 'response') {
      return leave('error', { detail: result.type === 'no_response' ? result.detail : UNKNOWN });
    }
    const { status } = result;
    budget.spend(Math.min(result.body.length, RESPONSE_LENGTH_MAX));
    const value = readResponse(result.body);
    if (value === undefined) {
      return leave('error', { httpStatus: status, detail: 'the answer is too long' });
    }
    return leave(status >= 200 && status < 300 ? 'success' : 'error', {
      httpStatus: status,
      ...(saveAs !== undefined && { variables: { [saveAs]: value } }),
    });
  },
});

const handoff = nodeType({
  data: z.object({
    minutes: z.int().min(1).max(HANDOFF_MINUTES_MAX).default(HANDOFF_MINUTES_DEFAULT),
  }),
  does: 'ends the run and stops all bots for this contact for a time',
  outcomes: [],
  example: { minutes: 60 },
  form: [
    {
      kind: 'number',
      name: 'minutes',
      label: 'Minutes without bots',
      min: 1,
      max: HANDOFF_MINUTES_MAX,
      hint: `Up to 30 days: ${HANDOFF_MINUTES_MAX}. An hour when empty.`,
    },
  ],
  enter({ minutes }, { now }) {
    const silentUntil = now + minutes * MINUTE_MS;
    return { kind: 'end', reason: 'handoff', detail: null, silentUntil };
  },
});

export const logicNodes = {
  condition,
  switch: switchNode,
  set_variable: setVariable,
  delay,
  business_hours: businessHours,
  http_request: httpRequest,
  handoff,
} as const;
