import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

// Signed notes with Ed25519, after C2SP signed-note: a text, an empty line, and a line for each
// signature: "— <name> <base64 of key id and signature>".

const ED25519 = 1;
const SEED_BYTES = 32;
const ID_BYTES = 4;
const SIGNATURES_MAX = 16;
/** What DER puts before the 32 bytes of an Ed25519 key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A key that checks notes. */
export interface VerifierKey {
  name: string;
  id: Buffer;
  key: KeyObject;
}

export interface Signer {
  name: string;
  /** Its verifier key: `<name>+<id in hex>+<base64 of type and public key>`. */
  verifierKey: string;
  /** The note of a text, which ends with a line end. */
  sign(text: string): string;
}

const idOf = (name: string, typed: Uint8Array): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'buffer').subarray(0, ID_BYTES);

export const createSigner = (name: string, seed: Uint8Array): Signer => {
  if (seed.length !== SEED_BYTES) throw new Error('a signing key has 32 bytes');
  const der = Buffer.concat([PRIVATE_PREFIX, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const typed = Buffer.concat([Buffer.of(ED25519), spki.subarray(PUBLIC_PREFIX.length)]);
  const id = idOf(name, typed);
  return {
    name,
    verifierKey: `${name}+${id.toString('hex')}+${typed.toString('base64')}`,
    sign(text) {
      const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)]);
      return `${text}\n— ${name} ${signature.toString('base64')}\n`;
    },
  };
};

/** Throws an error in words for whoever typed the key. */
export const parseVerifierKey = (text: string): VerifierKey => {
  const [, name = '', id = '', encoded = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/]+=*)$/.exec(text.trim()) ?? [];
  const typed = Buffer.from(encoded, 'base64');
  if (typed.length !== 1 + SEED_BYTES || typed[0] !== ED25519) {
    throw new Error(
      'A verifier key looks like waybill/<id>+0123abcd+<base64>: waybill ledger key prints it',
    );
  }
  if (idOf(name, typed).toString('hex') !== id) {
    throw new Error('The verifier key is damaged: its parts do not belong together');
  }
  const der = Buffer.concat([PUBLIC_PREFIX, typed.subarray(1)]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return { name, id: Buffer.from(id, 'hex'), key };
};

/** A note before its signatures are checked. */
export interface Note {
  text: string;
  signatures: readonly { name: string; id: Buffer; signature: Buffer }[];
}

const signatureOf = (line: string): Note['signatures'][number] | undefined => {
  const [, name = '', encoded = ''] = /^— ([^\s+]+) ([0-9A-Za-z+/]+=*)$/.exec(line) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length <= ID_BYTES) return undefined;
  return { name, id: bytes.subarray(0, ID_BYTES), signature: bytes.subarray(ID_BYTES) };
};

const CONTROL = /(?!\n)\p{Cc}/u;

/** Undefined for a text that is no note. */
export const parseNote = (note: string): Note | undefined => {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || CONTROL.test(note)) return undefined;
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.flatMap((line) => signatureOf(line) ?? []);
  if (signatures.length !== lines.length || lines.length > SIGNATURES_MAX) return undefined;
  return { text: note.slice(0, end + 1), signatures };
};

/** Whether one of the keys has signed the note, and no signature of one of them is wrong. */
export const isSignedBy = (note: string, keys: readonly VerifierKey[]): boolean => {
  const { text, signatures } = parseNote(note) ?? { text: '', signatures: [] };
  const known = signatures.flatMap(({ name, id, signature }) => {
    const key = keys.find((one) => one.name === name && one.id.equals(id));
    return key ? [verify(null, Buffer.from(text), key.key, signature)] : [];
  });
  return known.length > 0 && known.every(Boolean);
};
