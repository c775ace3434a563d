import type { JsonRoute, Method } from '../src/http/route/route.ts';

// Names of operations follow from method and path alone, so that other changes keep them.

/** Replaces poor names of the rule. */
const CHOSEN: Record<string, string> = {
  'POST /v1/notifications/send/batch': 'sendNotificationBatch',
  'POST /v1/notifications/templates/submit': 'submitCatalog',
  'POST /admin/v1/numbers/:phoneNumberId/catalog/submit': 'submitNumberCatalog',
  'GET /v1/notifications/catalog': 'getCatalog',
  'GET /v1/notifications/events': 'getReadiness',
  'GET /v1/notifications/status/:messageId': 'getMessageStatus',
  'GET /v1/account': 'getOwnAccount',
  'PATCH /v1/account': 'updateOwnAccount',
  'GET /v1/messages/:messageId/explain': 'explainMessage',
  'GET /v1/credits': 'getCredits',
  'POST /v1/media': 'uploadMedia',
  'GET /admin/v1/messages': 'findMessages',
  'GET /admin/v1/sends': 'findSends',
  'GET /admin/v1/sends/refusals': 'findSendRefusals',
  'POST /v1/conversations/:conversationId/handoff': 'takeConversation',
  'DELETE /v1/conversations/:conversationId/handoff': 'giveConversationBack',
  'GET /v1/scheduled': 'listScheduled',
  'GET /v1/scheduled/:scheduleId': 'getScheduled',
  'DELETE /v1/scheduled/:scheduleId': 'cancelScheduled',
  'POST /v1/scheduled/:scheduleId/send-now': 'sendScheduledNow',
  'GET /admin/v1/accounts/:id/scheduled': 'listAccountScheduled',
  'GET /admin/v1/accounts/:id/jobs': 'listAccountJobs',
  'POST /v1/conversations/:conversationId/labels': 'labelConversation',
  'POST /admin/v1/people/:id/invitation': 'invitePersonAgain',
  'DELETE /admin/v1/people/:id/sessions': 'endPersonSessions',
  'GET /v1/people': 'listColleagues',
  'POST /v1/people': 'inviteColleague',
  'GET /v1/people/:id': 'getColleague',
  'PATCH /v1/people/:id': 'updateColleague',
  'POST /v1/people/:id/invitation': 'inviteColleagueAgain',
  'DELETE /v1/people/:id/sessions': 'endColleagueSessions',
  'POST /v1/people/:id/suspend': 'suspendColleague',
  'POST /v1/people/:id/reinstate': 'reinstateColleague',
  'POST /v1/keys/:id/deactivate': 'deactivateOwnKey',
  'POST /v1/keys/:id/activate': 'activateOwnKey',
  'POST /v1/keys/:id/revoke': 'revokeOwnKey',
  'GET /v1/find': 'find',
  'GET /admin/v1/find': 'findAnywhere',
  'GET /admin/v1/charges/:id': 'getAccountCharge',
  'GET /admin/v1/overview': 'getServiceOverview',
  'GET /admin/v1/live': 'followService',
  'GET /v1/live': 'followAccount',
  'POST /admin/v1/console-links': 'createAdministratorConsoleLink',
};

const words = (text: string): readonly string[] => text.split(/[^A-Za-z0-9]+/).filter(Boolean);

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export const pascal = (text: string): string => words(text).map(capital).join('');

const camel = (text: string): string => {
  const name = pascal(text);
  return name.slice(0, 1).toLowerCase() + name.slice(1);
};

const isPlural = (word: string): boolean => word === 'people' || /[^sui]s$/.test(word);

export const singular = (word: string): string => {
  if (!isPlural(word)) return word;
  if (word === 'people') return 'person';
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

/** Path parameters that need more than the rule of `describeId`. */
const described: Record<string, { description: string; example?: string }> = {
  messageId: {
    description:
      "The provider's message id, as a send returned it. Encode what a path cannot hold, such as `/` and `=`.",
    example: 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSOUI1RjE2',
  },
  phoneNumberId: {
    description: "The provider's phone number id; not the telephone number.",
    example: '106540352242922',
  },
  botId: { description: 'Id of the bot.', example: 'bot_0199e0a1-7c1e-7b60-9a55-2f4b8f1f0c11' },
  scheduleId: {
    description: 'Id of the scheduled send.',
    example: 'sch_0199e0a1-7c1e-7b60-9a55-2f4b8f1f0c11',
  },
  runId: { description: 'Id of the run.', example: 'run_0199e0a2-1b7d-7f00-8a3e-0c6f3d1a9b24' },
  'GET /v1/templates/:id id': {
    description: "The provider's global template id; not the name.",
    example: '3000000000000003',
  },
};

/** The segment before a parameter: `/accounts/:id/keys`, `id` → `accounts`. */
export const ownerOf = (path: string, name: string): string => {
  const segments = segmentsOf(path);
  return segments[segments.indexOf(`:${name}`) - 1] ?? '';
};

/** `/accounts/:id/keys` → "Id of the account." */
const describeId = (path: string, name: string): string =>
  `${pascal(name)} of the ${singular(ownerOf(path, name)).replaceAll('-', ' ')}.`;

export const describeParameter = (
  { method, path }: Pick<JsonRoute, 'method' | 'path'>,
  name: string,
): { description: string; example?: string } =>
  described[`${method} ${path} ${name}`] ??
  described[name] ?? { description: describeId(path, name) };

/** `:phoneNumberId` → `{phoneNumberId}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

export const parametersIn = (path: string): readonly string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
