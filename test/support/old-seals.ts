import { headLeafHash, type Leaf } from '../../src/audit/seals/heads.ts';
import { base64, createTiledTree, rootOf, TILE } from '../../src/audit/seals/merkle.ts';
import { createSigner } from '../../src/audit/seals/note.ts';
import { nameOfLeaf, recordHash, recordLeaf } from '../../src/audit/seals/record.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import { listedHeadsDecider, SEALS_ID, sealsDecider } from '../../src/commands/seals/seals.ts';
import type { LedgerHead, RecordTile } from '../../src/events/seals.ts';
import type { EventStore } from '../../src/events/store.ts';
import { systemIds } from '../../src/shared/system.ts';
import { fixedClock } from './ambient.ts';

/**
 * Makes seal 1 of a log in the form of before the log of entries: the heads of all chains, and the tree of the
 * records, in the lines of its note.
 */
export const sealAsBefore = async (
  store: EventStore,
  { origin, seed, at }: { origin: string; seed: Uint8Array; at: string },
): Promise<string> => {
  const heads = new Map<string, Leaf & { revision: number }>();
  const tree = createTiledTree();
  const firsts: [string, number][] = [];
  let newest = { stream: '', revision: 0, position: '', name: '' };
  const { events } = await store.readAll('', 1000);
  for (const event of events) {
    const hash = recordHash(event);
    if (hash === undefined) continue;
    const { stream, revision, position } = event;
    const leaf = recordLeaf(event, hash);
    if (tree.add(leaf)) firsts.push([stream, revision]);
    newest = { stream, revision, position, name: nameOfLeaf(leaf) };
    if (!event.link) continue;
    const { accountId, sequence } = event.data as { accountId: string; sequence: number };
    heads.set(accountId, { accountId, revision, sequence, hash, position });
  }
  const sorted = [...heads.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  const lines = [
    origin,
    sorted.length,
    base64(rootOf(sorted.map(headLeafHash))),
    'seal 1',
    `time ${at}`,
    `position ${newest.position}`,
    `newest ${newest.name}`,
    `records 0 ${tree.size()} ${base64(tree.root())}`,
  ];
  const note = createSigner(origin, seed).sign(`${lines.join('\n')}\n`);
  const writer = createWriter({ store, clock: fixedClock(), ids: systemIds });
  const tiles = tree.tiles().map((root, index): RecordTile => [...firsts[index]!, base64(root)]);
  const listed = sorted.map((one): LedgerHead => {
    return [one.accountId, one.revision, one.sequence, one.hash, one.position];
  });
  const context = { requestId: 'before' };
  const list = { type: 'List' as const, heads: listed, tiles };
  await writer.execute(listedHeadsDecider, 'old.0', list, context);
  const { stream, revision } = newest;
  const place = { base: 1, listId: 'old', parts: 1, newest: { stream, revision }, tree: null };
  const sealed = { number: 1, note, ...place };
  await writer.execute(sealsDecider, SEALS_ID, { type: 'Seal', sealed }, context);
  if (tree.size() > 3 * TILE) throw new Error('the log is too long for one read');
  return note;
};
