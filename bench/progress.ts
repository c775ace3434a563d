import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 5;

export interface Progress {
  /** Events in the log, and how many of them all read models have seen. */
  now(): { appended: number; seen: number };
  /** For each poll of the log, the time in ms until all read models had seen its events. */
  lags(): readonly number[];
  /** For each poll, the events in the log that some read model had not seen. */
  behind(): readonly number[];
  /** The time in ms until all read models have seen what is in the log now. */
  caughtUp(): Promise<number>;
  stop(): void;
}

/**
 * Polls the files of a running service from outside: a request that waits for the read models would
 * speed them up.
 */
export const watchProgress = (directory: string): Progress => {
  const open = (name: string) => new DatabaseSync(join(directory, name), { readOnly: true });
  const [log, views] = [open('events.db'), open('views.db')];
  const head = log.prepare('SELECT max(position) AS position FROM events');
  const served = views.prepare(
    'SELECT min(position) AS position FROM _collections JOIN _live ON collection = name',
  );
  const lags: number[] = [];
  const behind: number[] = [];
  const waiting: { position: number; at: number }[] = [];
  const now = () => ({
    appended: Number(head.get()?.position ?? 0),
    seen: Number(served.get()?.position ?? 0),
  });
  let newest = now().appended;
  const look = () => {
    const { appended, seen } = now();
    const at = performance.now();
    behind.push(appended - seen);
    while (waiting[0] && waiting[0].position <= seen) lags.push(at - waiting.shift()!.at);
    if (appended > newest) waiting.push({ position: appended, at });
    newest = appended;
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    now,
    lags: () => lags,
    behind: () => behind,
    async caughtUp() {
      const startedAt = performance.now();
      const { appended } = now();
      while (now().seen < appended) await pause(LOOK_MS);
      const tookMs = performance.now() - startedAt;
      look();
      return tookMs;
    },
    stop() {
      clearInterval(timer);
      log.close();
      views.close();
    },
  };
};
