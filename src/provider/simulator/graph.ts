import { isRecord, type Json } from '../shape.ts';
import type { CallEnding } from './endings.ts';
import { type GraphAnswer, graphError, noSuchObject } from './errors.ts';
import type { createMessages } from './messages.ts';
import { deregisterNumber, listNumbers, readNumber, registerNumber } from './numbers.ts';
import type { Templates } from './templates.ts';
import { numberOf, type SimulatedNumber, type World } from './world.ts';

export interface GraphRequest {
  method: string;
  /** The parts of the path behind the version. */
  path: string[];
  query: URLSearchParams;
  authorization: string | undefined;
  /** Undefined when the body is no JSON object. */
  body: Json | undefined;
  /** Address of the request without its query. */
  here: string;
}

const answer = (given: GraphAnswer): CallEnding => ({ kind: 'answer', answer: given });
const ok = (body: unknown) => answer({ status: 200, body });

const templateFields = /(^|,)(components|language|rejected_reason)(,|$)/;

/** The endpoints of the Graph API, as far as they are simulated. */
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

  const ofAccount = ({ method, path, query, body, here }: GraphRequest): CallEnding => {
    const [wabaId = '', edge] = path;
    if (!knowsAccount(wabaId)) return answer(noSuchObject(wabaId));
    if (edge === 'phone_numbers') return answer(listNumbers(world, wabaId, query));
    if (edge === 'subscribed_apps') return ok(method === 'GET' ? { data: [] } : { success: true });
    if (method === 'GET') return answer(templates.list(wabaId, query, here));
    if (method === 'DELETE') return answer(templates.remove(wabaId, query));
    if (body === undefined) return answer(graphError(100, { details: 'The body is not JSON.' }));
    return answer(templates.create(wabaId, body));
  };

  const ofNumber = async (
    number: SimulatedNumber,
    { path: [, edge], body }: GraphRequest,
  ): Promise<CallEnding> => {
    if (edge === 'deregister') return answer(deregisterNumber(number));
    if (body === undefined) return answer(graphError(100, { details: 'The body is not JSON.' }));
    if (edge === 'register') return answer(registerNumber(number, body));
    return body.status === 'read' ? ok({ success: true }) : send(number, body);
  };

  /** Reading or changing one object by its id alone. */
  const ofNode = ({ method, path: [id = ''], query, body }: GraphRequest): CallEnding => {
    const template = world.templates.get(id);
    if (template && method === 'GET') return answer(templates.read(template, query));
    if (template) return answer(templates.edit(template, body ?? {}));
    const isForTemplate = templateFields.test(query.get('fields') ?? '');
    const number = isForTemplate ? undefined : numberOf(world, id);
    if (!number || method !== 'GET') return answer(noSuchObject(id));
    return answer(readNumber(number, query));
  };

  const accountEdges = new Set(['message_templates', 'phone_numbers', 'subscribed_apps']);
  const numberEdges = new Set(['messages', 'register', 'deregister']);

  return async (request: GraphRequest): Promise<CallEnding> => {
    const refusal = checkToken(request.authorization);
    if (refusal) return answer(refusal);
    const [id = '', edge] = request.path;
    if (edge === undefined) return ofNode(request);
    if (accountEdges.has(edge)) return ofAccount(request);
    const number = numberEdges.has(edge) ? numberOf(world, id) : undefined;
    if (number && request.method === 'POST') return ofNumber(number, request);
    return answer(noSuchObject(id));
  };
};

/** A body as an object, if it is one. */
export const readObject = (text: string): Json | undefined => {
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text);
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
};
