import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import getRawBody from 'raw-body';
import { readBody } from '../graph/refusal.ts';
import { noSuchObject } from './answers.ts';
import type { Control } from './control.ts';
import type { CallEnding } from './endings.ts';
import { checkToken, type createGraph } from './graph.ts';
import { fileAt, MEDIA_PATH, uploadMedia } from './media.ts';
import { scenarios } from './scenarios.ts';
import type { Timers } from './timers.ts';
import { numberOf, takeFault, type World } from './world.ts';

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
    const ending = await graph({ method, path, query, authorization, body, address });
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
