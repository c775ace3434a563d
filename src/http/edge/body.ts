import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import bodyParser from 'koa-bodyparser';
import { AppError, isRefusal } from '../../shared/errors.ts';
import { createHeavyWork } from '../../shared/heavy-work.ts';
import { InexactNumber, type JsonBounds, parseJsonStrict, scanJson } from '../../shared/json.ts';
import { withTimeout } from '../../shared/timing.ts';
import type { EdgeContext } from './context.ts';
import type { ByteBudget, BytePace } from './limits.ts';

const NO_BYTES = Buffer.alloc(0);

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** A body up to this length arrives in one piece and costs no more than any request. */
const SHORT_BYTES_MAX = 65_536;

/** Whether the body may be a long one. */
export const isLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > SHORT_BYTES_MAX;

/** Pauses the reading for as long as the pace demands after these bytes. */
const slowDown = (request: IncomingMessage, pace: BytePace, bytes: number): void => {
  request.pause();
  setTimeout(() => request.resume(), pace(bytes)).unref();
};

/** Sends `100 Continue` to a caller that expects it. */
export const inviteBody = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
};

const tooLarge = () => new AppError('request.too_large', 'The request body is larger than allowed');

export const bodyTooSlow = (): AppError =>
  new AppError('request.timeout', 'The body did not arrive in time');

const noRoom = () =>
  new AppError('request.no_room', 'Too many unfinished request bodies: try again', {
    retryAfterSeconds: 1,
  });

const abandoned = () => new AppError('request.malformed', 'The request was aborted');

/** Contract 4.2: 1 MB. */
export const BODY_BYTES_MAX = 1_048_576;
/** The rows of a job that fill 1 MB have fewer members. */
const BOUNDS: JsonBounds = { depth: 32, members: 150_000, fields: 1_000 };
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

export const NO_BODY = { value: {}, bytes: NO_BYTES };

const malformed = (message: string, hint?: string) =>
  new AppError('request.malformed', message, { hint });

const JSON_RULES =
  'JSON has double quotes around every name and text, and no comma after the last one.';

/** Throws AppError. Refuses by its bytes a body that would be expensive to parse. */
export const parseBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8');
  const { exceeded, hasLongNumber } = scanJson(bytes, BOUNDS);
  if (exceeded) throw malformed(TOO_MUCH[exceeded]);
  const text = bytes.toString('utf8');
  try {
    return hasLongNumber ? parseJsonStrict(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof InexactNumber) throw malformed(error.message);
    throw malformed('The body is not valid JSON', JSON_RULES);
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

/** What koa-bodyparser throws, in our words; a fault stays as it is. */
const translated = (error: unknown): unknown => {
  switch ((error as { type?: unknown } | null | undefined)?.type) {
    case 'entity.too.large':
      return tooLarge();
    case 'request.aborted':
    case 'stream.not.readable':
      return abandoned();
    case 'request.size.invalid':
      return malformed('The request body has not the announced length');
    default:
      return error;
  }
};

const refuseSlow = (): never => {
  throw bodyTooSlow();
};

const nothingMore = async () => {};

/** The paths whose POST is an upload, which its handler reads as a stream. */
export interface Uploads {
  paths: RegExp;
  /** Those that take JSON as well. */
  orJson: RegExp;
}

/**
 * Lets koa-bodyparser return the bytes undecoded, so that the checks run before the parsing and a
 * fingerprint covers the bytes that the caller sent.
 */
export const createBodyReader = (
  timeoutMs: number,
  uploads: Uploads,
): ((ctx: EdgeContext) => Promise<ReadBody>) => {
  const options = {
    enableTypes: ['text'],
    extendTypes: { text: JSON_TYPES },
    encoding: null,
    textLimit: String(BODY_BYTES_MAX),
  };
  const readBytes = bodyParser(options);
  const inTurn = createHeavyWork();
  return async (ctx) => {
    const { req: request, res: response } = ctx;
    const isUpload =
      ctx.method === 'POST' &&
      uploads.paths.test(ctx.path) &&
      !(uploads.orJson.test(ctx.path) && ctx.is(...JSON_TYPES));
    if (isUpload || !hasBody(request)) return NO_BODY;
    try {
      refuseUnreadable(ctx);
      if (request.headers.expect !== undefined) inviteBody(request, response);
      const hasArrived = request.readableLength === Number(request.headers['content-length']);
      const reading = readBytes(ctx, nothingMore);
      // Most bodies have arrived with their head, and need no time limit.
      await (hasArrived ? reading : withTimeout(timeoutMs, reading, refuseSlow));
      const bytes = ctx.request.rawBody as Buffer;
      if (bytes.length <= QUICK_BYTES_MAX) return { value: parseBody(bytes), bytes };
      return { value: await inTurn(ctx.state.accountId ?? '', () => parseBody(bytes)), bytes };
    } catch (error) {
      const refusal = translated(error);
      if (!isRefusal(refusal)) throw refusal;
      return { refusal };
    }
  };
};

export interface ReadOptions {
  response: ServerResponse;
  limitBytes: number;
  timeoutMs: number;
  budget: ByteBudget;
  /** The address whose share of the budget counts the bytes. */
  address: string;
  /** Slows the reading of the body when given. */
  pace?: BytePace | undefined;
}

/**
 * Reads the body of an unauthenticated caller into one buffer, all of which counts in the budget:
 * many small pieces take no more memory than one large piece. A failure drops the bytes.
 */
export const readBytes = (
  request: IncomingMessage,
  { response, limitBytes, timeoutMs, budget, address, pace }: ReadOptions,
): Promise<Buffer> => {
  if (!hasBody(request)) return Promise.resolve(NO_BYTES);
  if (Number(request.headers['content-length'] ?? 0) > limitBytes)
    return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    let held: Buffer = NO_BYTES;
    let length = 0;
    let isOver = false;

    const end = () => {
      isOver = true;
      clearTimeout(timer);
      share.close();
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    };
    const fail = (error: AppError) => {
      if (isOver) return;
      end();
      held = NO_BYTES;
      request.pause();
      reject(error);
    };
    const share = budget.open(address, () => fail(noRoom()));
    const timer = setTimeout(() => fail(bodyTooSlow()), timeoutMs);

    const onData = (chunk: Buffer) => {
      const needed = length + chunk.length;
      if (needed > limitBytes) {
        fail(tooLarge());
        return;
      }
      if (needed > held.length) {
        const capacity =
          length === 0 ? needed : Math.min(limitBytes, Math.max(needed, held.length * 2));
        share.take(capacity - held.length);
        if (isOver) return;
        if (length === 0) held = chunk;
        else {
          const larger = Buffer.allocUnsafeSlow(capacity);
          held.copy(larger, 0, 0, length);
          held = larger;
        }
      }
      if (length > 0) chunk.copy(held, length);
      length = needed;
      if (pace) slowDown(request, pace, chunk.length);
    };
    const onEnd = () => {
      end();
      resolve(held.subarray(0, length));
    };
    const onClose = () => fail(abandoned());
    inviteBody(request, response);
    request.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
  });
};

/** How long a caller may go on sending a body that the service does not read. */
export const UNREAD_BODY_MS = 2_000;

/**
 * Ends the connection of a body that was not read, up to `unreadBodyMs` after the response. A short body
 * that arrives until then is discarded, and its connection serves further requests. Of a long one the
 * service's side closes with the response, and further bytes are discarded meanwhile: a full close with
 * unread bytes would reset the connection, and a caller that is still sending would lose the response.
 */
export const leaveUnread = (
  { req: request, res: response, state }: EdgeContext,
  pace: BytePace,
  unreadBodyMs: number,
): void => {
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
  state.headers.Connection = 'close';
  // Node would discard the rest at full speed.
  request.on('data', (chunk: Buffer) => slowDown(request, pace, chunk.length));
  request.resume();
  socket.destroySoon = () => {
    socket.end();
    destroyLate(socket);
  };
};
