import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Control } from './control.ts';
import type { CallEnding } from './endings.ts';
import { type createGraph, readObject } from './graph.ts';
import { scenarios } from './scenarios.ts';
import type { Timers } from './timers.ts';
import type { World } from './world.ts';

const BODY_BYTES_MAX = 1024 * 1024;
const CONTROL = '_simulator';
const LONG = 64;

const readText = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const reply = (response: ServerResponse, status: number, type: string, text: string) => {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
};

const replyJson = (response: ServerResponse, status: number, body: unknown) =>
  reply(response, status, 'application/json', JSON.stringify(body));

/** Ends a call as it was decided: with an answer, half of one, or none. */
const end = (response: ServerResponse, ending: CallEnding) => {
  switch (ending.kind) {
    case 'answer':
      return replyJson(response, ending.answer.status, ending.answer.body);
    case 'raw':
      return reply(response, ending.status, ending.contentType, ending.text);
    case 'silence':
      return undefined;
    case 'reset':
      return response.socket?.resetAndDestroy();
    case 'cut_off':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': LONG });
      response.write('{"messaging_product"', () => response.socket?.resetAndDestroy());
      return undefined;
    default:
      return ending satisfies never;
  }
};

/** A number whose calls are reset before they are read. */
const isCutBeforeReading = (world: World, phoneNumberId: string | undefined) => {
  const fault = world.faults.get(phoneNumberId ?? '');
  if (!fault || scenarios[fault.scenario].ending !== 'reset_unread') return false;
  fault.left -= 1;
  if (fault.left <= 0) world.faults.delete(phoneNumberId ?? '');
  return true;
};

/** The simulated provider's HTTP side. */
export const createSimulatorServer = (options: {
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
    if (version !== CONTROL && path[1] === 'messages' && isCutBeforeReading(world, path[0])) {
      request.socket.resetAndDestroy();
      return;
    }
    const text = await readText(request);
    if (text === undefined) {
      replyJson(response, 413, { error: { message: 'too large', code: 1 } });
      return;
    }
    const body = readObject(text);
    const query = here.searchParams;
    if (version === CONTROL) {
      const result = await control({ method, path, query, body: body ?? {} });
      replyJson(response, result.status, result.body);
      return;
    }
    const { authorization } = request.headers;
    const address = here.origin + here.pathname;
    const ending = await graph({ method, path, query, authorization, body, here: address });
    const { answerMs } = world.settings.timings;
    if (answerMs > 0) timers.after(answerMs, () => end(response, ending));
    else end(response, ending);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      if (!response.headersSent)
        replyJson(response, 400, { error: { message: error.message, code: 1 } });
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
