import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseVerifierKey, type VerifierKey } from '../../src/audit/seals/note.ts';
import { readSeals, type Seal } from '../../src/audit/seals/read-seals.ts';
import {
  type BrokenChain,
  createSealer,
  type MadeSeal,
  type SealerDeps,
} from '../../src/audit/seals/sealer.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import { checkInstallation } from '../../src/commands/core/installation.ts';
import { CHAIN_START } from '../../src/events/chain.ts';
import { linkHash } from '../../src/events/index.ts';
import { selectRows } from '../../src/events/sqlite/older.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import type { EventStore } from '../../src/events/store.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { systemIds } from '../../src/shared/system.ts';
import { fixedClock } from './ambient.ts';
import { temporaryFolder } from './folder.ts';
import { SECRET } from './message-refs.ts';

export const SEED = Buffer.alloc(32, 3);
const DAY_MS = 86_400_000;

/** A sealer of a log whose installation is founded; the clock goes on by a day after each seal. */
export const openSealer = async (store: EventStore, seed = SEED, cosign?: SealerDeps['cosign']) => {
  const clock = fixedClock();
  const writer = createWriter({ store, clock, ids: systemIds });
  const proofs = createSecrets(SECRET);
  await checkInstallation({ store, clock, ids: systemIds, proofs });
  const broken: BrokenChain[] = [];
  const onBroken = (one: BrokenChain) => void broken.push(one);
  const deps = { log: store, writer, seed: () => seed, clock, ids: systemIds, onBroken };
  const sealer = createSealer({ ...deps, ...(cosign && { cosign }) });
  return {
    broken,
    writer,
    clock,
    grow: () => sealer.grow(),
    async seal(): Promise<MadeSeal> {
      const seal = await sealer.seal('test');
      clock.advance(DAY_MS);
      return seal!;
    },
    async key(): Promise<VerifierKey> {
      return parseVerifierKey((await sealer.signer()).verifierKey);
    },
    verifierKey: async () => (await sealer.signer()).verifierKey,
  };
};

/** Runs with the log of a directory. */
export const withStore = async <T>(
  directory: string,
  use: (store: EventStore) => Promise<T>,
): Promise<T> => {
  const store = await openSqliteStore({ directory });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
};

export const sealsIn = (directory: string): Promise<Seal[]> =>
  withStore(directory, async (store) => {
    const seals: Seal[] = [];
    for await (const { seal } of readSeals(store)) seals.push(seal);
    return seals;
  });

/** A copy of a data directory, to be changed. */
export const copyOf = (directory: string): { path: string; remove(): void } => {
  const folder = temporaryFolder();
  cpSync(directory, folder.path, { recursive: true });
  return folder;
};

/** Changes the file of the log, as somebody does who holds it. */
export const changeFile = (
  directory: string,
  sql: string,
  ...values: (string | number)[]
): number => {
  const database = new DatabaseSync(join(directory, 'events.db'), { timeout: 5_000 });
  try {
    return Number(database.prepare(sql).run(...values).changes);
  } finally {
    database.close();
  }
};

/** Gives the events of the file new positions, from 1 on, as if none had been there. */
export const closeGaps = (directory: string): void => {
  const database = new DatabaseSync(join(directory, 'events.db'), { timeout: 5_000 });
  const rows = database.prepare('SELECT position FROM events ORDER BY position').all();
  const put = database.prepare('UPDATE events SET position = ? WHERE position = ?');
  database.exec('BEGIN');
  for (const [index, { position }] of rows.entries()) put.run(index + 1, Number(position));
  database.exec('COMMIT');
  database.close();
};

/** Copies the first event of a stream into a new stream, at a free position. */
export const copyFirst = (
  directory: string,
  { from, to, position }: { from: string; to: string; position: number },
): void => {
  const database = new DatabaseSync(join(directory, 'events.db'), { timeout: 5_000 });
  database.prepare('INSERT INTO streams (name) VALUES (?)').run(to);
  database
    .prepare(
      `CREATE TEMP TABLE copied AS SELECT * FROM events
       WHERE position = (SELECT min(position) FROM log WHERE stream = ?)`,
    )
    .run(from);
  database
    .prepare(
      `UPDATE copied SET position = ?, revision = 0, id = ?,
       stream = (SELECT id FROM streams WHERE name = ?)`,
    )
    .run(position, systemIds.uuid(), to);
  database.exec('INSERT INTO events SELECT * FROM copied');
  database.close();
};

export interface StoredLink {
  position: number;
  type: string;
  data: Record<string, unknown> & { amount: number; balanceAfter: number };
  /** Its hash in hex, which lies beside the text. */
  hash: string;
}

/** Changes the links of an account in the file, and computes the whole chain anew. */
export const rewriteChain = (
  directory: string,
  accountId: string,
  change: (link: StoredLink) => void,
): StoredLink[] => {
  const database = new DatabaseSync(join(directory, 'events.db'), { timeout: 5_000 });
  const stream = `account-${accountId}`;
  const rows = selectRows(database, 'stream = ? ORDER BY revision').all(stream);
  const put = database.prepare(
    'UPDATE events SET data = ?, sealed = NULL, link = ? WHERE position = ?',
  );
  const links = rows.flatMap(({ position, type, data, link }): StoredLink[] =>
    link ? [{ position, type, data: JSON.parse(data), hash: link.hash }] : [],
  );
  let [previousHash, balance] = [CHAIN_START, 0];
  database.exec('BEGIN');
  for (const link of links) {
    change(link);
    balance += link.data.amount;
    link.data.balanceAfter = balance;
    const text = JSON.stringify(link.data);
    link.hash = linkHash(previousHash, text);
    put.run(text, Buffer.from(previousHash + link.hash, 'hex'), link.position);
    previousHash = link.hash;
  }
  database.exec('COMMIT');
  database.close();
  return links;
};
