import { isUtf8 } from 'node:buffer';
import bodyParser from 'koa-bodyparser';
import { AppError } from '../../shared/errors.ts';
import { exceedsDepth, InexactNumber, parseJsonStrict } from '../../shared/json.ts';
import { withTimeout } from '../../shared/timing.ts';
import type { EdgeContext } from './context.ts';
import { refusalOf } from './problem.ts';
import { bodyTooSlow, hasBody, inviteBody } from './read-bytes.ts';

/** Contract 4.2: 1 MB. */
export const BODY_BYTES_MAX = 1_048_576;
const DEPTH_MAX = 32;
/** Fields and list items of the whole body: a batch of 500 recipients needs a fraction. */
const MEMBERS_MAX = 20_000;

/** A body, or the refusal that the pipeline throws after its own checks. */
export type ReadBody =
  | { value: unknown; bytes: Buffer; refusal?: undefined }
  | { refusal: AppError };

const NO_BYTES = Buffer.alloc(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Counts commas outside of strings: one for each field or item after the first. */
const exceedsMembers = (bytes: Buffer, limit: number): boolean => {
  const { length } = bytes;
  let commas = 0;
  for (let index = 0; index < length; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      for (index += 1; index < length && bytes[index] !== QUOTE; index += 1) {
        if (bytes[index] === BACKSLASH) index += 1;
      }
    } else if (byte === COMMA) {
      commas += 1;
      if (commas >= limit) return true;
    }
  }
  return false;
};

/** Throws AppError. Refuses by its bytes a body that would be expensive to parse. */
export const parseBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new AppError('request.malformed', 'The body is not valid UTF-8');
  if (exceedsDepth(bytes, DEPTH_MAX)) {
    throw new AppError('request.malformed', `The body nests deeper than ${DEPTH_MAX} levels`);
  }
  if (bytes.length > MEMBERS_MAX && exceedsMembers(bytes, MEMBERS_MAX)) {
    throw new AppError(
      'request.malformed',
      `The body holds more than ${MEMBERS_MAX} fields and items`,
    );
  }
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
  const read = async (ctx: EdgeContext): Promise<Buffer> => {
    refuseUnreadable(ctx);
    inviteBody(ctx.req, ctx.res);
    await withTimeout(timeoutMs, readBytes(ctx, nothingMore), refuseSlow);
    return ctx.request.rawBody as Buffer;
  };
  const readBody = async (ctx: EdgeContext): Promise<ReadBody> => {
    try {
      const bytes = await read(ctx);
      return { value: parseBody(bytes), bytes };
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return { refusal };
    }
  };
  return (ctx) => (hasBody(ctx.req) ? readBody(ctx) : { value: {}, bytes: NO_BYTES });
};
