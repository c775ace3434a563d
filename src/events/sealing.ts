import { createCipheriv, createDecipheriv, createHash, randomFillSync } from 'node:crypto';
import type { DataSubject } from './personal.ts';

// AES-256-GCM over the JSON of an event's personal fields. The stored text is
// `<months>.<base64url of nonce, ciphertext and tag>`; type and refs are authenticated with it, so that
// no sealed part can be moved to an event of another type or contact.

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Random bytes are drawn for so many nonces at a time: one call costs as much as for one nonce. */
const NONCES = 512;
const pool = Buffer.alloc(NONCES * NONCE_BYTES);
let used = pool.length;

const nextNonce = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE_BYTES;
  return Buffer.from(pool.subarray(used - NONCE_BYTES, used));
};

/** Content of several contacts needs the keys of all of them. */
const combined = (keys: readonly Uint8Array[]): Uint8Array => {
  if (keys.length === 1) return keys[0]!;
  const hash = createHash('sha256').update('waybill several contacts');
  for (const key of keys) hash.update(key);
  return hash.digest();
};

const contextOf = (type: string, refs: readonly string[]) =>
  Buffer.from(`${type}\n${refs.join(',')}`);

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

/** Encrypts `text` under the keys of these subjects. */
export const seal = (type: string, subjects: readonly DataSubject[], text: string): string => {
  const nonce = nextNonce();
  const key = combined(subjects.map((subject) => subject.key));
  const refs = subjects.map(({ ref }) => ref);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(contextOf(type, refs));
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return `${monthsOf(subjects)}.${Buffer.concat(parts).toString('base64url')}`;
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

/** Decrypts with the keys of the refs, in their order. Throws when anything was changed. */
export const open = (
  { type, refs, sealed }: { type: string; refs: readonly string[]; sealed: string },
  keys: readonly Uint8Array[],
): string => {
  const bytes = Buffer.from(sealed.slice(sealed.indexOf('.') + 1), 'base64url');
  const end = bytes.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv(CIPHER, combined(keys), bytes.subarray(0, NONCE_BYTES))
      .setAAD(contextOf(type, refs))
      .setAuthTag(bytes.subarray(end));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, end));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch (cause) {
    const reason = 'its sealed part was changed, or its data key is that of another installation';
    throw new Error(reason, { cause });
  }
};
