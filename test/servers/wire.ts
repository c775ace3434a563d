import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A network between the instances and a server, which can fail. */
export interface Wire {
  port: number;
  /** Breaks all connections; new ones can be made at once. */
  cut(): void;
  /** Breaks all connections and refuses new ones. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export const openWire = async (target: number): Promise<Wire> => {
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  const join = (client: Socket): void => {
    const upstream = connect(target, '127.0.0.1');
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
