import type { Made } from '../../audit/backups/process.ts';
import { retryMs } from '../../audit/backups/schedule.ts';
import type { Backup } from '../../audit/offline-backups.ts';
import type { Health } from '../../http/ops/health.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';

/** Where backups are made and found. */
export interface BackupWork {
  take(signal: AbortSignal): Promise<Made>;
  /** So many at most, the newest first. */
  list(most: number): Promise<Backup[]>;
}

interface Deps extends BackupWork {
  /** Null: on request alone. */
  everyMs: number | null;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'warn'>;
}

export interface Backups {
  /** Makes one now. Refuses while one is being made. */
  make(signal: AbortSignal): Promise<Made>;
  list: BackupWork['list'];
  /** Makes one if it is time; after a failure, looks for one that was made elsewhere. */
  tick(signal: AbortSignal): Promise<void>;
  health(): Health;
}

const failed = (what: string) => (cause: Error) => {
  throw new AppError('backup.failed', `${what}: ${cause.message}`, { cause });
};

/** Backups of one process, one at a time, on request and each `everyMs` after the newest one. */
export const createBackups = ({ take, list, everyMs, clock, logger }: Deps): Backups => {
  const begunAt = clock.now();
  /** Without a schedule none falls due. */
  const periodMs = everyMs ?? Number.POSITIVE_INFINITY;
  let newestAt: number | undefined;
  let dueAt = everyMs === null ? periodMs : begunAt;
  let running = false;
  /** Of one or several attempts. A copy that was begun since ends it, whoever made that. */
  let failure: { reason: string; since: number } | undefined;

  const note = ({ takenAt }: Pick<Backup, 'takenAt'>) => {
    newestAt = Date.parse(takenAt);
    dueAt = newestAt + periodMs;
    if (failure && newestAt >= failure.since) failure = undefined;
  };
  const lookSoon = () => {
    dueAt = clock.now() + retryMs(periodMs);
  };
  const fail = ({ message }: Error) => {
    failure = { reason: message, since: failure?.since ?? clock.now() };
    lookSoon();
  };
  const isDue = () => !running && clock.now() >= dueAt;

  const makeNow = async (signal: AbortSignal): Promise<Made> => {
    running = true;
    try {
      const made = await take(signal);
      note(made);
      failure = undefined;
      logger.info({ backup: made.name, events: made.events }, 'A backup was made');
      return made;
    } finally {
      running = false;
    }
  };

  return {
    async make(signal) {
      if (running) throw new AppError('backup.running', 'A backup is being made already');
      return makeNow(signal).catch((error) => {
        if (signal.aborted) throw new AppError('service.stopping', 'The service is stopping');
        fail(error);
        return failed('The backup failed')(error);
      });
    },
    list: (most) => list(most).catch(failed('The backups cannot be listed')),
    async tick(signal) {
      if (!isDue()) return;
      try {
        // The place knows best: an earlier process, or the command, may have made one.
        const [newest] = await list(1);
        if (newest) note(newest);
        if (everyMs !== null && isDue()) await makeNow(signal);
        if (failure) lookSoon();
      } catch (err) {
        if (signal.aborted) return;
        fail(err as Error);
        if (everyMs !== null) logger.warn({ err }, 'No backup was made: trying again');
      }
    },
    health() {
      if (failure) return { ok: false, detail: `the last one failed: ${failure.reason}` };
      const isOld = everyMs !== null && clock.now() - (newestAt ?? begunAt) > 2 * everyMs;
      return isOld
        ? { ok: false, detail: 'the newest one is older than it should be' }
        : { ok: true };
    },
  };
};
