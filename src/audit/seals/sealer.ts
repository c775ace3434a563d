import type { Writer } from '../../commands/core/execute.ts';
import { installationDecider } from '../../commands/core/installation.ts';
import {
  listedHeadsDecider,
  listedHeadsId,
  SEALS_ID,
  sealsDecider,
} from '../../commands/seals/seals.ts';
import type { LedgerSealedFact, RecordTile } from '../../events/seals.ts';
import { type Position, type Recorded, StoreUnavailable } from '../../events/store.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { isMoneyEvent } from '../movement.ts';
import { type Head, listedOf, treeOf } from './heads.ts';
import { base64, createTiledTree, rootOf } from './merkle.ts';
import { createSigner, type Signer } from './note.ts';
import { type Seal, sealText } from './read-seals.ts';
import { leafOfRecord, nameOfLeaf, recordsBetween, type SealedLog } from './record.ts';
import { findStart, type Start } from './start.ts';

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

/** What the log has added since. */
interface Gathered {
  changed: Map<string, Head>;
  tree: ReturnType<typeof createTiledTree>;
  firsts: { stream: string; revision: number }[];
  newest: { stream: string; revision: number; position: Position; leaf: string } | undefined;
}

/** Takes one record in. Returns the break of a chain, if there is one. */
const gather = (start: Start, gathered: Gathered, event: Recorded): BrokenChain | undefined => {
  const leaf = leafOfRecord(event);
  if (leaf === undefined) return undefined;
  const { stream, revision, position } = event;
  if (gathered.tree.add(leaf)) gathered.firsts.push({ stream, revision });
  gathered.newest = { stream, revision, position, leaf };
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

/** Reads what the log has added. */
const gatherAll = async (
  { log, onBroken }: Pick<SealerDeps, 'log' | 'onBroken'>,
  start: Start,
  signal: AbortSignal | undefined,
): Promise<Gathered> => {
  const gathered: Gathered = {
    changed: new Map(),
    tree: createTiledTree(),
    firsts: [],
    newest: undefined,
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

const tilesOf = ({ tree, firsts }: Gathered): RecordTile[] =>
  tree.tiles().map((root, index) => {
    const { stream, revision } = firsts[index]!;
    return [stream, revision, base64(root)];
  });

type Sealed = LedgerSealedFact['data'];

/** Stores the parts, and the seal after them: one that is there is whole. */
const store = async (
  { writer, ids }: Pick<SealerDeps, 'writer' | 'ids'>,
  seal: Omit<Sealed, 'listId' | 'parts'>,
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
  const sealed = { ...seal, listId, parts: parts.length };
  await writer.execute(sealsDecider, SEALS_ID, { type: 'Seal', sealed }, context);
};

/** Makes the seals of a log. Its memory grows with the accounts, not with the log. */
export const createSealer = (deps: SealerDeps): Sealer => {
  const { log, writer, seed, clock } = deps;
  let made: Signer | undefined;
  const signer = async (): Promise<Signer> => {
    if (made) return made;
    const { state } = await writer.load(installationDecider, SEALS_ID);
    if (!state) throw new StoreUnavailable('the log does not name its installation yet');
    made = createSigner(`waybill/${state.installationId}`, seed);
    return made;
  };

  return {
    signer,
    async seal(cause, signal) {
      const by = await signer();
      const start = await findStart(log, by);
      const { last, heads: all, since } = start;
      const gathered = await gatherAll(deps, start, signal);
      const { tree, changed } = gathered;
      const { newest: found } = gathered;
      const newest = found
        ? { ...found, name: nameOfLeaf(found.leaf) }
        : last && { ...last.seal, ...last.stored.newest, name: last.seal.newest };
      if (!newest) return null;
      const { stream, revision, position, name } = newest;
      const { heads, hashes } = await treeOf(all.values());
      const number = start.count + 1;
      const unsigned = {
        origin: by.name,
        size: heads.length,
        root: base64(rootOf(hashes)),
        number,
        at: isoTime(clock.now()),
        position,
        newest: name,
        records: { since, size: tree.size(), root: base64(tree.root()) },
      };
      const seal = { ...unsigned, note: by.sign(sealText(unsigned)) };
      // A full list from time to time, so that reading one seal reads twice its heads at most.
      const isFull = since === 0 || start.listed + changed.size > heads.length;
      const base = isFull ? number : last!.stored.base;
      const parts = partsOf(isFull ? heads : [...changed.values()], tilesOf(gathered));
      await store(
        deps,
        { number, note: seal.note, newest: { stream, revision }, base },
        parts,
        cause,
      );
      return seal;
    },
  };
};
