import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { decrypt, encrypt, NONCE_BYTES, TAG_BYTES } from './aes.ts';

/** An encrypted text, as events hold it. */
export interface Sealed {
  /** Name of the key that sealed it. */
  key: string;
  iv: string;
  tag: string;
  text: string;
}

/** Keyed hashes and encryption, both under keys derived from the one secret of the environment. */
export interface Secrets {
  /** Keyed hash of a long random token, in hex. */
  hashToken(token: string): string;
  /** Constant-time check of a token against its stored hash. */
  tokenMatches(token: string, hash: string): boolean;
  /** A keyed hash that identifies the secret without revealing it. */
  checkOf(text: string): string;
  /** A keyed hash that authenticates files beside the log. */
  sealOf(text: string): string;
  /**
   * The pseudonym of a message, from the provider's id of it, which holds the contact's number. 22
   * characters. The id itself is random enough that nobody finds it by trying.
   */
  messageRef(messageId: string): string;
  /** AES-256-GCM; `open` needs the same `context`, so that the text cannot be moved elsewhere. */
  seal(text: string, context: string): Sealed;
  /** Throws when the secret is another one or the text was tampered with. */
  open(sealed: Sealed, context: string): string;
}

/** Name of the derived key that seals today; stored, so that keys can change one day. */
const SEAL_KEY = 'v1';

/** Of the pseudonym of a message: 128 bits. */
const MESSAGE_REF_BYTES = 16;

/** A key of 32 bytes for one purpose, from the one secret of the environment. */
export const deriveKey = (secret: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'waybill', purpose, 32));

export const createSecrets = (secret: Buffer): Secrets => {
  // As objects: with plain bytes, Node makes one at each call, which takes longer than to hash.
  const derive = (purpose: string) => createSecretKey(deriveKey(secret, purpose));
  const hashKey = derive('token-hash/v1');
  const checkKey = derive('secret-check/v1');
  const snapshotKey = derive('snapshot/v1');
  const messageKey = derive('message-ref/v1');
  const sealKey = derive(`seal/${SEAL_KEY}`);
  const hashToken = (token: string) => createHmac('sha256', hashKey).update(token).digest('hex');
  return {
    hashToken,
    checkOf: (text) => createHmac('sha256', checkKey).update(text).digest('hex'),
    sealOf: (text) => createHmac('sha256', snapshotKey).update(text).digest('hex'),
    messageRef: (messageId) =>
      createHmac('sha256', messageKey)
        .update(messageId)
        .digest()
        .toString('base64url', 0, MESSAGE_REF_BYTES),
    tokenMatches(token, hash) {
      const expected = Buffer.from(hash, 'hex');
      const given = Buffer.from(hashToken(token), 'hex');
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const bytes = encrypt(sealKey, { nonce, context }, Buffer.from(text));
      return {
        key: SEAL_KEY,
        iv: nonce.toString('base64'),
        tag: bytes.subarray(-TAG_BYTES).toString('base64'),
        text: bytes.subarray(NONCE_BYTES, -TAG_BYTES).toString('base64'),
      };
    },
    open({ key, iv, tag, text }, context) {
      if (key !== SEAL_KEY) throw new Error(`sealed under the unknown key ${key}`);
      const bytes = Buffer.concat([iv, text, tag].map((part) => Buffer.from(part, 'base64')));
      return decrypt(sealKey, context, bytes).toString('utf8');
    },
  };
};
