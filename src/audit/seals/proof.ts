import { z } from 'zod';
import type { Link } from '../../events/chain.ts';
import { chargeIdOf } from '../../events/charge-form.ts';
import { decode, type EventOf, type KnownEvent } from '../../events/index.ts';
import { hashOfLink } from '../entry.ts';
import { headLeafHash } from './heads.ts';
import { base64, leafHash, rootFrom } from './merkle.ts';
import { isSignedBy, type VerifierKey } from './note.ts';
import { parseHeads, parseSeal, type Seal } from './read-seals.ts';
import { recordLeaf } from './record.ts';

// Proofs, and their check, which needs nothing but the proof and a verifier key.

const hash64 = z.string().regex(/^[0-9A-Za-z+/]{43}=$/);
const hex64 = z.string().regex(/^[0-9a-f]{64}$/);
const PATH_MAX = 64;
const place = {
  index: z.int().min(0).describe('Place of the leaf in the tree, from 0.'),
  path: z
    .array(hash64)
    .max(PATH_MAX)
    .describe('Hashes beside the way from the leaf to the root, in base64 (RFC 6962).'),
};
const inclusion = {
  ...place,
  size: z.int().min(1).describe('Number of leaves of the tree.'),
};

/** A note with the cosignatures of witnesses. */
const NOTE_MAX = 100_000;
const note = z.string().max(NOTE_MAX).describe('The seal: a C2SP checkpoint as a signed note.');

const leaf = z
  .object({
    accountId: z.string().max(100).describe('Id of the account.'),
    sequence: z.int().min(1).describe('Number of the link in the chain of the account.'),
    hash: z.string().max(64).describe('Hash of the link, in hex.'),
    position: z.string().max(100).describe('Position of the link in the log.'),
  })
  .describe("The account's newest link that the seal covers; its canonical JSON is the leaf.");

const link = z.object({
  type: z.literal('ChargeReserved').describe('Type of the event.'),
  version: z.int().min(1).describe("Version of the event's shape."),
  revision: z.int().min(0).describe("Place of the event in the account's stream."),
  data: z.record(z.string(), z.unknown()).describe('The charge as the log holds it.'),
  previousHash: hex64.describe('Hash of the link before it.').optional(),
  hash: hex64.describe('Hash of the link; both are absent before version 5.').optional(),
});

/** A charge in the log of entries. */
export const Proof = z.object({
  link: link
    .extend({ accountId: z.string().max(100).describe('Id of the account.') })
    .describe('The charge, whose hash is the entry.'),
  ...inclusion,
  note,
});
export type Proof = z.output<typeof Proof>;

/** A charge in a seal of the old form: with its account's newest link. */
const OldProof = z.object({
  link: link.extend(inclusion),
  leaf,
  ...inclusion,
  note,
});
type OldProof = z.output<typeof OldProof>;

export const AnyProof = z.union([OldProof, Proof]);
export type AnyProof = z.output<typeof AnyProof>;

/** Records of an account that an export proves beside its links. */
export const RECORDS_MAX = 1000;

/** What an export begins with: its account's newest link in a seal, and its other records. */
export const ExportProof = z.object({
  leaf,
  head: z
    .object({ ...inclusion, note: note.describe('The signed note of the newest links.') })
    .describe('The way from the newest link to the root of the newest links of all accounts.'),
  ...inclusion,
  note,
  records: z
    .array(z.object({ revision: z.int().min(0).describe('Of the event.'), ...place }))
    .max(RECORDS_MAX)
    .describe('The other records of the account that the seal covers.'),
});
export type ExportProof = z.output<typeof ExportProof>;

/** An export of before: its account's newest link in a seal of the old form, and its opening. */
export const OldExportProof = z.object({
  leaf,
  ...inclusion,
  note,
  opening: z.object({ ...inclusion, note }).optional(),
});
export type OldExportProof = z.output<typeof OldExportProof>;
type HeadProof = Omit<OldExportProof, 'opening'>;
type RecordProof = NonNullable<OldExportProof['opening']>;

/** What a proof shows; without problems, it holds. */
interface CheckedProof {
  problems: readonly string[];
  seal: Seal | undefined;
}

const leadsTo = (
  hash: Uint8Array,
  { index, size, path }: { index: number; size: number; path: readonly string[] },
  root: string,
): boolean => {
  const hashes = path.map((one) => Buffer.from(one, 'base64'));
  const found = rootFrom(hash, { index, size, path: hashes });
  return found !== undefined && base64(found) === root;
};

/** Reads the seal of a note. Without keys, its signature is not checked. */
const checkNote = (text: string, keys: readonly VerifierKey[]): CheckedProof => {
  const seal = parseSeal(text);
  if (!seal) return { problems: ['the note is not a seal of Waybill'], seal };
  const isSigned = keys.length === 0 || isSignedBy(text, keys);
  return { problems: isSigned ? [] : ['the seal is not signed by the given key'], seal };
};

/** Whether a seal covers an entry, the hash of a record in hex, at a place of the log of entries. */
export const isEntryOf = (
  { size, root, old }: Seal,
  hash: string,
  at: { index: number; path: readonly string[] },
): boolean => !old && leadsTo(leafHash(Buffer.from(hash, 'hex')), { ...at, size }, root);

const isOldRecordOf = ({ old }: Seal, text: string, at: Omit<RecordProof, 'note'>): boolean =>
  old !== undefined &&
  at.size === old.records.size &&
  leadsTo(leafHash(text), at, old.records.root);

/** Checks that a seal of the old form covers a record, by its leaf in the tree of records. */
export const checkOldRecord = (
  proof: RecordProof,
  text: string,
  keys: readonly VerifierKey[],
): CheckedProof => {
  const { problems, seal } = checkNote(proof.note, keys);
  if (!seal || isOldRecordOf(seal, text, proof)) return { problems, seal };
  return { problems: [...problems, `it is not what seal ${seal.old?.number} covers`], seal };
};

/** Checks that a seal of the old form covers the account's link. */
export const checkOldHead = (proof: HeadProof, keys: readonly VerifierKey[]): CheckedProof => {
  const { problems: ofNote, seal } = checkNote(proof.note, keys);
  const problems = [...ofNote];
  const isIn = seal?.old && proof.size === seal.size;
  if (seal && !(isIn && leadsTo(headLeafHash(proof.leaf), proof, seal.root))) {
    problems.push('the path of the account does not lead to the root of the seal');
  }
  return { problems, seal };
};

/** Checks that a seal covers the account's newest link, and that the link was the newest then. */
export const checkHead = (
  proof: ExportProof,
  keys: readonly VerifierKey[],
): CheckedProof & { number?: number; at?: string } => {
  const { problems: ofNote, seal } = checkNote(proof.note, keys);
  if (!seal) return { problems: ofNote, seal };
  const problems = [...ofNote];
  const heads = parseHeads(proof.head.note);
  const isSigned = keys.length === 0 || isSignedBy(proof.head.note, keys);
  if (!heads || !isSigned) problems.push('the note of the newest links is not signed by the key');
  if (
    heads?.origin !== seal.origin ||
    heads.tree.size !== seal.size ||
    heads.tree.root !== seal.root
  ) {
    problems.push('the note of the newest links is of another seal');
  }
  const { leaf: head } = proof;
  const isNewest =
    heads?.accounts === proof.head.size && leadsTo(headLeafHash(head), proof.head, heads.root);
  if (!isNewest) problems.push('the link is not the newest one of the account at that seal');
  if (proof.size !== seal.size || !isEntryOf(seal, head.hash, proof)) {
    problems.push('the path of the newest link does not lead to the root of the seal');
  }
  return { problems, seal, ...(heads && { number: heads.number, at: heads.at }) };
};

/** What lies beside the charge in the log. */
const besideOf = ({ previousHash, hash }: AnyProof['link']): Link | undefined =>
  previousHash === undefined || hash === undefined ? undefined : { previousHash, hash };

/** The charge of a proof as today's event; undefined where its data makes none. */
const chargeOf = (
  accountId: string,
  stored: AnyProof['link'],
): EventOf<'ChargeReserved'> | undefined => {
  const { type, version, revision, data } = stored;
  const at = { stream: `account-${accountId}`, revision, position: '' };
  const meta = { at: '', requestId: '' };
  const beside = besideOf(stored);
  const event = decode({
    id: '',
    type,
    version,
    data,
    meta,
    ...at,
    ...(beside && { link: beside }),
  });
  return event.type === 'ChargeReserved'
    ? (event as KnownEvent as EventOf<'ChargeReserved'>)
    : undefined;
};

const accountOf = (proof: AnyProof): string =>
  'leaf' in proof ? proof.leaf.accountId : proof.link.accountId;

/** What the seal does not say of the charge, as the old form has it. */
const problemsOfOld = (
  proof: OldProof,
  charge: EventOf<'ChargeReserved'>,
  seal: Seal,
): string[] => {
  const problems: string[] = [];
  const { hash, sequence } = charge.data;
  if (!isOldRecordOf(seal, recordLeaf(charge, hash), proof.link)) {
    problems.push('the path of the charge does not lead to the root of the seal');
  }
  if (!(sequence < proof.leaf.sequence) && hash !== proof.leaf.hash) {
    problems.push('the charge does not precede the newest link of its account');
  }
  return problems;
};

/** Checks that a seal covers the charge. */
export const checkProof = (
  proof: AnyProof,
  keys: readonly VerifierKey[],
): CheckedProof & { charge: EventOf<'ChargeReserved'> | undefined } => {
  const { link: stored, note: text } = proof;
  const accountId = accountOf(proof);
  const { problems, seal } = 'leaf' in proof ? checkOldHead(proof, keys) : checkNote(text, keys);
  const charge = chargeOf(accountId, stored);
  if (!seal || !charge) {
    const missing = charge ? [] : ['the charge cannot be read'];
    return { problems: [...problems, ...missing], seal, charge };
  }
  const found = [...problems];
  const { hash, chargeId } = charge.data;
  if (hashOfLink(stored.type, stored.data, besideOf(stored)) !== hash) {
    found.push('the charge was changed');
  }
  if (chargeIdOf(accountId, stored.revision) !== chargeId) {
    found.push('the charge is of another account or place');
  }
  if ('leaf' in proof) found.push(...problemsOfOld(proof, charge, seal));
  else if (proof.size !== seal.size || !isEntryOf(seal, hash, proof)) {
    found.push('the path of the charge does not lead to the root of the seal');
  }
  return { problems: found, seal, charge };
};
