import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { Next } from 'koa';
import bodyParser from 'koa-bodyparser';
import { AppError } from '../../shared/errors.ts';
import { createHeavyWork } from '../../shared/heavy-work.ts';
import {
  exceededBound,
  InexactNumber,
  type JsonBounds,
  parseJsonStrict,
} from '../../shared/json.ts';
import { withTimeout } from '../../shared/timing.ts';
import type { BytePace } from './bytes.ts';
import { refusalOf } from './problem.ts';
import { bodyTooSlow, hasBody, inviteBody, isLongBody, NO_BYTES, slowDown } from './read-bytes.ts';
import type { EdgeContext } from './request.ts';

/** How long a caller may go on sending a body that the service does not read. */
export const UNREAD_BODY_MS = 2_000;

/**
 * Ends the connection of a body that was not read, up to `unreadBodyMs` after the response. A short body
 * that arrives until then is discarded, and its connection serves further requests. Of a long one the
 * service's side closes with the response, and further bytes are discarded meanwhile: a full close with
 * unread bytes would reset the connection, and a caller that is still sending would lose the response.
 */
export const halfClose =
  (pace: BytePace, unreadBodyMs: number) =>
  async (ctx: EdgeContext, next: Next): Promise<void> => {
    await next();
    const { req: request, res: response } = ctx;
    if (request.complete || !hasBody(request)) return;
    const { socket } = request;
    const destroyLate = (unlessClosed: Readable) => {
      const timer = setTimeout(() => socket.destroy(), unreadBodyMs);
      unlessClosed.once('close', () => clearTimeout(timer));
    };
    if (!isLongBody(request)) {
      // A request closes when all of it has arrived, or with its connection.
      response.once('finish', () => destroyLate(request));
      return;
    }
    ctx.set('Connection', 'close');
    // Node would discard the rest at full speed.
    request.on('data', (chunk: Buffer) => slowDown(request, pace, chunk.length));
    request.resume();
    socket.destroySoon = () => {
      socket.end();
      destroyLate(socket);
    };
  };

/** Contract 4.2: 1 MB. */
export const BODY_BYTES_MAX = 1_048_576;
/** A batch of 500 recipients has a fraction of these members. */
const BOUNDS: JsonBounds = { depth: 32, members: 20_000, fields: 1_000 };
const TOO_MUCH: Record<keyof JsonBounds, string> = {
  depth: `The body nests deeper than ${BOUNDS.depth} levels`,
  members: `The body holds more than ${BOUNDS.members} fields and items`,
  fields: `An object in the body has more than ${BOUNDS.fields} fields`,
};
/** Longer bodies take turns: parsing and checking one takes milliseconds of the only thread. */
const QUICK_BYTES_MAX = 64 * 1024;

/** A body, or the refusal that the pipeline throws after its own checks. */
export type ReadBody =
  | { value: unknown; bytes: Buffer; refusal?: undefined }
  | { refusal: AppError };

/** Throws AppError. Refuses by its bytes a body that would be expensive to parse. */
export const parseBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new AppError('request.malformed', 'The body is not valid UTF-8');
  const exceeded = exceededBound(bytes, BOUNDS);
  if (exceeded) throw new AppError('request.malformed', TOO_MUCH[exceeded]);
  try {
    return parseJsonStrict(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof InexactNumber) throw new AppError('request.malformed', error.message);
    throw new AppError('request.malformed', 'The body is not valid JSON');
  }
};

const JSON_TYPES = ['application/json', 'application/*+json'];

const refuseUnreadable = (ctx: EdgeContext): void => {
  const { headers } = ctx.req;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new AppError('request.unsupported_type', 'The body must not be compressed');
  }
  if (headers['content-type'] !== 'application/json' && !ctx.is(...JSON_TYPES)) {
    throw new AppError(
      'request.unsupported_type',
      'The body must be JSON, with Content-Type: application/json',
    );
  }
};

const refuseSlow = (): never => {
  throw bodyTooSlow();
};

const nothingMore = async () => {};

/**
 * Lets koa-bodyparser return the bytes undecoded, so that the checks run before the parsing and a
 * fingerprint covers the bytes that the caller sent.
 */
export const createBodyReader = (
  timeoutMs: number,
): ((ctx: EdgeContext) => ReadBody | Promise<ReadBody>) => {
  const options = {
    enableTypes: ['text'],
    extendTypes: { text: JSON_TYPES },
    encoding: null,
    textLimit: String(BODY_BYTES_MAX),
  };
  const readBytes = bodyParser(options);
  const inTurn = createHeavyWork();
  const read = async (ctx: EdgeContext): Promise<Buffer> => {
    refuseUnreadable(ctx);
    inviteBody(ctx.req, ctx.res);
    await withTimeout(timeoutMs, readBytes(ctx, nothingMore), refuseSlow);
    return ctx.request.rawBody as Buffer;
  };
  const readBody = async (ctx: EdgeContext): Promise<ReadBody> => {
    try {
      const bytes = await read(ctx);
      if (bytes.length <= QUICK_BYTES_MAX) return { value: parseBody(bytes), bytes };
      return { value: await inTurn(ctx.state.accountId ?? '', () => parseBody(bytes)), bytes };
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return { refusal };
    }
  };
  return (ctx) => (hasBody(ctx.req) ? readBody(ctx) : { value: {}, bytes: NO_BYTES });
};
