import { CHECKPOINT_PREFIX } from '../commands/core/reactor.ts';
import { copyEvents } from '../events/copy/copy.ts';
import { examine, type Flaws } from '../events/copy/examine.ts';
import type { CopySource, CopyTarget } from '../events/copy/ports.ts';
import { openSqliteSource } from '../events/sqlite/source.ts';
import { verifyUndamaged } from './offline.ts';
import { type Report, type VerifyOptions, verify } from './verify.ts';

// Copies the embedded log, event by event, into an EventStoreDB.

/** The stages of a copy, in order. `look` and `compare` read the destination. */
export type CopyStage = 'verify source' | 'examine' | 'look' | 'copy' | 'compare' | 'verify';

export interface CopyOutcome {
  ok: boolean;
  /** In the source. */
  events: number;
  /** Appended now. */
  copied: number;
  /** Present before, from an interrupted copy. */
  present: number;
  /** Reactors whose checkpoints were carried over, so that they do not repeat their work. */
  reactors: number;
  snapshots: number;
  source: Report;
  /** Events of the source that cannot be copied. */
  flaws: Flaws;
  /** Null when the destination was not verified. */
  destination: Report | null;
}

export type CopyProgress = (stage: CopyStage, done: number, of: number | undefined) => void;

const copyInto = async (
  { source, directory }: { source: CopySource; directory: string },
  target: CopyTarget,
  onProgress: CopyProgress,
): Promise<CopyOutcome> => {
  const { events } = source;
  const verifying = (stage: CopyStage): VerifyOptions => ({
    // Loading a snapshot checks it against the log.
    deciders: null,
    onProgress: ({ movements }) => onProgress(stage, movements, undefined),
  });
  const began = { ok: false, events, copied: 0, present: 0, reactors: 0, snapshots: 0 };
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
  return { ...whole, ...carried, ok: true };
};

/**
 * Copies the log of a data directory that no service has open into an EventStoreDB that is empty or
 * holds a part of this copy. Throws when it holds anything else.
 */
export const copyLog = async (
  directory: string,
  url: string,
  onProgress: CopyProgress,
): Promise<CopyOutcome> => {
  const { openEventStoreDbTarget } = await import('../events/eventstoredb/target.ts');
  const source = openSqliteSource(directory);
  try {
    const target = await openEventStoreDbTarget({ url });
    try {
      // A wrong address fails here, before minutes of reading the source.
      await target.store.head();
      return await copyInto({ source, directory }, target, onProgress);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
};
