import type { Json } from '../shape.ts';
import { readAnalytics } from './analytics.ts';
import { fieldsOf, type GraphAnswer, graphError, noSuchObject, ok } from './answers.ts';
import { readMedia } from './media.ts';
import { answerReceipt } from './message-checks.ts';
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

/** What follows the id in a path, and its answer. */
type Edges<Of, Answer> = ReadonlyMap<string, (of: Of, request: GraphRequest) => Answer>;

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

/** The endpoints of the Graph API, as far as they are simulated. */
export const createGraph = (
  world: World,
  templates: Templates,
  send: ReturnType<typeof createMessages>,
) => {
  const knowsAccount = (wabaId: string) =>
    !world.settings.strict ||
    [...world.numbers.values()].some((number) => number.wabaId === wabaId);

  const ofTemplates = (wabaId: string, request: GraphRequest): GraphAnswer => {
    const { method, query, body, address } = request;
    if (method === 'GET') return templates.list(wabaId, query, address);
    if (method === 'DELETE') return templates.remove(wabaId, query);
    return body === undefined ? notJson() : templates.create(wabaId, body);
  };

  const ofSubscriptions = (wabaId: string, { method }: GraphRequest): GraphAnswer =>
    method === 'GET'
      ? listSubscriptions(world, wabaId)
      : setSubscription(world, wabaId, method === 'POST');

  const accountEdges: Edges<string, GraphAnswer> = new Map([
    ['message_templates', ofTemplates],
    ['subscribed_apps', ofSubscriptions],
    ['phone_numbers', (wabaId, { query }) => listNumbers(world, wabaId, query)],
  ]);

  const ofMessages = (number: SimulatedNumber, { body }: GraphRequest) => {
    if (body === undefined) return notJson();
    return body.status === 'read' ? answerReceipt(body) : send(number, body);
  };

  const numberEdges: Edges<SimulatedNumber, GraphAnswer | Promise<CallEnding>> = new Map([
    ['messages', ofMessages],
    ['register', (number, { body }) => (body ? registerNumber(number, body) : notJson())],
    ['deregister', deregisterNumber],
  ]);

  /** Reads or changes one object by its id alone. */
  const ofNode = (id: string, { method, query, body, address }: GraphRequest): GraphAnswer => {
    if (method === 'GET' && id === 'app') return ok(fieldsOf({ ...app }, query, ['name', 'link']));
    if (method === 'GET' && id === 'debug_token') return debugToken();
    const isOfFile = world.media.has(id) || query.has('phone_number_id');
    if (method === 'GET' && isOfFile) return readMedia(world, id, query, new URL(address).origin);
    const fields = query.get('fields') ?? '';
    const analytics = method === 'GET' ? readAnalytics(world, id, fields) : undefined;
    if (analytics) return knowsAccount(id) ? analytics : noSuchObject(id);
    const template = world.templates.get(id);
    if (template && method === 'GET') return templates.read(template, query);
    if (template) return templates.edit(template, body ?? {});
    const isForTemplate = templateFields.test(fields);
    const number = isForTemplate ? undefined : numberOf(world, id);
    return number && method === 'GET' ? readNumber(number, query) : noSuchObject(id);
  };

  return async (request: GraphRequest): Promise<CallEnding> => {
    const refusal = checkToken(world, request.authorization);
    if (refusal) return refusal;
    const [id = '', edge] = request.path;
    if (edge === undefined) return ofNode(id, request);
    const ofAccount = accountEdges.get(edge);
    if (ofAccount) return knowsAccount(id) ? ofAccount(id, request) : noSuchObject(id);
    const ofNumber = request.method === 'POST' ? numberEdges.get(edge) : undefined;
    const number = ofNumber && numberOf(world, id);
    return number ? ofNumber(number, request) : noSuchObject(id);
  };
};
