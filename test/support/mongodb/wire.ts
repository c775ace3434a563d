import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON } from 'mongodb';

// The other end of the true driver: it takes commands off the wire and a test says what comes back.

export type Command = Record<string, unknown> & { $db: string };

/** A document goes back as the answer; `silence` gives none, and `hang up` ends the connection. */
export type Answer = Record<string, unknown> | 'silence' | 'hang up' | undefined;

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;

const decode = (bytes: Buffer): Record<string, unknown> => BSON.deserialize(bytes);

const documentAt = (message: Buffer, at: number): Buffer =>
  message.subarray(at, at + message.readInt32LE(at));

/** One document, and sequences that the driver keeps beside it. */
const readMessage = (message: Buffer): Record<string, unknown> => {
  let at = HEADER_BYTES + 4;
  let command: Record<string, unknown> = {};
  while (at < message.length) {
    const kind = message[at];
    const section = documentAt(message, at + 1);
    at += 1 + section.length;
    if (kind === 0) {
      command = { ...command, ...decode(section) };
      continue;
    }
    const nameEnd = section.indexOf(0, 4);
    const documents = [];
    for (let next = nameEnd + 1; next < section.length; ) {
      const bytes = documentAt(section, next);
      documents.push(decode(bytes));
      next += bytes.length;
    }
    command[section.toString('utf8', 4, nameEnd)] = documents;
  }
  return command;
};

/** What a driver asks first, in the older form. */
const readQuery = (message: Buffer): Record<string, unknown> => {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
  return decode(documentAt(message, nameEnd + 1 + 8));
};

const frame = (code: number, responseTo: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(code, 12);
  return Buffer.concat([header, body]);
};

const answerTo = (message: Buffer, document: Record<string, unknown>): Buffer => {
  const bytes = Buffer.from(BSON.serialize(document));
  const requestId = message.readInt32LE(4);
  if (message.readInt32LE(12) === OP_MSG) {
    return frame(OP_MSG, requestId, Buffer.alloc(5), bytes);
  }
  const counts = Buffer.alloc(20);
  counts.writeInt32LE(1, 16);
  return frame(OP_REPLY, requestId, counts, bytes);
};

/** The primary of a replica set, so that the driver would use all that it can do. */
const helloOf = (address: string) => ({
  helloOk: true,
  isWritablePrimary: true,
  setName: 'rs0',
  hosts: [address],
  me: address,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
  ok: 1,
});

const usual = (name: string, command: Command): Record<string, unknown> => {
  if (name === 'find') return { ok: 1, cursor: { id: 0n, ns: 'x.y', firstBatch: [] } };
  if (name === 'update') return { ok: 1, n: (command.updates as unknown[]).length, nModified: 0 };
  if (name === 'insert') return { ok: 1, n: (command.documents as unknown[]).length };
  return { ok: 1 };
};

/**
 * A server on a free port. `answer` is asked for each command but the driver's own; where it says
 * nothing the command succeeds and finds nothing.
 */
export const openWire = async (answer: (name: string, command: Command) => Answer, onPort = 0) => {
  const commands: { name: string; command: Command }[] = [];
  const sockets = new Set<Socket>();

  const port = () => (server.address() as AddressInfo).port;

  const take = (socket: Socket, message: Buffer) => {
    const isQuery = message.readInt32LE(12) === OP_QUERY;
    const command = (isQuery ? readQuery(message) : readMessage(message)) as Command;
    const name = Object.keys(command)[0]!;
    const isOwn = ['hello', 'ismaster', 'endSessions'].includes(name);
    if (!isOwn) commands.push({ name, command });
    const said = isOwn ? helloOf(`127.0.0.1:${port()}`) : answer(name, command);
    if (said === 'silence') return;
    if (said === 'hang up') socket.destroy();
    else socket.write(answerTo(message, said ?? usual(name, command)));
  };

  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0)) {
        const message = bytes.subarray(0, bytes.readInt32LE(0));
        bytes = bytes.subarray(message.length);
        take(socket, message);
      }
    });
  });
  server.listen(onPort, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: port(),
    commands,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
