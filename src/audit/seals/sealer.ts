import type { Writer } from '../../commands/core/execute.ts';
import { installationDecider } from '../../commands/core/installation.ts';
import {
  listedHeadsDecider,
  listedHeadsId,
  SEALS_ID,
  SealContradicted,
  sealsDecider,
  tileDecider,
  tileIdOf,
} from '../../commands/seals/seals.ts';
import type { LedgerHead, LedgerSealedFact, LogTileFilledFact } from '../../events/seals.ts';
import { type BareEvent, type EventStore, StoreUnavailable } from '../../events/store.ts';
import { idInStream } from '../../events/streams.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { isMoneyEvent } from '../movement.ts';
import type { Offered } from '../witness/cosigning.ts';
import { type Head, listedOf, treeOf } from './heads.ts';
import { base64, rootOf } from './merkle.ts';
import { createSigner, type Signer } from './note.ts';
import {
  checkpointText,
  headsText,
  isCheckpoint,
  lastSeal,
  type StoredSeal,
} from './read-seals.ts';
import { bareRecordsBetween, entryOfRecord, readRecord, type SealedLog } from './record.ts';
import { findStart, type Growing } from './start.ts';
import { createTiles, openTilesOf } from './tiles.ts';
import { type FullTile, type OpenTiles, sizeOf } from './tree.ts';

/** A chain does not go on from what the last seal says of it. */
export interface BrokenChain {
  accountId: string;
  sequence: number;
}

export interface SealerDeps {
  log: Pick<EventStore, 'read' | 'bare' | 'head'>;
  writer: Writer;
  /** The 32 bytes of the Ed25519 key. */
  seed: () => Uint8Array;
  clock: Clock;
  ids: Ids;
  onBroken(broken: BrokenChain): void;
  /** The signatures of witnesses; none while it is absent. */
  cosign?(offered: Offered): Promise<string>;
}

/** A seal as its maker is notified of it. */
export type MadeSeal = Pick<StoredSeal, 'number' | 'at' | 'seal' | 'stored'>;

export interface Sealer {
  signer(): Promise<Signer>;
  /** Adds to the tiles what the log has added since. */
  grow(signal?: AbortSignal): Promise<void>;
  /** Asks the witnesses that have not signed the last seal; seals it once more with what they sign. */
  cosignLast(): Promise<void>;
  /** Seals all that the log holds now; null while it holds no record. `cause`: why it is done now. */
  seal(cause: string, signal?: AbortSignal): Promise<MadeSeal | null>;
}

/** Heads of one event: at most some 300 kB. */
const HEADS_OF_PART = 2000;

type Tile = LogTileFilledFact['data'];

const textOf = (hashes: readonly Uint8Array[]): string => base64(Buffer.concat(hashes));

/** A link of a chain, and its number: the next one where it follows the head that is known. */
const linkIn = async (
  log: SealedLog,
  { heads }: Growing,
  record: BareEvent,
): Promise<(Omit<Head, 'revision' | 'position'> & { previousHash: string }) | undefined> => {
  const { stream, link } = record;
  if (link && stream.startsWith(ACCOUNT)) {
    const accountId = idInStream(stream, 'account');
    const before = heads.get(accountId);
    if (before?.hash === link.previousHash) {
      return { accountId, sequence: before.sequence + 1, ...link };
    }
  }
  const event = record.event ?? (await readRecord(log, record));
  return event && isMoneyEvent(event) ? event.data : undefined;
};

const ACCOUNT = 'account-';

/** Takes one record in. Returns the break of a chain, if there is one. */
const follow = async (
  log: SealedLog,
  growing: Growing,
  record: BareEvent,
): Promise<BrokenChain | undefined> => {
  const { stream, revision, position } = record;
  growing.newest = { stream, revision, position };
  const link = await linkIn(log, growing, record);
  if (!link) return undefined;
  const { accountId, sequence, hash, previousHash } = link;
  const before = growing.heads.get(accountId);
  const head = { accountId, revision, sequence, hash, position };
  growing.heads.set(accountId, head);
  growing.changed.set(accountId, listedOf(head));
  const follows = !before || (before.sequence + 1 === sequence && before.hash === previousHash);
  return follows ? undefined : { accountId, sequence };
};

/** Grows the tree by one record. Returns the tiles that it has filled. */
const growBy = (growing: Growing, record: BareEvent): Tile[] => {
  const { link, event, stream, revision } = record;
  const entry = link ? Buffer.from(link.hash, 'hex') : event && entryOfRecord(event);
  if (!entry) return [];
  const { tree, due } = growing;
  growing.first ??= { stream, revision };
  const { first } = growing;
  const full = tree.add(entry).map(({ level, index, hashes }: FullTile): Tile => {
    const of = level === 0 ? first : null;
    return { level, index, hashes: textOf(hashes), first: of };
  });
  if (full.length > 0) growing.first = null;
  if (tree.size() === due?.size && base64(tree.root()) !== due.root) {
    throw new SealContradicted(`The log is not what seal ${due.number} covers`);
  }
  return full;
};

const partsOf = (heads: readonly LedgerHead[]) => {
  const count = Math.max(1, Math.ceil(heads.length / HEADS_OF_PART));
  return Array.from({ length: count }, (_, part) => ({
    heads: heads.slice(part * HEADS_OF_PART, (part + 1) * HEADS_OF_PART),
    tiles: [],
  }));
};

/** Makes the seals of a log. Its memory grows with the accounts, not with the log. */
export const createSealer = (deps: SealerDeps): Sealer => {
  const { log, writer, seed, clock, ids, onBroken, cosign } = deps;
  const tiles = createTiles(log);
  let made: Signer | undefined;
  /** As far as this process has read. Undefined: from the last seal on, as where a page was taken in by half. */
  let known: Growing | undefined;
  const contextOf = (cause: string) => ({ requestId: ids.uuid(), cause });

  const signer = async (): Promise<Signer> => {
    if (made) return made;
    const { state } = await writer.load(installationDecider, SEALS_ID);
    if (!state) throw new StoreUnavailable('the log does not name its installation yet');
    made = createSigner(`waybill/${state.installationId}`, seed());
    return made;
  };

  const readOn = async (growing: Growing, signal: AbortSignal | undefined): Promise<void> => {
    const broken = new Set<string>();
    const head = await log.head();
    for await (const { page, to } of bareRecordsBetween(log, growing.after, head)) {
      signal?.throwIfAborted();
      known = undefined;
      for (const record of page) {
        const found = await follow(log, growing, record);
        if (found && !broken.has(found.accountId)) {
          broken.add(found.accountId);
          onBroken(found);
        }
        for (const tile of growBy(growing, record)) {
          const command = { type: 'Fill' as const, tile };
          const context = contextOf('sealing');
          await writer.execute(tileDecider, tileIdOf(tile), command, context, { assumeNew: true });
        }
      }
      growing.after = to;
      // What fails from here on is no reason to read these pages again.
      known = growing;
    }
    if (head > growing.after) growing.after = head;
    const { due, tree } = growing;
    if (due && tree.size() < due.size) {
      throw new SealContradicted(`The log lacks entries that seal ${due.number} covers`);
    }
  };

  const grown = async (signal?: AbortSignal): Promise<Growing> => {
    known ??= await findStart(log, await signer());
    const growing = known;
    await readOn(growing, signal);
    return growing;
  };

  /** Stores the parts, and the seal after them: one that is there is whole. */
  const store = async (
    seal: Omit<LedgerSealedFact['data'], 'listId' | 'parts'>,
    parts: ReturnType<typeof partsOf>,
    cause: string,
  ): Promise<LedgerSealedFact['data']> => {
    const listId = ids.uuid();
    const context = contextOf(cause);
    for (const [part, listed] of parts.entries()) {
      const command = { type: 'List' as const, ...listed };
      const id = listedHeadsId(listId, part);
      await writer.execute(listedHeadsDecider, id, command, context, { assumeNew: true });
    }
    const sealed = { ...seal, listId, parts: parts.length };
    await writer.execute(sealsDecider, SEALS_ID, { type: 'Seal', sealed }, context);
    return sealed;
  };

  /** A note with the signatures of the witnesses that can be had now. */
  const cosigned = async (note: string, open: OpenTiles): Promise<string> => {
    const size = sizeOf(open);
    const { consistency } = tiles.reader(open);
    const lines = await cosign?.({ size, note, consistency: (old) => consistency(old, size) });
    return note + (lines ?? '');
  };

  return {
    signer,
    async cosignLast() {
      const { last, count } = await lastSeal(log);
      if (!cosign || !isCheckpoint(last)) return;
      const note = await cosigned(last.seal.note, openTilesOf(last));
      if (note === last.seal.note) return;
      known = undefined;
      const sealed = { ...last.stored, number: count + 1, note };
      const context = contextOf('cosigning');
      await writer.execute(sealsDecider, SEALS_ID, { type: 'Seal', sealed }, context);
    },
    async grow(signal) {
      await grown(signal);
    },
    async seal(cause, signal) {
      const by = await signer();
      const growing = await grown(signal);
      const { tree, newest, first, count } = growing;
      if (!newest) return null;
      known = undefined;
      const number = count + 1;
      const at = isoTime(clock.now());
      const checkpoint = { origin: by.name, size: tree.size(), root: base64(tree.root()) };
      const openTiles = tree.open();
      const note = await cosigned(by.sign(checkpointText(checkpoint)), openTiles);
      const { heads, hashes } = await treeOf(growing.heads.values());
      const listing = { accounts: heads.length, root: base64(rootOf(hashes)), number, at };
      const headsNote = by.sign(headsText({ origin: by.name, ...listing, tree: checkpoint }));
      // A full list from time to time, so that reading one seal reads twice its heads at most.
      const toRead = growing.listed + growing.changed.size;
      const isFull = growing.base === 0 || toRead > 2 * heads.length;
      const list = isFull ? heads.map(listedOf) : [...growing.changed.values()];
      const base = isFull ? number : growing.base;
      const { stream, revision, position } = newest;
      const open = openTiles.map(textOf);
      const stored = await store(
        {
          number,
          note,
          newest: { stream, revision },
          base,
          tree: { at, position, heads: headsNote, open, first },
        },
        partsOf(list),
        cause,
      );
      const listed = isFull ? list.length : growing.listed + list.length;
      known = { ...growing, count: number, base, listed, changed: new Map(), due: undefined };
      return { number, at, seal: { ...checkpoint, note }, stored };
    },
  };
};
