import type { Json } from '../shape.ts';
import { readAnalytics } from './analytics.ts';
import { fieldsOf, type GraphAnswer, graphError, noSuchObject, ok } from './answers.ts';
import {
  listBlocked,
  readBusinessProfile,
  readQrCodes,
  readSettings,
  removeQrCode,
  setBlocked,
  setBusinessProfile,
  setQrCode,
  setSettings,
} from './business.ts';
import { readMedia } from './media.ts';
import type { createMessages } from './messages.ts';
import {
  app,
  debugToken,
  deregisterNumber,
  listNumbers,
  listSubscriptions,
  readNumber,
  registerNumber,
  setSubscription,
} from './numbers.ts';
import type { CallEnding } from './statuses.ts';
import type { Templates } from './templates.ts';
import { numberOf, type SimulatedNumber, type World } from './world.ts';

export interface GraphRequest {
  method: string;
  /** The parts of the path after the version. */
  path: string[];
  query: URLSearchParams;
  authorization: string | undefined;
  /** Undefined when the body is not a JSON object. */
  body: Json | undefined;
  /** Address of the request without its query. */
  address: string;
}

/** A call of the Graph API below the id of an object. */
interface Edge<Of, Answer> {
  method: 'GET' | 'POST' | 'DELETE';
  /** What follows the id in the path. */
  edge: string;
  /** A sentence for people. */
  what: string;
  answer(of: Of, request: GraphRequest): Answer;
}

const templateFields = /(^|,)(components|language|rejected_reason)(,|$)/;
const notJson = () => graphError(100, { details: 'The body is not JSON.' });

/** The refusal of a call without a token, or with one that has expired. */
export const checkToken = (
  { settings }: World,
  authorization: string | undefined,
): GraphAnswer | undefined => {
  const token = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return graphError(190, { details: 'No access token.' });
  if (!settings.invalidTokens.includes(token)) return undefined;
  return graphError(190, { subcode: 463, details: 'The session has expired.' });
};

/** The calls that name no edge, and the upload, which is no JSON. */
const nodeCalls = [
  { call: 'GET /<business account>', what: 'Its `pricing_analytics`' },
  { call: 'GET /<number>', what: 'The number; `fields`' },
  { call: 'GET /<template>', what: 'The template; `fields`' },
  { call: 'POST /<template>', what: 'Changes the template, which is reviewed again' },
  { call: 'POST /<number>/media', what: 'Uploads a file, as a form' },
  { call: 'GET /<file>', what: 'Where the file can be read' },
  { call: 'DELETE /<file>', what: 'Removes the file' },
  { call: 'GET /app', what: 'The app of the token' },
  { call: 'GET /debug_token', what: 'The token' },
];

/** The endpoints of the Graph API, as far as they are simulated. */
export const createGraph = (
  world: World,
  templates: Templates,
  send: ReturnType<typeof createMessages>,
) => {
  const knowsAccount = (wabaId: string) =>
    !world.settings.strict ||
    [...world.numbers.values()].some((number) => number.wabaId === wabaId);

  const accountEdges: readonly Edge<string, GraphAnswer>[] = [
    {
      method: 'GET',
      edge: 'message_templates',
      what: 'Templates, in pages; `name`, `fields`, `limit`, `after`, `source=AUTO_GENERATED`',
      answer: (wabaId, { query, address }) => templates.list(wabaId, query, address),
    },
    {
      method: 'POST',
      edge: 'message_templates',
      what: 'Submits a template, which is then reviewed',
      answer: (wabaId, { body }) => (body ? templates.create(wabaId, body) : notJson()),
    },
    {
      method: 'DELETE',
      edge: 'message_templates',
      what: 'Removes templates by `name`, `hsm_id`, or up to 100 `hsm_ids`',
      answer: (wabaId, { query }) => templates.remove(wabaId, query),
    },
    {
      method: 'GET',
      edge: 'subscribed_apps',
      what: 'The subscribed apps',
      answer: (wabaId) => listSubscriptions(world, wabaId),
    },
    {
      method: 'POST',
      edge: 'subscribed_apps',
      what: 'Subscribes the app',
      answer: (wabaId) => setSubscription(world, wabaId, true),
    },
    {
      method: 'DELETE',
      edge: 'subscribed_apps',
      what: 'Ends the subscription',
      answer: (wabaId) => setSubscription(world, wabaId, false),
    },
    {
      method: 'GET',
      edge: 'phone_numbers',
      what: 'The numbers; `fields`',
      answer: (wabaId, { query }) => listNumbers(world, wabaId, query),
    },
    { method: 'GET', edge: 'flows', what: 'The flows: none', answer: () => ok({ data: [] }) },
  ];

  const numberEdges: readonly Edge<SimulatedNumber, GraphAnswer | Promise<CallEnding>>[] = [
    {
      method: 'POST',
      edge: 'messages',
      what: 'Sends a message, or marks one as read, with or without `typing_indicator`',
      answer: (number, { body }) => (body ? send(number, body) : notJson()),
    },
    {
      method: 'POST',
      edge: 'register',
      what: 'Registers the number with its PIN',
      answer: (number, { body }) => (body ? registerNumber(number, body) : notJson()),
    },
    {
      method: 'POST',
      edge: 'deregister',
      what: 'Ends the registration',
      answer: deregisterNumber,
    },
    {
      method: 'GET',
      edge: 'whatsapp_business_profile',
      what: 'The business profile; `fields`',
      answer: (number, { query }) => readBusinessProfile(world, number, query),
    },
    {
      method: 'POST',
      edge: 'whatsapp_business_profile',
      what: 'Changes the business profile',
      answer: (number, { body }) => (body ? setBusinessProfile(world, number, body) : notJson()),
    },
    {
      method: 'GET',
      edge: 'settings',
      what: 'The settings of the number',
      answer: (number) => readSettings(world, number),
    },
    {
      method: 'POST',
      edge: 'settings',
      what: 'Changes settings of the number; they have no effect',
      answer: (number, { body }) => (body ? setSettings(world, number, body) : notJson()),
    },
    {
      method: 'GET',
      edge: 'block_users',
      what: 'The blocked customers',
      answer: (number) => listBlocked(world, number),
    },
    {
      method: 'POST',
      edge: 'block_users',
      what: 'Blocks customers: messages to them are refused (130403)',
      answer: (number, { body }) =>
        body ? setBlocked(world, number, { body, blocks: true }) : notJson(),
    },
    {
      method: 'DELETE',
      edge: 'block_users',
      what: 'Unblocks customers',
      answer: (number, { body }) =>
        body ? setBlocked(world, number, { body, blocks: false }) : notJson(),
    },
    {
      method: 'GET',
      edge: 'message_qrdls',
      what: 'The QR codes, or the one of the path',
      answer: (number, { path }) => readQrCodes(world, number, path[2]),
    },
    {
      method: 'POST',
      edge: 'message_qrdls',
      what: 'Makes a QR code, or changes its text',
      answer: (number, { body }) => (body ? setQrCode(world, number, body) : notJson()),
    },
    {
      method: 'DELETE',
      edge: 'message_qrdls',
      what: 'Removes the QR code of the path',
      answer: (number, { path }) => removeQrCode(world, number, path[2]),
    },
  ];

  /** Reads or changes one object by its id alone. */
  const ofNode = (id: string, { method, query, body, address }: GraphRequest): GraphAnswer => {
    if (method === 'GET' && id === 'app') return ok(fieldsOf({ ...app }, query, ['name', 'link']));
    if (method === 'GET' && id === 'debug_token') return debugToken();
    const isOfFile = world.media.has(id) || query.has('phone_number_id');
    if (method === 'DELETE' && world.media.delete(id)) return ok({ success: true });
    if (method === 'GET' && isOfFile) return readMedia(world, id, query, new URL(address).origin);
    const fields = query.get('fields') ?? '';
    const analytics = method === 'GET' ? readAnalytics(world, id, fields) : undefined;
    if (analytics) return knowsAccount(id) ? analytics : noSuchObject(id);
    const template = world.templates.get(id);
    if (template && method === 'GET') return templates.read(template, query);
    if (template && method === 'POST') return templates.edit(template, body ?? {});
    const isForTemplate = templateFields.test(fields);
    const number = isForTemplate ? undefined : numberOf(world, id);
    return number && method === 'GET' ? readNumber(number, query) : noSuchObject(id);
  };

  const answer = async (request: GraphRequest): Promise<CallEnding> => {
    const refusal = checkToken(world, request.authorization);
    if (refusal) return refusal;
    const [id = '', edge] = request.path;
    if (edge === undefined) return ofNode(id, request);
    const isAsked = (one: { method: string; edge: string }) =>
      one.edge === edge && one.method === request.method;
    const ofAccount = accountEdges.find(isAsked);
    if (ofAccount) return knowsAccount(id) ? ofAccount.answer(id, request) : noSuchObject(id);
    const ofNumber = numberEdges.find(isAsked);
    const number = ofNumber && numberOf(world, id);
    return number ? ofNumber.answer(number, request) : noSuchObject(id);
  };

  const callOf = (of: string) => (one: { method: string; edge: string; what: string }) => ({
    call: `${one.method} /<${of}>/${one.edge}`,
    what: one.what,
  });
  return {
    answer,
    /** The calls that it answers, for its page in docs. */
    calls: [
      ...accountEdges.map(callOf('business account')),
      ...numberEdges.map(callOf('number')),
      ...nodeCalls,
    ],
  };
};
