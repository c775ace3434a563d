import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import getRawBody from 'raw-body';
import type { Clock } from '../../shared/clock.ts';
import { readBody } from '../graph/client.ts';
import { asText, type Json } from '../shape.ts';
import { type GraphAnswer, noSuchObject, ok } from './answers.ts';
import {
  answersWithFiles,
  type ContactChange,
  createCustomers,
  type Inbound,
} from './customers.ts';
import { createFunctions, type SimulatorFunctions, type SimulatorSettings } from './functions.ts';
import { checkToken, createGraph, type GraphRequest } from './graph.ts';
import { createHooks } from './hooks.ts';
import { fileAt, MEDIA_PATH, uploadMedia } from './media.ts';
import { createMessages } from './messages.ts';
import { createNotices, type NoticeRequest, notices } from './notices.ts';
import { toSubscribers } from './numbers.ts';
import { createReviews } from './reviews.ts';
import {
  magicRecipients,
  magicTemplateNames,
  outcomeOf,
  type ScenarioName,
  scenarios,
} from './scenarios.ts';
import { defaultSettings, defaultTimings, noChaos, type Settings } from './settings.ts';
import { type CallEnding, createStatuses } from './statuses.ts';
import { createTemplates } from './templates.ts';
import { createTimers, type Timers } from './timers.ts';
import { createWorld, numberOf, type SimulatedNumber, takeFault, type World } from './world.ts';

type ControlRequest = Pick<GraphRequest, 'method' | 'path' | 'query'> & { body: Json };

export type Control = (request: ControlRequest) => Promise<GraphAnswer>;

const needed = (body: Json, key: string): string => {
  const text = asText(body[key]);
  if (text === null) throw new Error(`${key} is missing`);
  return text;
};

const scenarioNamed = (name: string | null): ScenarioName | null => {
  if (name === null || name in scenarios) return name as ScenarioName | null;
  throw new Error(`there is no scenario ${name}`);
};

const catalogue = () => ({
  scenarios,
  recipients: Object.entries(magicRecipients).map(([recipient, scenario]) => ({
    recipient: `+${recipient}`,
    scenario,
    what: scenarios[scenario].what,
    ...outcomeOf(scenarios[scenario]),
  })),
  templateNames: magicTemplateNames,
});

/** The functions of the simulator over HTTP, below `/_simulator/`. */
const createControl = (
  simulator: SimulatorFunctions,
  { calls }: Pick<ReturnType<typeof createGraph>, 'calls'>,
): Control => {
  const reads: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    sends: (query) => {
      const to = query.get('to');
      const sends = simulator.sends(query.get('chargeId') ?? undefined);
      return { sends: sends.filter((send) => to === null || send.to === to) };
    },
    scenarios: catalogue,
    notices: () => ({ notices }),
    calls: () => ({ calls }),
    state: () => ({ pending: simulator.pending(), lost: simulator.lost() }),
  };

  const writes: Readonly<Record<string, (body: Json, path: string[]) => unknown>> = {
    configure: (body) => simulator.configure(body as SimulatorSettings),
    numbers: (body) => {
      const phoneNumberId = needed(body, 'phoneNumberId');
      return simulator.setNumber({ ...(body as Partial<SimulatedNumber>), phoneNumberId });
    },
    templates: async (body, [id, action]) => {
      if (id === undefined) return simulator.setTemplate(needed(body, 'wabaId'), body);
      if (action !== 'status') throw new Error(`a template has no ${action}`);
      const reason = asText(body.reason) ?? undefined;
      return { status: await simulator.decideTemplate(id, needed(body, 'status'), reason) };
    },
    fault: (body) => {
      const scenario = scenarioNamed(asText(body.scenario));
      const count = body.count === undefined ? undefined : Number(body.count);
      simulator.fault(needed(body, 'phoneNumberId'), scenario, count);
    },
    subscriptions: (body) =>
      simulator.setSubscription(needed(body, 'wabaId'), body.subscribed !== false),
    inbound: (body) => simulator.inbound(needed(body, 'from'), body as unknown as Inbound),
    contacts: (body) => simulator.setContact(needed(body, 'contact'), body as ContactChange),
    status: async ({ messageId, step }) => ({
      status: await simulator.status(String(messageId), step as 'sent'),
    }),
    notice: async (body) => {
      needed(body, 'phoneNumberId');
      needed(body, 'field');
      return { status: await simulator.notice(body as unknown as NoticeRequest) };
    },
    webhook: async (body) => ({ status: await simulator.webhook(body) }),
  };

  return async ({ method, path, query, body }) => {
    const [verb = '', ...rest] = path;
    const read = reads[verb];
    const write = writes[verb];
    try {
      if (method === 'GET' && read) return ok(read(query));
      if (method === 'POST' && write) return ok((await write(body, rest)) ?? { success: true });
      const known = { reads: Object.keys(reads), writes: Object.keys(writes) };
      return { kind: 'answer', status: 404, body: { error: 'Not found', ...known } };
    } catch (error) {
      return { kind: 'answer', status: 400, body: { error: (error as Error).message } };
    }
  };
};

const BODY_BYTES_MAX = 1024 * 1024;
const CONTROL = '_simulator';
/** More than the server sends of an answer that it cuts off. */
const CUT_OFF_LENGTH = 64;

const reply = (response: ServerResponse, status: number, type: string, text: string) => {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
};

const replyJson = (response: ServerResponse, status: number, body: unknown) =>
  reply(response, status, 'application/json', JSON.stringify(body));

/** Ends a call with an answer, with a part of one, or with none. */
const end = (response: ServerResponse, ending: CallEnding) => {
  switch (ending.kind) {
    case 'answer':
      return replyJson(response, ending.status, ending.body);
    case 'raw':
      return reply(response, ending.status, ending.contentType, ending.text);
    case 'silence':
      return undefined;
    case 'reset':
      return response.socket?.resetAndDestroy();
    case 'cut_off':
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': CUT_OFF_LENGTH,
      });
      response.write('{"messaging_product"', () => response.socket?.resetAndDestroy());
      return undefined;
    default:
      return ending satisfies never;
  }
};

/** Whether the fault of a number resets its calls before the server reads them. */
const isResetUnread = ({ faults }: World, phoneNumberId: string) => {
  const fault = faults.get(phoneNumberId);
  return fault !== undefined && scenarios[fault.scenario].ending === 'reset_unread';
};

const takeFile = async (world: World, phoneNumberId: string, request: IncomingMessage) =>
  checkToken(world, request.headers.authorization) ??
  (numberOf(world, phoneNumberId)
    ? uploadMedia(world, phoneNumberId, request)
    : noSuchObject(phoneNumberId));

/** The URL of a file needs the token too. */
const sendFile = (
  world: World,
  path: string[],
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  const refusal = checkToken(world, request.headers.authorization);
  const file = refusal ? undefined : fileAt(world, path);
  if (!file) {
    replyJson(response, refusal?.status ?? 404, refusal?.body ?? {});
    return;
  }
  const { mimeType, content, fault } = file;
  response.writeHead(200, { 'content-type': mimeType, 'content-length': content.length });
  if (fault !== 'cut_off') response.end(content);
  else response.write(content.subarray(0, content.length / 2), () => response.destroy());
};

/** The simulated provider's HTTP side. */
const createSimulatorServer = (options: {
  world: World;
  graph: ReturnType<typeof createGraph>;
  control: Control;
  timers: Timers;
}) => {
  const { world, graph, control, timers } = options;

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const here = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    const [version, ...path] = here.pathname.split('/').filter(Boolean).map(decodeURIComponent);
    const method = request.method ?? 'GET';
    const [phoneNumberId = '', edge] = path;
    if (version !== CONTROL && edge === 'messages' && isResetUnread(world, phoneNumberId)) {
      takeFault(world, phoneNumberId);
      request.socket.resetAndDestroy();
      return;
    }
    if (version === MEDIA_PATH) return sendFile(world, path, request, response);
    if (version !== CONTROL && edge === 'media' && method === 'POST') {
      end(response, await takeFile(world, phoneNumberId, request));
      return;
    }
    const text = await getRawBody(request, { limit: BODY_BYTES_MAX, encoding: 'utf8' });
    const body = readBody(text === '' ? '{}' : text);
    const query = here.searchParams;
    if (version === CONTROL) {
      end(response, await control({ method, path, query, body: body ?? {} }));
      return;
    }
    const { authorization } = request.headers;
    const address = here.origin + here.pathname;
    const ending = await graph.answer({ method, path, query, authorization, body, address });
    const { answerMs } = world.settings.timings;
    if (answerMs > 0) timers.after(answerMs, () => end(response, ending));
    else end(response, ending);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(({ status = 400, message }: Error & { status?: number }) => {
      if (!response.headersSent) replyJson(response, status, { error: { message, code: 1 } });
    });
  });

  return {
    async listen(port: number, host: string): Promise<string> {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      return `http://${host}:${(server.address() as AddressInfo).port}`;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};

/** A simulated provider. `scenarios` and `magicRecipients` list what it can do. */
export interface Simulator extends SimulatorFunctions {
  /** Resolves with the base address. */
  start(): Promise<string>;
  stop(): Promise<void>;
}

interface SimulatorOptions extends SimulatorSettings {
  appSecret: string;
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
  random?: () => number;
  clock?: Clock;
}

export const createSimulator = (options: SimulatorOptions): Simulator => {
  const { port = 0, host = '127.0.0.1', random = Math.random, ...others } = options;
  const { clock = { now: Date.now }, timings, chaos, ...rest } = others;
  const settings: Settings = {
    ...defaultSettings,
    ...rest,
    timings: { ...defaultTimings, ...timings },
    chaos: { ...noChaos, ...chaos },
  };
  const world = createWorld(settings, { clock, random });
  const timers = createTimers();
  const hooks = createHooks(settings);
  const notifications = toSubscribers(world, hooks);
  const statuses = createStatuses(world, notifications, timers);
  const reviews = createReviews(world, notifications, timers);
  const templates = createTemplates(world, reviews);
  const customers = createCustomers(world, notifications);
  const functions = createFunctions({
    world,
    timers,
    hooks,
    statuses,
    reviews,
    templates,
    customers,
    notice: createNotices(world, notifications, reviews),
  });
  const messages = createMessages(world, statuses, answersWithFiles(world, customers, timers));
  const graph = createGraph(world, templates, messages);
  const server = createSimulatorServer({
    world,
    graph,
    control: createControl(functions, graph),
    timers,
  });
  return {
    ...functions,
    start: () => server.listen(port, host),
    async stop() {
      timers.stop();
      await Promise.all([server.close(), hooks.close()]);
    },
  };
};
