import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../shared/errors.ts';
import type { ByteBudget, BytePace } from './bytes.ts';

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

export const NO_BYTES = Buffer.alloc(0);

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** A body up to this length arrives in one piece and costs no more than any request. */
const SHORT_BYTES_MAX = 65_536;

/** Whether the body may be a long one. */
export const isLongBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > SHORT_BYTES_MAX;

/** Pauses the reading for as long as the pace demands after these bytes. */
export const slowDown = (request: IncomingMessage, pace: BytePace, bytes: number): void => {
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
