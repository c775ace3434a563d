import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../shared/clock.ts';
import { makeDirectory, sync } from '../../shared/files.ts';
import { createCosigner, type VerifierKey } from '../seals/note.ts';
import { type Decided, decideCheckpoint, originHash, type Witnessed } from './witness.ts';

// A witness as a program: its key and the last checkpoint of each log are files of a folder.

const KEY_FILE = 'witness.json';
const Key = z.object({
  name: z.string().regex(/^[^\s+]+$/),
  seed: z.string().regex(/^[0-9a-f]{64}$/),
});
const Last = z.object({ size: z.int().min(0), root: z.string(), note: z.string() });

/** Makes a file durable before it takes the place of the one before. */
const put = (folder: string, name: string, value: unknown): void => {
  const partial = join(folder, `${name}.partial`);
  const file = openSync(partial, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify(value));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, join(folder, name));
  sync(folder);
};

/** Throws for a file of another form: a witness that forgets would sign a second history. */
const get = <T>(folder: string, name: string, schema: z.ZodType<T>): T | undefined => {
  const file = join(folder, name);
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is damaged: get it from a backup`, { cause: error });
  }
};

export interface WitnessOptions {
  folder: string;
  /** Of a new key. */
  name?: string | undefined;
  logs: readonly VerifierKey[];
  clock: Clock;
}

/** The witness of a folder, which it makes with a new key where there is none. */
export const openWitness = ({ folder, name, logs, clock }: WitnessOptions) => {
  makeDirectory(folder);
  let key = get(folder, KEY_FILE, Key);
  if (!key) {
    const seed = randomBytes(32).toString('hex');
    key = { name: name ?? `waybill-witness/${randomBytes(4).toString('hex')}`, seed };
    put(folder, KEY_FILE, key);
  }
  if (name !== undefined && name !== key.name) {
    throw new Error(`the witness in ${folder} has the name ${key.name}`);
  }
  const cosigner = createCosigner(key.name, Buffer.from(key.seed, 'hex'));
  const last = new Map<string, Witnessed>();
  for (const { name: origin } of logs) {
    const found = get(folder, `${originHash(origin)}.json`, Last);
    if (found) last.set(origin, found);
  }
  return {
    verifierKey: cosigner.verifierKey,
    /** Decides, and keeps what it signs before it answers. Nothing else runs meanwhile. */
    add(text: string): Decided {
      const seconds = Math.floor(clock.now() / 1000);
      const decided = decideCheckpoint(text, {
        logs,
        cosigner,
        seconds,
        lastOf: (origin) => last.get(origin),
      });
      const { origin, witnessed } = decided;
      if (origin !== undefined && witnessed) {
        put(folder, `${originHash(origin)}.json`, witnessed);
        last.set(origin, witnessed);
      }
      return decided;
    },
    /** The last checkpoint of a log, by the hash of its origin. */
    checkpoint: (hash: string): string | undefined =>
      [...last].find(([origin]) => originHash(origin) === hash)?.[1].note,
  };
};

type OpenWitness = ReturnType<typeof openWitness>;

const BODY_BYTES_MAX = 128 * 1024;
const REQUEST_MS = 10_000;
const CONNECTIONS_MAX = 256;
const TEXT = 'text/plain; charset=utf-8';

/** Undefined for a longer body. */
const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
};

interface Answer {
  status: number;
  type?: string;
  body: string;
}

const answerOf = async (witness: OpenWitness, request: IncomingMessage): Promise<Answer> => {
  const { method, url = '' } = request;
  if (url === '/add-checkpoint') {
    if (method !== 'POST') return { status: 405, body: 'add-checkpoint takes a POST\n' };
    const text = await bodyOf(request);
    if (text === undefined) return { status: 413, body: `no more than ${BODY_BYTES_MAX} bytes\n` };
    const { status, body } = witness.add(text);
    return { status, body, ...(status === 409 && { type: 'text/x.tlog.size' }) };
  }
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(url) ?? [];
  const note = hash === undefined || method !== 'GET' ? undefined : witness.checkpoint(hash);
  return note === undefined ? { status: 404, body: 'Not found\n' } : { status: 200, body: note };
};

/** The witness over HTTP, after C2SP tlog-witness. */
export const serveWitness = (witness: OpenWitness): Server => {
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: 1000 },
    (request, response) => {
      answerOf(witness, request)
        .catch((): Answer => ({ status: 500, body: 'The witness cannot keep its state\n' }))
        .then(({ status, type = TEXT, body }) => {
          response.writeHead(status, { 'content-type': type, connection: 'close' }).end(body);
        })
        .catch(() => response.destroy());
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  return server;
};
