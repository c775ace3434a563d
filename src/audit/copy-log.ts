import { existsSync } from 'node:fs';
import { CHECKPOINT_PREFIX } from '../commands/core/reactor-checkpoints.ts';
import { copyEvents } from '../events/copy/copy.ts';
import { examine, type Flaws } from '../events/copy/examine.ts';
import type { CopySource, CopyTarget } from '../events/copy/ports.ts';
import { openSqliteSource } from '../events/sqlite/source.ts';
import { openSqliteTarget } from '../events/sqlite/target.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { backUpKeys } from '../keys/sqlite/backup.ts';
import { keysFile } from '../keys/sqlite/schema.ts';
import { type KeySource, openKeySource } from '../keys/sqlite/source.ts';
import { eachLimit } from '../shared/concurrency.ts';
import { verifyUndamaged } from './offline.ts';
import { type Report, type VerifyOptions, verify } from './verify.ts';

// Copies the embedded log, event by event, into an EventStoreDB or another data directory, and the data keys
// into a MongoDB or that directory. A log of an older format comes out in today's.

/** The stages of a copy, in order. `look` and `compare` read the destination. */
export type CopyStage =
  | 'verify source'
  | 'examine'
  | 'look'
  | 'copy'
  | 'compare'
  | 'verify'
  | 'keys';

export interface CopyOutcome {
  ok: boolean;
  /** Of the source. */
  format: number;
  /** In the source. */
  events: number;
  /** Appended now. */
  copied: number;
  /** Present before, from an interrupted copy. */
  present: number;
  /** Reactors whose checkpoints were carried over, so that they do not repeat their work. */
  reactors: number;
  snapshots: number;
  /** Data keys of the source, which are in the destination now; null when they stay where they are. */
  keys: number | null;
  source: Report;
  /** Events of the source that cannot be copied. */
  flaws: Flaws;
  /** Null when the destination was not verified. */
  destination: Report | null;
}

export type CopyProgress = (stage: CopyStage, done: number, of: number | undefined) => void;

/** Whether a data directory has a file of data keys. */
export const hasKeys = (directory: string): boolean => existsSync(keysFile(directory));

/** Keys that are written at one time. */
const KEYS_AT_A_TIME = 32;

/**
 * Copies data keys as they are, with their subjects. Repeated, it adds what is missing. Throws when
 * the destination holds others.
 */
export const copyKeys = async (
  source: KeySource,
  target: Pick<KeyStore, 'ensure' | 'setApplied'>,
  onProgress: (keys: number) => void,
): Promise<number> => {
  let copied = 0;
  await eachLimit(source.all(), KEYS_AT_A_TIME, async ({ subject, key }) => {
    const [found] = await target.ensure([subject], key.month, () => key.wrapped);
    const isSame = Buffer.from(found!.key.wrapped).equals(key.wrapped);
    if (found!.subject.ref !== subject.ref || !isSame) {
      throw new Error('the destination of the data keys holds others: use an empty database');
    }
    copied += 1;
    onProgress(copied);
  });
  await target.setApplied(source.applied);
  return copied;
};

const copyKeysTo = async (url: string, source: KeySource, onProgress: CopyProgress) => {
  const { openConnection } = await import('../projections/mongodb/connection.ts');
  const { keysOver } = await import('../keys/mongodb/keys.ts');
  const target = keysOver(await openConnection(url));
  try {
    return await copyKeys(source, target, (done) => onProgress('keys', done, source.keys));
  } finally {
    await target.close();
  }
};

interface Source {
  directory: string;
  log: CopySource;
  /** Resolves to their number. Undefined where there are none, or where they stay. */
  copyKeys: ((onProgress: CopyProgress) => Promise<number>) | undefined;
}

const copyInto = async (
  { directory, log: source, copyKeys: bringKeys }: Source,
  target: CopyTarget,
  onProgress: CopyProgress,
): Promise<CopyOutcome> => {
  const { events, format } = source;
  const verifying = (stage: CopyStage): VerifyOptions => ({
    // Loading a snapshot checks it against the log.
    deciders: null,
    onProgress: ({ movements }) => onProgress(stage, movements, undefined),
  });
  const nothing = { copied: 0, present: 0, reactors: 0, snapshots: 0, keys: null };
  const began = { ok: false, format, events, ...nothing };
  const report = await verifyUndamaged(directory, verifying('verify source'));
  const flaws = await examine(source, target, (done) => onProgress('examine', done, events));
  if (!report.ok || flaws.count > 0) return { ...began, source: report, flaws, destination: null };
  const { copied, present, carryOn } = await copyEvents(source, target, {
    reactorPrefix: CHECKPOINT_PREFIX,
    onProgress: (stage, done) => onProgress(stage, done, events),
  });
  const counts = { events, copied, present };
  const destination = await verify(target.store, verifying('verify'));
  const isSame =
    destination.accounts === report.accounts && destination.movements === report.movements;
  const whole = { ...began, ...counts, source: report, flaws, destination };
  if (!destination.ok || !isSame) return whole;
  const carried = await carryOn();
  if (source.hasGrown()) {
    throw new Error(`${directory} was written to meanwhile: stop the service and copy again`);
  }
  const copiedKeys = (await bringKeys?.(onProgress)) ?? null;
  return { ...whole, ...carried, keys: copiedKeys, ok: true };
};

/** The destination: a data directory, or the URL of an EventStoreDB. */
const openTarget = async (to: string): Promise<CopyTarget> => {
  if (!isServerUrl(to)) return openSqliteTarget(to);
  const { openEventStoreDbTarget } = await import('../events/eventstoredb/target.ts');
  return openEventStoreDbTarget({ url: to });
};

const isServerUrl = (to: string): boolean => /^[a-z][a-z+]+:\/\//i.test(to);

/**
 * Copies the log of a data directory that no service has open into an EventStoreDB or a data directory
 * that is empty or holds a part of this copy. Its data keys go into the database `keysTo`, if it is given,
 * and into a directory always. Throws when a destination holds anything else.
 */
export const copyLog = async (
  directory: string,
  to: string,
  onProgress: CopyProgress,
  keysTo?: string,
): Promise<CopyOutcome> => {
  const log = openSqliteSource(directory);
  const keySource = keysTo === undefined ? undefined : openKeySource(directory);
  const copyKeys = (): Source['copyKeys'] => {
    if (keySource) return (tell) => copyKeysTo(keysTo!, keySource, tell);
    if (isServerUrl(to) || !hasKeys(directory)) return undefined;
    return async () => backUpKeys(directory, keysFile(to)).keys;
  };
  try {
    const target = await openTarget(to);
    try {
      // A wrong address fails here, before minutes of reading the source.
      await target.store.head();
      return await copyInto({ directory, log, copyKeys: copyKeys() }, target, onProgress);
    } finally {
      await target.close();
    }
  } finally {
    keySource?.close();
    log.close();
  }
};
