import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A network between client and server that can fail. */
export interface Relay {
  port: number;
  /** How many connections were made in all. */
  connections(): number;
  /** How many are open now. */
  open(): number;
  /** Breaks all connections; new ones can be made at once. */
  cut(): void;
  /** What is connected now stays so, but nothing passes any more, in silence. */
  freeze(): void;
  /** What is asked over connections of now arrives, but its answers are lost, until they break. */
  mute(): void;
  /** Breaks all connections and refuses new ones. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export const startRelay = async (target: number): Promise<Relay> => {
  const pairs = new Set<[Socket, Socket]>();
  let connections = 0;
  let server: Server | undefined;

  const join = (client: Socket): void => {
    connections += 1;
    const upstream = connect(target, '127.0.0.1');
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end);
    client.pipe(upstream).pipe(client);
  };
  const listen = async (port: number): Promise<number> => {
    server = createServer(join).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  };
  const cut = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  const down = async (): Promise<void> => {
    const closing = server && once(server, 'close');
    server?.close();
    server = undefined;
    cut();
    await closing;
  };

  const port = await listen(0);
  return {
    port,
    connections: () => connections,
    open: () => pairs.size,
    cut,
    freeze: () => {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream);
        upstream.unpipe(client);
        client.resume();
        upstream.resume();
      }
    },
    mute: () => {
      for (const [client, upstream] of pairs) {
        upstream.unpipe(client);
        upstream.resume();
      }
    },
    down,
    up: async () => {
      await listen(port);
    },
    close: down,
  };
};
