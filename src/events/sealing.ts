import { createHash, createSecretKey, hash, type KeyObject, randomFillSync } from 'node:crypto';
import { decrypt, encrypt, NONCE_BYTES } from '../shared/aes.ts';
import type { DataSubject } from './personal.ts';

// AES-256-GCM over the JSON of an event's personal fields. The stored text is
// `<months>.<base64url of nonce, ciphertext and tag>`; type and refs are authenticated with it, so that
// no sealed part can be moved to an event of another type or contact.

// A nonce begins with a mark of its key, the start of a hash. A key that was lost and made again under
// the same name has another mark: so a lost key is told from a changed text.
const MARK_BYTES = 4;
const MARKED = Buffer.from('waybill mark of a key');
/** A key seals the events of one contact in one month: far fewer than would repeat 8 random bytes. */
const RANDOM_BYTES = NONCE_BYTES - MARK_BYTES;

/** Random bytes are drawn for so many nonces at a time: one call costs as much as for one nonce. */
const NONCES = 512;
const pool = Buffer.alloc(NONCES * RANDOM_BYTES);
let used = pool.length;

/** A data key as the cipher takes it, and its mark. */
interface Prepared {
  key: KeyObject;
  mark: Buffer;
}

const prepared = new WeakMap<Uint8Array, Prepared>();

const prepare = (key: Uint8Array): Prepared => {
  const known = prepared.get(key);
  if (known) return known;
  const digest = hash('sha256', Buffer.concat([MARKED, key]), 'buffer');
  const made = { key: createSecretKey(key), mark: digest.subarray(0, MARK_BYTES) };
  prepared.set(key, made);
  return made;
};

const nextNonce = ({ mark }: Prepared): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += RANDOM_BYTES;
  return Buffer.concat([mark, pool.subarray(used - RANDOM_BYTES, used)]);
};

/** Content of several contacts needs the keys of all of them. */
const combined = (keys: readonly Uint8Array[]): Uint8Array => {
  if (keys.length === 1) return keys[0]!;
  const all = createHash('sha256').update('waybill several contacts');
  for (const key of keys) all.update(key);
  return all.digest();
};

const contextOf = (type: string, refs: readonly string[]) => `${type}\n${refs.join(',')}`;

/** The data keys that a sealed part needs: of each ref the one of its month. */
export interface SealedUnder {
  ref: string;
  month: string;
}

/** One month where it is the same for all refs, else one for each. */
const monthsOf = (subjects: readonly DataSubject[]): string => {
  const months = subjects.map(({ month }) => month);
  return new Set(months).size === 1 ? months[0]! : months.join(',');
};

/** The oldest of some months; undefined of none. */
export const oldestMonth = (months: readonly string[]): string | undefined => {
  let oldest: string | undefined;
  for (const month of months) if (oldest === undefined || month < oldest) oldest = month;
  return oldest;
};

/** Encrypts `text` under the keys of these subjects. */
export const seal = (type: string, subjects: readonly DataSubject[], text: string): string => {
  const under = prepare(combined(subjects.map((subject) => subject.key)));
  const nonce = nextNonce(under);
  const refs = subjects.map(({ ref }) => ref);
  const bytes = encrypt(under.key, { nonce, context: contextOf(type, refs) }, Buffer.from(text));
  return `${monthsOf(subjects)}.${bytes.toString('base64url')}`;
};

/** The names of the keys that open a sealed part. Throws for a text that is no sealed part. */
export const sealedUnder = (refs: readonly string[], sealed: string): SealedUnder[] => {
  const months = sealed.slice(0, sealed.indexOf('.')).split(',');
  const shape = months.every((month) => /^\d{4}-\d{2}$/.test(month));
  if (!shape || (months.length > 1 && months.length !== refs.length) || refs.length === 0) {
    throw new Error('its sealed part names no data keys');
  }
  return refs.map((ref, index) => ({ ref, month: months[index] ?? months[0]! }));
};

/**
 * Decrypts with the keys of the refs, in their order. Undefined where it was sealed under lost keys of
 * the same names. Throws when anything was changed.
 */
export const open = (
  { type, refs, sealed }: { type: string; refs: readonly string[]; sealed: string },
  keys: readonly Uint8Array[],
): string | undefined => {
  const bytes = Buffer.from(sealed.slice(sealed.indexOf('.') + 1), 'base64url');
  try {
    const { key, mark } = prepare(combined(keys));
    if (bytes.compare(mark, 0, MARK_BYTES, 0, MARK_BYTES) !== 0) return undefined;
    return decrypt(key, contextOf(type, refs), bytes).toString('utf8');
  } catch (cause) {
    const reason = 'its sealed part was changed, or its data key is that of another installation';
    throw new Error(reason, { cause });
  }
};
