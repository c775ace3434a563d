import { hash } from 'node:crypto';
import { base64, HASH_BYTES, isConsistent, rootOf } from '../seals/merkle.ts';
import { type Cosigner, parseNote, signersOf, type VerifierKey } from '../seals/note.ts';

// A witness signs a checkpoint only if it goes on from the last one that it has signed: C2SP tlog-witness 1.0.0.

/** The last checkpoint of a log that the witness has signed. */
export interface Witnessed {
  size: number;
  /** In base64. */
  root: string;
  /** With the signatures of the log and of the witness. */
  note: string;
}

export interface Checkpoint {
  origin: string;
  size: number;
  root: string;
}

/** The three lines of a checkpoint, of any log; undefined for another text. Further lines are not looked at. */
const parseCheckpoint = (note: string): Checkpoint | undefined => {
  const [origin = '', size = '', root = ''] = parseNote(note)?.text.split('\n') ?? [];
  const isSound =
    origin !== '' && /^(0|[1-9]\d{0,14})$/.test(size) && /^[0-9A-Za-z+/]{43}=$/.test(root);
  return isSound ? { origin, size: Number(size), root } : undefined;
};

const PROOF_MAX = 63;
const REQUEST = /^old (?<old>0|[1-9]\d{0,14})\n(?<proof>(?:[^\n]+\n)*)\n(?<note>[\s\S]*)$/;

/** What a log asks a witness. */
interface AddCheckpoint {
  /** The size that the witness is believed to know. */
  old: number;
  /** That the tree has only grown since. */
  proof: readonly Uint8Array[];
  note: string;
}

export const addCheckpointText = ({ old, proof, note }: AddCheckpoint): string =>
  `old ${old}\n${proof.map((one) => `${base64(one)}\n`).join('')}\n${note}`;

export const parseAddCheckpoint = (text: string): AddCheckpoint | undefined => {
  const { old, proof = '', note = '' } = REQUEST.exec(text)?.groups ?? {};
  const hashes = proof.split('\n').slice(0, -1);
  const isSound = hashes.every((one) => /^[0-9A-Za-z+/]{43}=$/.test(one));
  if (old === undefined || !isSound || hashes.length > PROOF_MAX) return undefined;
  return { old: Number(old), proof: hashes.map((one) => Buffer.from(one, 'base64')), note };
};

/** The answer to a log, and what the witness then knows of it. */
export interface Decided {
  status: 200 | 400 | 403 | 404 | 409 | 422;
  body: string;
  /** Of the log, where the checkpoint was signed. */
  origin?: string;
  witnessed?: Witnessed;
}

/** Where the checkpoint of a log is found. */
export const originHash = (origin: string): string => hash('sha256', origin);

const refuse = (status: Decided['status'], why: string): Decided => ({ status, body: `${why}\n` });

const bytesOf = (root: string): Buffer => Buffer.from(root, 'base64');

/** What does not go on from the last checkpoint; undefined where all does. */
const contradiction = (
  { old, proof }: AddCheckpoint,
  { size, root }: Checkpoint,
  last: Witnessed | undefined,
): string | undefined => {
  if (size === 0 && !bytesOf(root).equals(rootOf([])))
    return 'this is not the root of an empty log';
  if (old === 0 && proof.length === 0) return undefined;
  const from = { size: old, root: last ? bytesOf(last.root) : Buffer.alloc(HASH_BYTES) };
  if (isConsistent({ from, to: { size, root: bytesOf(root) } }, proof)) return undefined;
  return old === size && proof.length === 0
    ? 'this log has another root at this size than before'
    : 'the proof does not show that this log goes on from the one before';
};

/** Decides on a request, for the logs of these keys. */
export const decideCheckpoint = (
  text: string,
  {
    logs,
    cosigner,
    lastOf,
    seconds,
  }: {
    logs: readonly VerifierKey[];
    cosigner: Cosigner;
    lastOf: (origin: string) => Witnessed | undefined;
    /** Now, since 1970. */
    seconds: number;
  },
): Decided => {
  const request = parseAddCheckpoint(text);
  const checkpoint = request && parseCheckpoint(request.note);
  if (!request || !checkpoint) return refuse(400, 'this is no request to add a checkpoint');
  const { origin, size, root } = checkpoint;
  const keys = logs.filter(({ name }) => name === origin);
  if (keys.length === 0) return refuse(404, 'this witness does not know the log');
  const signers = signersOf(request.note, keys) ?? [];
  if (signers.length === 0) return refuse(403, 'no known key of the log has signed this');
  if (request.old > size) return refuse(400, 'the old size is above the size of the checkpoint');
  const last = lastOf(origin);
  if (request.old !== (last?.size ?? 0)) return { status: 409, body: `${last?.size ?? 0}\n` };
  const wrong = contradiction(request, checkpoint, last);
  if (wrong !== undefined) return refuse(422, wrong);
  const { text: signed, signatures } = parseNote(request.note)!;
  const line = cosigner.cosign(signed, seconds);
  const ofLog = signatures
    .filter(({ name, id }) => signers.some((key) => key.name === name && key.id.equals(id)))
    .map(({ name, id, signature }) => `— ${name} ${base64(Buffer.concat([id, signature]))}\n`);
  const note = `${signed}\n${ofLog.join('')}${line}`;
  return { status: 200, body: line, origin, witnessed: { size, root, note } };
};
