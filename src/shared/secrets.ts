import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { decrypt, encrypt, NONCE_BYTES, TAG_BYTES } from './aes.ts';
import { FIRST_GENERATION, fixedKey, type InstallationKey } from './installation-key.ts';

/** An encrypted text, as events hold it. */
export interface Sealed {
  /** Name of the key that sealed it. */
  key: string;
  iv: string;
  tag: string;
  text: string;
}

/** Keyed hashes and encryption, both under keys derived from the key of the installation. */
export interface Secrets {
  /** Keyed hash of a credential, a long random token, under the newest key: text in hex. */
  hashToken(token: string): string;
  /** Constant-time check of a credential against its stored hash. */
  tokenMatches(token: string, hash: string): boolean;
  /** The stored hash of a credential under the newest key, which needs no credential; the same if it is so already. */
  hashedAnew(hash: string): string;
  /** Keyed hash that distinguishes texts, such as two bodies of a request; it never changes. */
  fingerprint(text: string): string;
  /** A keyed hash that identifies the key without revealing it. */
  checkOf(text: string): string;
  /** A keyed hash that authenticates files beside the log. */
  sealOf(text: string): string;
  /**
   * The pseudonym of a message, from the provider's id of it, which holds the contact's number. 22
   * characters. The id itself is random enough that it cannot be guessed.
   */
  messageRef(messageId: string): string;
  /** AES-256-GCM; `open` needs the same `context`, so that the text cannot be moved elsewhere. */
  seal(text: string, context: string): Sealed;
  /** Throws when the key is another one or the text was tampered with. */
  open(sealed: Sealed, context: string): string;
  /** The same text under the newest key; the same object if it is so already. */
  sealedAnew(sealed: Sealed, context: string): Sealed;
}

/** Of the pseudonym of a message: 128 bits. */
const MESSAGE_REF_BYTES = 16;

/** A key of 32 bytes for one purpose, from the key of the installation or from the secret of the environment. */
export const deriveKey = (secret: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'waybill', purpose, 32));

// As objects: with plain bytes, Node makes one at each call, which takes longer than to hash.
const derive = (key: Uint8Array, purpose: string) => createSecretKey(deriveKey(key, purpose));

/** What never changes, because the log and the data keys are searched by it. */
const lastingKeys = (first: Uint8Array) => ({
  fingerprint: derive(first, 'token-hash/v1'),
  check: derive(first, 'secret-check/v1'),
  snapshot: derive(first, 'snapshot/v1'),
  message: derive(first, 'message-ref/v1'),
});

/** `<generation>.<hex>`; of the first generation without its name. */
const tokenHash = (generation: string, hex: string) =>
  generation === FIRST_GENERATION ? hex : `${generation}.${hex}`;
const partsOf = (hash: string): [generation: string, hex: string] => {
  const dot = hash.indexOf('.');
  return dot < 0 ? [FIRST_GENERATION, hash] : [hash.slice(0, dot), hash.slice(dot + 1)];
};

/** Under a key whose generations may grow. Calls throw StoreUnavailable until it is known. */
export const secretsOf = (installation: InstallationKey): Secrets => {
  let kept: ReturnType<typeof lastingKeys> | undefined;
  const lasting = () => {
    kept ??= lastingKeys(installation.first());
    return kept;
  };
  const generations = new Map<string, { hash: KeyObject; seal: KeyObject }>();
  const keysOf = (name: string) => {
    const known = generations.get(name);
    if (known) return known;
    const { key } = installation.named(name);
    const made = { hash: derive(key, 'token-hash/v1'), seal: derive(key, 'seal/v1') };
    generations.set(name, made);
    return made;
  };
  /**
   * The keyed hash under one generation after the other, so that a stored hash is taken on to the next
   * one without the credential. `before` names the generation up to which `text` is hashed already.
   */
  const hashUpTo = (name: string, text: string, before?: string): string => {
    const all = installation.upTo(name);
    const from = all.findIndex((one) => one.name === before) + 1;
    return all
      .slice(from)
      .reduce(
        (hashed, one) => createHmac('sha256', keysOf(one.name).hash).update(hashed).digest('hex'),
        text,
      );
  };
  const seal: Secrets['seal'] = (text, context) => {
    const { name } = installation.newest();
    const nonce = randomBytes(NONCE_BYTES);
    const bytes = encrypt(keysOf(name).seal, { nonce, context }, Buffer.from(text));
    return {
      key: name,
      iv: nonce.toString('base64'),
      tag: bytes.subarray(-TAG_BYTES).toString('base64'),
      text: bytes.subarray(NONCE_BYTES, -TAG_BYTES).toString('base64'),
    };
  };
  const open: Secrets['open'] = ({ key, iv, tag, text }, context) => {
    const bytes = Buffer.concat([iv, text, tag].map((part) => Buffer.from(part, 'base64')));
    return decrypt((generations.get(key) ?? keysOf(key)).seal, context, bytes).toString('utf8');
  };
  return {
    hashToken(token) {
      const { name } = installation.newest();
      return tokenHash(name, hashUpTo(name, token));
    },
    tokenMatches(token, hash) {
      const [name, hex] = partsOf(hash);
      const expected = Buffer.from(hex, 'hex');
      const given = Buffer.from(hashUpTo(name, token), 'hex');
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
    hashedAnew(hash) {
      const { name } = installation.newest();
      const [before, hex] = partsOf(hash);
      return before === name ? hash : tokenHash(name, hashUpTo(name, hex, before));
    },
    fingerprint: (text) =>
      createHmac('sha256', (kept ?? lasting()).fingerprint)
        .update(text)
        .digest('hex'),
    checkOf: (text) => createHmac('sha256', lasting().check).update(text).digest('hex'),
    sealOf: (text) =>
      createHmac('sha256', (kept ?? lasting()).snapshot)
        .update(text)
        .digest('hex'),
    messageRef: (messageId) =>
      createHmac('sha256', (kept ?? lasting()).message)
        .update(messageId)
        .digest()
        .toString('base64url', 0, MESSAGE_REF_BYTES),
    seal,
    open,
    sealedAnew: (sealed, context) =>
      sealed.key === installation.newest().name ? sealed : seal(open(sealed, context), context),
  };
};

/** Under one key that is known. */
export const createSecrets = (key: Uint8Array): Secrets => secretsOf(fixedKey(key));
