import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Agent, request as undiciRequest } from 'undici';
import { until } from '../until.ts';
import type { Json, Tenant } from '../waybill.ts';

/** A call on its way to the provider. */
export interface Passing {
  method: string;
  path: string;
  body: Json;
}

/** Calls that are being held up. */
export interface Held {
  /** Waits until so many calls stand there. */
  arrived(count?: number): Promise<void>;
  /** Lets them go on, and everybody after them. */
  release(): void;
}

/** Stands between the service and the provider, and holds up what it is told to. */
export interface Gate {
  url: string;
  /** `before`: the provider has not seen the call. `after`: it has answered, nobody has heard. */
  hold(where: 'before' | 'after', matches?: (call: Passing) => boolean): Held;
  /** Cuts all connections; new ones are refused until it is plugged in again. */
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  close(): Promise<void>;
}

interface Hold {
  where: 'before' | 'after';
  matches: (call: Passing) => boolean;
  open: Promise<void>;
  here: number;
}

export const isSend = ({ method, path }: Passing): boolean =>
  method === 'POST' && path.endsWith('/messages');

/** A send from this number. */
export const isSendOf =
  ({ phoneNumberId }: Pick<Tenant, 'phoneNumberId'>) =>
  (call: Passing): boolean =>
    isSend(call) && call.path.includes(phoneNumberId);

const parse = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const openGate = async (target: string): Promise<Gate> => {
  const agent = new Agent({ connections: 256 });
  const holds = new Set<Hold>();

  const wait = async (where: Hold['where'], call: Passing) => {
    for (const hold of [...holds]) {
      if (hold.where !== where || !hold.matches(call)) continue;
      hold.here += 1;
      await hold.open;
      hold.here -= 1;
    }
  };

  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const sent = await text(request);
    const call = { method, path: path.split('?')[0]!, body: parse(sent) };
    await wait('before', call);
    // Whoever called may be gone by now; what was never handed on then never will be.
    if (response.destroyed || request.socket.destroyed) return;
    const answer = await undiciRequest(`${target}${path}`, {
      dispatcher: agent,
      method: method as 'GET',
      headers: {
        ...(headers.authorization && { authorization: headers.authorization }),
        ...(headers['content-type'] && { 'content-type': headers['content-type'] }),
      },
      ...(sent !== '' && { body: sent }),
    });
    const body = await answer.body.text();
    await wait('after', call);
    response.writeHead(answer.statusCode, {
      'content-type': String(answer.headers['content-type']),
    });
    response.end(body);
  };

  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.resetAndDestroy());
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const unplug = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    unplug,
    plugIn: () => listen(port),
    hold(where, matches = isSend) {
      const { promise: open, resolve } = Promise.withResolvers<void>();
      const hold: Hold = { where, matches, open, here: 0 };
      holds.add(hold);
      return {
        arrived: (count = 1) =>
          until(`${count} calls held ${where} the provider`, () => hold.here >= count),
        release() {
          holds.delete(hold);
          resolve();
        },
      };
    },
    async close() {
      await agent.destroy();
      await unplug();
    },
  };
};
