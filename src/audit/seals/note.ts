import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { base64 } from './merkle.ts';

// Signed notes with Ed25519, after C2SP signed-note 1.0.0: a text, an empty line, and a line for each
// signature: "— <name> <base64 of key id and signature>". A witness signs the text and a time, after C2SP
// tlog-cosignature 1.0.1.

const ED25519 = 1;
const COSIGNATURE = 4;
const TIME_BYTES = 8;
const SEED_BYTES = 32;
const ID_BYTES = 4;
/** Signatures of a note, the log's own included. */
export const SIGNATURES_MAX = 16;
/** What DER puts before the 32 bytes of an Ed25519 key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A key that checks notes. */
export interface VerifierKey {
  name: string;
  id: Buffer;
  key: KeyObject;
  /** Of a witness, whose signatures hold a time. */
  isWitness: boolean;
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

const keysOf = (name: string, seed: Uint8Array, type: number) => {
  if (seed.length !== SEED_BYTES) throw new Error('a signing key has 32 bytes');
  const der = Buffer.concat([PRIVATE_PREFIX, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const typed = Buffer.concat([Buffer.of(type), spki.subarray(PUBLIC_PREFIX.length)]);
  const id = idOf(name, typed);
  return { key, id, verifierKey: `${name}+${id.toString('hex')}+${typed.toString('base64')}` };
};

const signatureLine = (name: string, ...parts: readonly Uint8Array[]): string =>
  `— ${name} ${base64(Buffer.concat(parts))}\n`;

export const createSigner = (name: string, seed: Uint8Array): Signer => {
  const { key, id, verifierKey } = keysOf(name, seed, ED25519);
  return {
    name,
    verifierKey,
    sign: (text) => `${text}\n${signatureLine(name, id, sign(null, Buffer.from(text), key))}`,
  };
};

const cosigned = (text: string, time: bigint): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);

/** A witness: it signs that a checkpoint was the newest that it knew at a time. */
export interface Cosigner {
  verifierKey: string;
  /** The signature line for the text of a checkpoint; the time in seconds since 1970. */
  cosign(text: string, seconds: number): string;
}

export const createCosigner = (name: string, seed: Uint8Array): Cosigner => {
  const { key, id, verifierKey } = keysOf(name, seed, COSIGNATURE);
  return {
    verifierKey,
    cosign(text, seconds) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeBigUInt64BE(BigInt(seconds));
      return signatureLine(name, id, time, sign(null, cosigned(text, BigInt(seconds)), key));
    },
  };
};

/** Throws an error that says what is wrong with the typed key. */
export const parseVerifierKey = (text: string): VerifierKey => {
  const [, name = '', id = '', encoded = ''] =
    /^([^\s+]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/]+=*)$/.exec(text.trim()) ?? [];
  const typed = Buffer.from(encoded, 'base64');
  const isWitness = typed[0] === COSIGNATURE;
  if (typed.length !== 1 + SEED_BYTES || (typed[0] !== ED25519 && !isWitness)) {
    throw new Error(
      'A verifier key looks like waybill/<id>+0123abcd+<base64>: waybill ledger key prints it',
    );
  }
  if (idOf(name, typed).toString('hex') !== id) {
    throw new Error('The verifier key is damaged: its parts do not belong together');
  }
  const der = Buffer.concat([PUBLIC_PREFIX, typed.subarray(1)]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return { name, id: Buffer.from(id, 'hex'), key, isWitness };
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

const isSound = (text: string, signature: Buffer, { key, isWitness }: VerifierKey): boolean => {
  if (!isWitness) return verify(null, Buffer.from(text), key, signature);
  if (signature.length <= TIME_BYTES) return false;
  const time = signature.readBigUInt64BE();
  return verify(null, cosigned(text, time), key, signature.subarray(TIME_BYTES));
};

/** Which of the keys have signed the note; undefined where a signature of one of them is wrong. */
export const signersOf = <Key extends VerifierKey>(
  note: string,
  keys: readonly Key[],
): Key[] | undefined => {
  const { text, signatures } = parseNote(note) ?? { text: '', signatures: [] };
  const signers: Key[] = [];
  for (const { name, id, signature } of signatures) {
    const key = keys.find((one) => one.name === name && one.id.equals(id));
    if (!key) continue;
    if (!isSound(text, signature, key)) return undefined;
    signers.push(key);
  }
  return signers;
};

/** Whether one of the keys has signed the note, and no signature of one of them is wrong. */
export const isSignedBy = (note: string, keys: readonly VerifierKey[]): boolean =>
  (signersOf(note, keys)?.length ?? 0) > 0;
