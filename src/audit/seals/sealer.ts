import type { Writer } from '../../commands/core/execute.ts';
import { installationDecider } from '../../commands/core/installation.ts';
import {
  listedHeadsDecider,
  listedHeadsId,
  SEALS_ID,
  sealsDecider,
} from '../../commands/seals/seals.ts';
import type { RecordTile } from '../../events/seals.ts';
import { type Position, type Recorded, START, StoreUnavailable } from '../../events/store.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { isMoneyEvent } from '../movement.ts';
import { type Head, listedOf, readContent, treeOf } from './heads.ts';
import { base64, createTiledTree, rootOf } from './merkle.ts';
import { createSigner, isSignedBy, parseNote, parseVerifierKey, type Signer } from './note.ts';
import { lastSeal, type StoredSeal } from './read-seals.ts';
import { digestOf, readRecord, recordsBetween, type SealedLog } from './record.ts';
import { digestBytes, type Seal, sealText } from './seal.ts';

/** A chain does not go on from what the last seal says of it. */
export interface BrokenChain {
  accountId: string;
  sequence: number;
}

export interface SealerDeps {
  log: SealedLog;
  writer: Writer;
  /** The 32 bytes of the Ed25519 key. */
  seed: Uint8Array;
  clock: Clock;
  ids: Ids;
  onBroken(broken: BrokenChain): void;
}

export interface Sealer {
  signer(): Promise<Signer>;
  /** Seals all that the log holds now; null while it holds no record. `cause`: why it is done now. */
  seal(cause: string, signal?: AbortSignal): Promise<Seal | null>;
}

/** Heads and tiles of one event: at most some 300 kB. */
const HEADS_OF_PART = 2000;
const TILES_OF_PART = 2000;

/** What the next seal starts from. */
interface Start {
  heads: Map<string, Head>;
  /** The number of the seal that the records follow; 0 from the start of the log. */
  since: number;
  after: Position;
  last: StoredSeal | undefined;
  /** Seals so far. */
  count: number;
  listed: number;
}

/** What the log has added since. */
interface Gathered {
  changed: Map<string, Head>;
  tree: ReturnType<typeof createTiledTree>;
  firsts: { stream: string; revision: number }[];
  newest: { stream: string; revision: number; position: Position; digest: string } | undefined;
}

type Last = Pick<Start, 'last' | 'count'>;

const fromStart = (last: Last): Start => ({
  ...{ heads: new Map(), since: 0, after: START, listed: 0, ...last },
});

/**
 * Where the next seal starts: from the last one, if its note is signed by our own key, the stored
 * heads make its root, and its newest record is in the log; else from the start of the log. So
 * nothing that the log holds is believed unless a signature covers it.
 */
const findStart = async (log: SealedLog, signer: Signer): Promise<Start> => {
  const found = await lastSeal(log);
  const { last, count } = found;
  const note = last && parseNote(last.seal.note);
  if (!last || !note || last.seal.origin !== signer.name) return fromStart(found);
  if (!isSignedBy(note, [parseVerifierKey(signer.verifierKey)])) return fromStart(found);
  const newest = await readRecord(log, last.stored.newest);
  if (!newest || digestOf(newest) !== last.seal.newest) return fromStart(found);
  const content = await readContent(log, last);
  if (!content) return fromStart(found);
  const heads = new Map(content.heads.map((head) => [head.accountId, head]));
  const { number: since } = last.seal;
  return { heads, since, after: newest.position, last, count, listed: content.listed };
};

/** Takes one record in. Returns the break of a chain, if there is one. */
const gather = (start: Start, gathered: Gathered, event: Recorded): BrokenChain | undefined => {
  const digest = digestOf(event);
  if (digest === undefined) return undefined;
  const { stream, revision, position } = event;
  if (gathered.tree.add(digestBytes(digest))) gathered.firsts.push({ stream, revision });
  gathered.newest = { stream, revision, position, digest };
  if (!isMoneyEvent(event)) return undefined;
  const { accountId, sequence, hash, previousHash } = event.data;
  const before = start.heads.get(accountId);
  const head = { accountId, revision, sequence, hash, position };
  start.heads.set(accountId, head);
  gathered.changed.set(accountId, head);
  const follows = !before || (before.sequence + 1 === sequence && before.hash === previousHash);
  return follows ? undefined : { accountId, sequence };
};

const partsOf = (heads: readonly Head[], tiles: readonly RecordTile[]) => {
  const ofHeads = Math.ceil(heads.length / HEADS_OF_PART);
  const count = Math.max(1, ofHeads, Math.ceil(tiles.length / TILES_OF_PART));
  return Array.from({ length: count }, (_, part) => ({
    heads: heads.slice(part * HEADS_OF_PART, (part + 1) * HEADS_OF_PART).map(listedOf),
    tiles: tiles.slice(part * TILES_OF_PART, (part + 1) * TILES_OF_PART),
  }));
};

/** Makes the seals of a log. Its memory grows with the accounts, not with the log. */
export const createSealer = ({ log, writer, seed, clock, ids, onBroken }: SealerDeps): Sealer => {
  let made: Signer | undefined;
  const signer = async (): Promise<Signer> => {
    if (made) return made;
    const { state } = await writer.load(installationDecider, SEALS_ID);
    if (!state) throw new StoreUnavailable('the log does not name its installation yet');
    made = createSigner(`waybill/${state.installationId}`, seed);
    return made;
  };

  const gatherAll = async (start: Start, signal: AbortSignal | undefined): Promise<Gathered> => {
    const gathered: Gathered = {
      ...{ changed: new Map(), tree: createTiledTree(), firsts: [], newest: undefined },
    };
    const broken = new Map<string, BrokenChain>();
    for await (const page of recordsBetween(log, start.after, await log.head())) {
      signal?.throwIfAborted();
      for (const event of page) {
        const found = gather(start, gathered, event);
        if (found && !broken.has(found.accountId)) broken.set(found.accountId, found);
      }
    }
    for (const one of broken.values()) onBroken(one);
    return gathered;
  };

  const store = async (
    seal: Seal,
    { base, newest }: { base: number; newest: { stream: string; revision: number } },
    parts: ReturnType<typeof partsOf>,
    cause: string,
  ): Promise<void> => {
    const listId = ids.uuid();
    const context = { requestId: ids.uuid(), cause };
    for (const [part, listed] of parts.entries()) {
      const command = { type: 'List' as const, ...listed };
      const id = listedHeadsId(listId, part);
      await writer.execute(listedHeadsDecider, id, command, context, { assumeNew: true });
    }
    const { number, note } = seal;
    const sealed = { number, note, newest, base, listId, parts: parts.length };
    await writer.execute(sealsDecider, SEALS_ID, { type: 'Seal', sealed }, context);
  };

  return {
    signer,
    async seal(cause, signal) {
      const by = await signer();
      const start = await findStart(log, by);
      const { changed, tree, firsts, newest: found } = await gatherAll(start, signal);
      const { last, heads: all, since } = start;
      const newest = found ?? (last && { ...last.seal, ...last.stored.newest });
      if (!newest) return null;
      const { heads, hashes } = await treeOf(all.values());
      const number = start.count + 1;
      const unsigned = {
        ...{ origin: by.name, size: heads.length, root: base64(rootOf(hashes)) },
        ...{ number, at: isoTime(clock.now()), position: newest.position },
        newest: 'digest' in newest ? newest.digest : newest.newest,
        records: { since, size: tree.size(), root: base64(tree.root()) },
      };
      const seal = { ...unsigned, note: by.sign(sealText(unsigned)) };
      // A full list from time to time, so that reading one seal reads twice its heads at most.
      const isFull = since === 0 || start.listed + changed.size > heads.length;
      const tiles = tree.tiles().map((root, index): RecordTile => {
        const { stream, revision } = firsts[index]!;
        return [stream, revision, base64(root)];
      });
      const { stream, revision } = newest;
      await store(
        seal,
        { base: isFull ? number : last!.stored.base, newest: { stream, revision } },
        partsOf(isFull ? heads : [...changed.values()], tiles),
        cause,
      );
      return seal;
    },
  };
};
