import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createMutex } from './concurrency.ts';
import { AppError } from './errors.ts';

// Passwords as scrypt hashes, in the form `scrypt$<N>$<r>$<p>$<salt>$<hash>`.

/** What a hash costs: 128 · N · r bytes, and time in proportion to N · r · p. */
export interface PasswordCost {
  N: number;
  r: number;
  p: number;
}

/** One of the settings that OWASP names: 32 MiB, a fifth of a second. */
const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
/** Twice what a hash of that cost takes. */
const MEMORY_BYTES_MAX = 64 * 1_048_576;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Hashes that wait for their turn: what one address may ask for in a minute fits. */
const WAITING_MAX = 200;

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 256;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a stored hash it takes the same time, so that callers cannot learn whether there is one. */
  matches(password: string, stored: string | null): Promise<boolean>;
}

const derive = (password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: MEMORY_BYTES_MAX };
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

const partsOf = (stored: string) => {
  const [kind, N, r, p, salt = '', hash = ''] = stored.split('$');
  if (kind !== 'scrypt') throw new Error('the hash of a password is of an unknown kind');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
};

/** One hash at a time, so that guesses leave the processor to sends. */
export const createPasswords = (cost: PasswordCost = COST): Passwords => {
  const inTurn = createMutex();
  let waiting = 0;
  const run = async (password: string, salt: Buffer, own: PasswordCost): Promise<Buffer> => {
    if (waiting >= WAITING_MAX) {
      throw new AppError('service.busy', 'Too many people sign in at once', {
        retryAfterSeconds: 5,
      });
    }
    waiting += 1;
    try {
      return await inTurn(() => derive(password, salt, own));
    } finally {
      waiting -= 1;
    }
  };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await run(password, salt, cost);
      const { N, r, p } = cost;
      return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
    },
    async matches(password, stored) {
      if (stored === null) {
        await run(password, randomBytes(SALT_BYTES), cost);
        return false;
      }
      const { salt, hash, cost: own } = partsOf(stored);
      return timingSafeEqual(await run(password, salt, own), hash);
    },
  };
};
