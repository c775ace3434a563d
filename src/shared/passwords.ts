import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createSemaphore } from './concurrency.ts';
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
/** Hashes of one address that wait for their turn: as many as it may guess in a minute. */
const WAITING_MAX = 120;
/** They take 24 s, where no other address has a turn. */
const WAIT_MS_MAX = 30_000;
/** Hashes of all addresses that wait. */
const ALL_WAITING_MAX = 2_000;

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 256;

/** Of those who ask for hashes, such as addresses, each has its turn. */
export interface Passwords {
  hash(password: string, asker: string): Promise<string>;
  /** Without a stored hash it takes the same time, so that callers cannot learn whether there is one. */
  matches(password: string, stored: string | null, asker: string): Promise<boolean>;
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

/** One hash at a time, so that guesses leave the processor to sends; a queue keeps no other asker waiting. */
export const createPasswords = (cost: PasswordCost = COST): Passwords => {
  const turns = createSemaphore(1, 1);
  let waiting = 0;
  const hasTurn = async (asker: string): Promise<boolean> => {
    if (turns.take(asker)) return true;
    if (waiting >= ALL_WAITING_MAX || turns.waiting(asker) >= WAITING_MAX) return false;
    waiting += 1;
    return turns.wait(asker, WAIT_MS_MAX).finally(() => {
      waiting -= 1;
    });
  };
  const run = async (password: string, salt: Buffer, own: PasswordCost, asker: string) => {
    if (!(await hasTurn(asker))) {
      throw new AppError('service.busy', 'Too many people sign in at once', {
        retryAfterSeconds: 5,
      });
    }
    try {
      return await derive(password, salt, own);
    } finally {
      turns.release(asker);
    }
  };
  return {
    async hash(password, asker) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await run(password, salt, cost, asker);
      const { N, r, p } = cost;
      return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
    },
    async matches(password, stored, asker) {
      if (stored === null) {
        await run(password, randomBytes(SALT_BYTES), cost, asker);
        return false;
      }
      const { salt, hash, cost: own } = partsOf(stored);
      return timingSafeEqual(await run(password, salt, own, asker), hash);
    },
  };
};
