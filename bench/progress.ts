import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOOK_MS = 5;

export interface Progress {
  /** Events in the log, and how many of them every read model has seen. */
  now(): { appended: number; seen: number };
  /** How long what the log held at each look took to be in every read model, so far, in ms. */
  lags(): readonly number[];
  stop(): void;
}

/**
 * Looks into the files of a running service from outside, so that nobody inside waits for the read
 * models and hurries them by that.
 */
export const watchProgress = (directory: string): Progress => {
  const open = (name: string) => new DatabaseSync(join(directory, name), { readOnly: true });
  const [log, views] = [open('events.db'), open('views.db')];
  const head = log.prepare('SELECT max(position) AS position FROM events');
  const served = views.prepare(
    'SELECT min(position) AS position FROM _collections JOIN _live ON collection = name',
  );
  const lags: number[] = [];
  const waiting: { position: number; at: number }[] = [];
  const now = () => ({
    appended: Number(head.get()?.position ?? 0),
    seen: Number(served.get()?.position ?? 0),
  });
  let newest = now().appended;
  const look = () => {
    const { appended, seen } = now();
    const at = performance.now();
    while (waiting[0] && waiting[0].position <= seen) lags.push(at - waiting.shift()!.at);
    if (appended > newest) waiting.push({ position: appended, at });
    newest = appended;
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    now,
    lags: () => lags,
    stop() {
      clearInterval(timer);
      log.close();
      views.close();
    },
  };
};
