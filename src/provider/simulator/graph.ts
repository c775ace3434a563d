import type { Json } from '../shape.ts';
import { type GraphAnswer, graphError, noSuchObject } from './answers.ts';
import type { CallEnding } from './endings.ts';
import type { createMessages } from './messages.ts';
import { readNumber, registerNumber } from './numbers.ts';
import type { Templates } from './templates.ts';
import { numberOf, type World } from './world.ts';

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

const templateFields = /(^|,)(components|language|rejected_reason)(,|$)/;
const notJson = () => graphError(100, { details: 'The body is not JSON.' });

/** The endpoints of the Graph API that the service calls. */
export const createGraph = (
  world: World,
  templates: Templates,
  send: ReturnType<typeof createMessages>,
) => {
  const checkToken = (authorization: string | undefined): GraphAnswer | undefined => {
    const token = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return graphError(190, { details: 'No access token.' });
    if (!world.settings.invalidTokens.includes(token)) return undefined;
    return graphError(190, { subcode: 463, details: 'The session has expired.' });
  };

  const knowsAccount = (wabaId: string) =>
    !world.settings.strict ||
    [...world.numbers.values()].some((number) => number.wabaId === wabaId);

  const ofTemplates = (wabaId: string, request: GraphRequest): GraphAnswer => {
    const { method, query, body, address } = request;
    if (!knowsAccount(wabaId)) return noSuchObject(wabaId);
    if (method === 'GET') return templates.list(wabaId, query, address);
    return body === undefined ? notJson() : templates.create(wabaId, body);
  };

  /** Reads or changes one object by its id alone. */
  const ofNode = (id: string, { method, query, body }: GraphRequest): GraphAnswer => {
    const template = world.templates.get(id);
    if (template && method === 'GET') return templates.read(template, query);
    if (template) return templates.edit(template, body ?? {});
    const isForTemplate = templateFields.test(query.get('fields') ?? '');
    const number = isForTemplate ? undefined : numberOf(world, id);
    return number && method === 'GET' ? readNumber(number, query) : noSuchObject(id);
  };

  return async (request: GraphRequest): Promise<CallEnding> => {
    const refusal = checkToken(request.authorization);
    if (refusal) return refusal;
    const { method, body } = request;
    const [id = '', edge] = request.path;
    if (edge === undefined) return ofNode(id, request);
    if (edge === 'message_templates') return ofTemplates(id, request);
    const isOfNumber = method === 'POST' && (edge === 'messages' || edge === 'register');
    const number = isOfNumber ? numberOf(world, id) : undefined;
    if (!number) return noSuchObject(id);
    if (body === undefined) return notJson();
    return edge === 'register' ? registerNumber(number, body) : send(number, body);
  };
};
