import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A network between the instances and a server, which can fail. */
export interface Wire {
  port: number;
  /** Breaks all connections; new ones can be made at once. */
  cut(): void;
  /** What is asked over connections of now arrives, but its answers are lost, until they break. */
  mute(): void;
  /** Breaks all connections and refuses new ones. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export const openWire = async (target: number): Promise<Wire> => {
  const sockets = new Set<Socket>();
  /** Of each connection the two ends: the instance's and the server's. */
  const pairs = new Set<readonly [Socket, Socket]>();
  let server: Server | undefined;

  const join = (client: Socket): void => {
    const upstream = connect(target, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  };
  const listen = async (port: number): Promise<number> => {
    server = createServer(join).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const port = await listen(0);

  return {
    port,
    cut,
    mute() {
      for (const [client, upstream] of pairs) {
        upstream.unpipe(client);
        upstream.resume();
      }
    },
    async down() {
      const closing = server && once(server, 'close');
      server?.close();
      server = undefined;
      cut();
      await closing;
    },
    async up() {
      await listen(port);
    },
  };
};
