import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { decrypt, encrypt, NONCE_BYTES, TAG_BYTES } from '../shared/aes.ts';
import { deriveKey } from '../shared/secrets.ts';
import type { KeyName } from './key-store.ts';

/** What is computed under the key of the installation: hashes and refs of subjects, and wrapped data keys. */
export interface Wrapping {
  /** Keyed hash of an account and a contact's id, under which the subject's record lies. */
  hashOf(accountId: string, id: string): string;
  /**
   * New pseudonyms, which are random and so tell nothing once their records are destroyed. Those of one
   * call begin alike: their records and keys lie side by side, and are written in few pages.
   */
  newRefs(count: number): readonly string[];
  /** Seals the settings of accounts that hold secrets. */
  settingsKey: Uint8Array;
  /** A new data key, encrypted under a key that is derived from that of the installation. */
  wrapNew(name: KeyName): Uint8Array;
  /** Undefined for a key that was wrapped under another one. Throws for a damaged one. */
  unwrap(name: KeyName, wrapped: Uint8Array): Uint8Array | undefined;
}

// A wrapped key: format, check of the key that wraps it, nonce, encrypted key, tag.
const FORMAT = 1;
const CHECK_BYTES = 4;
const KEY_BYTES = 32;
const NONCE_AT = 1 + CHECK_BYTES;
const WRAPPED_BYTES = NONCE_AT + NONCE_BYTES + KEY_BYTES + TAG_BYTES;
/** Of a hash and of a ref. 128 bits: 22 characters. */
const NAME_BYTES = 16;
/** Of a ref, alike in all of one call: 8 characters. */
const ALIKE_BYTES = 6;

export const createWrapping = (key: Uint8Array): Wrapping => {
  const hashKey = createSecretKey(deriveKey(key, 'contact-hash/v1'));
  const wrapKey = createSecretKey(deriveKey(key, 'data-key/v1'));
  const check = deriveKey(key, 'data-key-check/v1').subarray(0, CHECK_BYTES);
  const head = Buffer.concat([Buffer.of(FORMAT), check]);
  const contextOf = ({ ref, month }: KeyName) => `${ref}.${month}`;
  /** Of the keys that were wrapped here, as long as somebody has them so: most are wanted at once. */
  const fresh = new WeakMap<Uint8Array, { context: string; key: Uint8Array }>();

  return {
    settingsKey: new Uint8Array(deriveKey(key, 'settings/v1')),
    hashOf: (accountId, id) =>
      createHmac('sha256', hashKey)
        .update(JSON.stringify([accountId, id]))
        .digest()
        .toString('base64url', 0, NAME_BYTES),
    newRefs(count) {
      const own = NAME_BYTES - ALIKE_BYTES;
      const random = randomBytes(ALIKE_BYTES + count * own);
      const alike = random.toString('base64url', 0, ALIKE_BYTES);
      const refs: string[] = [];
      for (let at = ALIKE_BYTES; at < random.length; at += own) {
        refs.push(alike + random.toString('base64url', at, at + own));
      }
      return refs;
    },
    wrapNew(name) {
      const random = randomBytes(KEY_BYTES + NONCE_BYTES);
      const [dataKey, nonce] = [random.subarray(0, KEY_BYTES), random.subarray(KEY_BYTES)];
      const context = contextOf(name);
      const wrapped = Buffer.concat([head, encrypt(wrapKey, { nonce, context }, dataKey)]);
      fresh.set(wrapped, { context, key: new Uint8Array(dataKey) });
      return wrapped;
    },
    unwrap(name, wrapped) {
      const known = fresh.get(wrapped);
      if (known?.context === contextOf(name)) return known.key;
      const bytes = Buffer.from(wrapped.buffer, wrapped.byteOffset, wrapped.byteLength);
      if (bytes[0] === FORMAT && !bytes.subarray(1, NONCE_AT).equals(check)) return undefined;
      try {
        if (bytes[0] !== FORMAT || bytes.length !== WRAPPED_BYTES) throw new Error('format');
        // A copy of its own: the buffers of Node share memory.
        return new Uint8Array(decrypt(wrapKey, contextOf(name), bytes.subarray(NONCE_AT)));
      } catch (cause) {
        const text = `the data key ${name.ref}.${name.month} is damaged: put back a copy of the keys`;
        throw new Error(text, { cause });
      }
    },
  };
};

/** Under a key that is read at the start, maybe after that: calls throw what `key` throws. */
export const wrappingOf = (key: () => Uint8Array): Wrapping => {
  let made: Wrapping | undefined;
  const wrapping = (): Wrapping => {
    made ??= createWrapping(key());
    return made;
  };
  return {
    get settingsKey() {
      return wrapping().settingsKey;
    },
    hashOf: (...of) => wrapping().hashOf(...of),
    newRefs: (count) => wrapping().newRefs(count),
    wrapNew: (name) => wrapping().wrapNew(name),
    unwrap: (...of) => wrapping().unwrap(...of),
  };
};
