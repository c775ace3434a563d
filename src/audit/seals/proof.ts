import { z } from 'zod';
import { chargeIdOf } from '../../commands/core/identifiers.ts';
import type { Link } from '../../events/chain.ts';
import { decode, type EventOf, type KnownEvent } from '../../events/index.ts';
import { hashOfLink } from '../entry.ts';
import { headLeafHash } from './heads.ts';
import { base64, leafHash, rootFrom } from './merkle.ts';
import { isSignedBy, type VerifierKey } from './note.ts';
import { parseSeal, type Seal } from './read-seals.ts';
import { recordLeaf } from './record.ts';

// Proofs, and their check, which needs nothing but the proof and a verifier key.

const hash64 = z.string().regex(/^[0-9A-Za-z+/]{43}=$/);
const hex64 = z.string().regex(/^[0-9a-f]{64}$/);
const PATH_MAX = 64;
const inclusion = {
  index: z.int().min(0).describe('Place of the leaf in the tree, from 0.'),
  size: z.int().min(1).describe('Number of leaves of the tree.'),
  path: z
    .array(hash64)
    .max(PATH_MAX)
    .describe('Hashes beside the way from the leaf to the root, in base64 (RFC 6962).'),
};

const note = z.string().max(10_000).describe('The seal: a C2SP checkpoint as a signed note.');

/** An account's newest link in a seal. */
export const HeadProof = z.object({
  leaf: z
    .object({
      accountId: z.string().max(100).describe('Id of the account.'),
      sequence: z.int().min(1).describe('Number of the link in the chain of the account.'),
      hash: z.string().max(64).describe('Hash of the link, in hex.'),
      position: z.string().max(100).describe('Position of the link in the log.'),
    })
    .describe("The account's newest link that the seal covers; its canonical JSON is the leaf."),
  ...inclusion,
  note,
});
export type HeadProof = z.output<typeof HeadProof>;

/** A record in a seal. */
export const RecordProof = z.object({ ...inclusion, note });
export type RecordProof = z.output<typeof RecordProof>;

/** What an export begins with: its account's newest link in the last seal, and its opening. */
export const ExportProof = HeadProof.extend({
  opening: RecordProof.optional().describe(
    'The path of the opening of the account, to the root in the line `records` of the first seal after it.',
  ),
});
export type ExportProof = z.output<typeof ExportProof>;

/** A charge in a seal. */
export const Proof = z.object({
  link: z
    .object({
      type: z.literal('ChargeReserved').describe('Type of the event.'),
      version: z.int().min(1).describe("Version of the event's shape."),
      revision: z.int().min(0).describe("Place of the event in the account's stream."),
      data: z.record(z.string(), z.unknown()).describe('The charge as the log holds it.'),
      previousHash: hex64.describe('Hash of the link before it.').optional(),
      hash: hex64.describe('Hash of the link; both are absent before version 5.').optional(),
      ...inclusion,
    })
    .describe("The charge, and its path to the root in the seal's line `records`."),
  ...HeadProof.shape,
});
export type Proof = z.output<typeof Proof>;

/** What a proof shows; without problems, it holds. */
export interface CheckedProof {
  problems: readonly string[];
  seal: Seal | undefined;
}

const bytesOf = (path: readonly string[]) => path.map((one) => Buffer.from(one, 'base64'));

const leadsTo = (
  leaf: Uint8Array,
  { index, size, path }: { index: number; size: number; path: readonly string[] },
  root: string,
): boolean => {
  const found = rootFrom(leaf, { index, size, path: bytesOf(path) });
  return found !== undefined && base64(found) === root;
};

/** Reads the seal of a note. Without keys, its signature is not checked. */
const checkNote = (note: string, keys: readonly VerifierKey[]): CheckedProof => {
  const seal = parseSeal(note);
  if (!seal) return { problems: ['the note is not a seal of Waybill'], seal };
  const isSigned = keys.length === 0 || isSignedBy(note, keys);
  return { problems: isSigned ? [] : ['the seal is not signed by the given key'], seal };
};

const isRecordIn = (seal: Seal, leaf: string, at: Omit<RecordProof, 'note'>): boolean =>
  at.size === seal.records.size && leadsTo(leafHash(leaf), at, seal.records.root);

/** Checks that a seal covers a record, by its leaf in the tree of records. */
export const checkRecord = (
  proof: RecordProof,
  leaf: string,
  keys: readonly VerifierKey[],
): CheckedProof => {
  const { problems, seal } = checkNote(proof.note, keys);
  if (!seal || isRecordIn(seal, leaf, proof)) return { problems, seal };
  return { problems: [...problems, `it is not what seal ${seal.number} covers`], seal };
};

/** Checks that a seal covers the account's link. Without keys, signatures are not checked. */
export const checkHead = (proof: HeadProof, keys: readonly VerifierKey[]): CheckedProof => {
  const { leaf, size, note } = proof;
  const { problems: ofNote, seal } = checkNote(note, keys);
  if (!seal) return { problems: ofNote, seal };
  const problems = [...ofNote];
  if (size !== seal.size || !leadsTo(headLeafHash(leaf), proof, seal.root)) {
    problems.push('the path of the account does not lead to the root of the seal');
  }
  return { problems, seal };
};

/** What lies beside the charge in the log. */
const besideOf = ({ previousHash, hash }: Proof['link']): Link | undefined =>
  previousHash === undefined || hash === undefined ? undefined : { previousHash, hash };

/** The charge of a proof as today's event; undefined where its data makes none. */
const chargeOf = ({ link, leaf }: Proof): EventOf<'ChargeReserved'> | undefined => {
  const { type, version, revision, data } = link;
  const place = { stream: `account-${leaf.accountId}`, revision, position: leaf.position };
  const meta = { at: '', requestId: '' };
  const beside = besideOf(link);
  const stored = { id: '', type, version, data, meta, ...place, ...(beside && { link: beside }) };
  const event = decode(stored) as KnownEvent;
  return event.type === 'ChargeReserved' ? event : undefined;
};

/** Checks that a seal covers the charge. */
export const checkProof = (
  proof: Proof,
  keys: readonly VerifierKey[],
): CheckedProof & { charge: EventOf<'ChargeReserved'> | undefined } => {
  const { link, leaf } = proof;
  const { problems, seal } = checkHead(proof, keys);
  const charge = chargeOf(proof);
  if (!seal || !charge) {
    const missing = charge ? [] : ['the charge cannot be read'];
    return { problems: [...problems, ...missing], seal, charge };
  }
  const found = [...problems];
  const { hash, sequence, chargeId } = charge.data;
  if (hashOfLink(link.type, link.data, besideOf(link)) !== hash) {
    found.push('the charge was changed');
  }
  if (chargeIdOf(leaf.accountId, link.revision) !== chargeId) {
    found.push('the charge is of another account or place');
  }
  if (!isRecordIn(seal, recordLeaf(charge, hash), link)) {
    found.push('the path of the charge does not lead to the root of the seal');
  }
  if (!(sequence < leaf.sequence) && (sequence !== leaf.sequence || hash !== leaf.hash)) {
    found.push('the charge does not precede the newest link of its account');
  }
  return { problems: found, seal, charge };
};
