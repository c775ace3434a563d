import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock, Ids } from './clock.ts';

// The system's clock and random ids, which the program injects everywhere.

export const systemClock: Clock = Date;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const UUID_RANDOM_BYTES = 16;
/** Random bytes are drawn in bulk, because one draw costs more than the rest of an id. */
const pool = new Uint8Array(UUID_RANDOM_BYTES * 512);
let used = pool.length;

export const systemIds: Ids = {
  uuid() {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += UUID_RANDOM_BYTES;
    return v7({ random: pool.subarray(used - UUID_RANDOM_BYTES, used) });
  },
  secret: (length) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
};
