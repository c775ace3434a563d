import type { JsonRoute, Method } from '../route/route.ts';

// Names that follow from method and path alone, so that they stay when anything else changes.

/** Where the rule would give a poor name. */
const CHOSEN: Record<string, string> = {
  'POST /v1/notifications/send/batch': 'sendNotificationBatch',
  'POST /v1/notifications/templates/submit': 'submitCatalog',
  'GET /v1/notifications/catalog': 'getCatalog',
  'GET /v1/notifications/events': 'getReadiness',
  'GET /v1/notifications/status/:messageId': 'getMessageStatus',
  'GET /v1/credits': 'getCredits',
  'GET /admin/v1/messages': 'findMessages',
};

const words = (text: string): readonly string[] => text.split(/[^A-Za-z0-9]+/).filter(Boolean);

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export const pascal = (text: string): string => words(text).map(capital).join('');

const camel = (text: string): string => {
  const name = pascal(text);
  return name.slice(0, 1).toLowerCase() + name.slice(1);
};

const isPlural = (word: string): boolean => /[^sui]s$/.test(word);

export const singular = (word: string): string => {
  if (!isPlural(word)) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
};

const isParameter = (segment: string): boolean => segment.startsWith(':');

const nounsOf = (segments: readonly string[]): string =>
  segments
    .filter((segment) => !isParameter(segment))
    .map((segment) => pascal(singular(segment)))
    .join('');

/** `/admin/v1/keys/:id` → `keys`, `:id`. */
export const segmentsOf = (path: string): readonly string[] =>
  path
    .replace(/^(\/admin)?\/v\d+/, '')
    .split('/')
    .filter(Boolean);

const verbs: Record<Method, string> = {
  GET: 'get',
  POST: 'create',
  PUT: 'set',
  PATCH: 'update',
  DELETE: 'delete',
};

/** `listMessages`, `getBot`, `createTemplate`, `sendMessage`, `updateAccountLimits`, `revokeKey`. */
export const operationIdOf = ({ method, path }: Pick<JsonRoute, 'method' | 'path'>): string => {
  const chosen = CHOSEN[`${method} ${path}`];
  if (chosen) return chosen;
  const segments = segmentsOf(path);
  const last = segments.at(-1) ?? '';
  const before = segments.slice(0, -1);
  if (isParameter(last)) {
    return (method === 'PUT' ? 'replace' : verbs[method]) + nounsOf(segments);
  }
  if (method === 'POST') {
    return isPlural(last) ? verbs.POST + nounsOf(segments) : camel(last) + nounsOf(before);
  }
  const verb = method === 'GET' && isPlural(last) ? 'list' : verbs[method];
  return verb + nounsOf(before) + pascal(last);
};

/** What a request is about or does: `/accounts/:id/keys` → `key`, `…/credits/grant` → `grant`. */
export const subjectOf = (path: string): string => {
  const segments = segmentsOf(path).filter((segment) => !isParameter(segment));
  return camel(singular(segments.at(-1) ?? ''));
};

/** Acts that answer with the thing they were done to. */
const ACTS = new Set([
  ...['revoke', 'suspend', 'reinstate', 'deactivate', 'activate', 'plan', 'limits'],
  ...['access-token', 'register', 'refresh', 'retry', 'rebuild'],
]);
/** Answers that are not named by the end of their path. */
const ANSWERS: Readonly<Record<string, string>> = {
  send: 'sent',
  batch: 'sentBatch',
  submit: 'submission',
  grant: 'entry',
  'top-up': 'entry',
  adjust: 'entry',
};

/** What an answer holds: `/keys/:id/revoke` → `key`, `…/credits/grant` → `entry`. */
export const answerSubjectOf = (path: string): string => {
  const segments = segmentsOf(path);
  const last = segments.at(-1) ?? '';
  if (path === '/admin/v1/accounts/:id/credits/revoke') return 'entry';
  if (path === '/admin/v1/accounts/:id/events') return 'log';
  if (ACTS.has(last)) return camel(singular(segments.at(-3) ?? ''));
  return ANSWERS[last] ?? subjectOf(path);
};

/** `:phoneNumberId` → `{phoneNumberId}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

export const parametersIn = (path: string): readonly string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
