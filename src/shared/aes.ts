import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

// AES-256-GCM, as nonce, ciphertext and tag in one. Keys are objects, because Node checks the type of
// plain bytes at each call, which takes longer than to encrypt an event.

const CIPHER = 'aes-256-gcm';
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** Encrypts, and authenticates the `context` with it. A nonce must never come twice under one key. */
export const encrypt = (
  key: KeyObject,
  { nonce, context }: { nonce: Buffer; context: string },
  plain: Uint8Array,
): Buffer => {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

/** The inverse of `encrypt`. Throws for another key or context, and for bytes that were changed. */
export const decrypt = (key: KeyObject, context: string, bytes: Buffer): Buffer => {
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(end));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]);
};
