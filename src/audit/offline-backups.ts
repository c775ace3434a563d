import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backUp as copyOut, type Manifest } from '../events/sqlite/backup.ts';
import { holdDirectory } from '../events/sqlite/lock.ts';
import { backUpKeys, type KeysCopy } from '../keys/sqlite/backup.ts';
import { markBackup, stagingIn } from './backups/mark.ts';
import type { Place } from './backups/place.ts';
import { verifyUndamaged } from './offline.ts';
import type { Report } from './verify.ts';

// Backups in a place, by their time:
//
//   log/<time>/events.db
//   log/<time>/manifest.json     last: a backup without one is unfinished
//   keys/<time>/keys.db

/** A time as a name, such as `2026-11-26T21-00-00Z`. */
const nameOfTime = (milliseconds: number): string =>
  new Date(milliseconds)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');

const placeOf = (name: string) =>
  /^(log|keys)\/(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\/[\w.]+$/.exec(name)?.slice(1);

/** The finished backups of the log, the newest first. */
const backupsIn = (names: readonly string[]): string[] =>
  names
    .flatMap((name) => (name.endsWith('/manifest.json') ? (placeOf(name)?.[1] ?? []) : []))
    .sort()
    .reverse();

/** A finished backup, as its place tells of it. */
export type Backup = { name: string } & Manifest;

/** So many finished backups at most, the newest first. */
export const listBackups = async (place: Place, most: number): Promise<Backup[]> => {
  const backups: Backup[] = [];
  for (const name of backupsIn(await place.list()).slice(0, most)) {
    backups.push({ name, ...JSON.parse(await place.read(`log/${name}/manifest.json`)) });
  }
  return backups;
};

/**
 * Removes the oldest beyond `keep`, and what is left of earlier ones that broke off. The manifest of each
 * goes first: what is half removed is no backup.
 */
const prune = async (place: Place, isKept: (name: string, time: string) => boolean) => {
  for (const name of (await place.list()).sort().reverse()) {
    const [, time] = placeOf(name) ?? [];
    if (time !== undefined && !isKept(name, time)) await place.remove(name);
  }
};

export interface Taken {
  name: string;
  manifest: Manifest;
  report: Report;
  keys: KeysCopy;
}

/**
 * Copies the log and then the data keys of a data directory, verifies the copy, and puts both into their
 * places; then removes the oldest backups there, so that `keep` are left.
 */
export const takeBackup = async (
  data: string,
  places: { log: Place; keys: Place },
  { keep, at }: { keep: number; at: number },
): Promise<Taken> => {
  const name = nameOfTime(at);
  const staging = stagingIn(data);
  const log = join(staging, 'log');
  const { release } = holdDirectory(staging, 'unfinished backup');
  try {
    rmSync(log, { recursive: true, force: true });
    const manifest = await copyOut(data, log, new Date(at).toISOString());
    const keys = backUpKeys(data, join(staging, 'keys.db'));
    const report = await verifyUndamaged(log);
    if (!report.ok)
      throw new Error(`the copy of the log is not sound: waybill ledger verify --data`);
    await places.keys.put(`keys/${name}/keys.db`, keys.file);
    await places.log.put(`log/${name}/events.db`, join(log, 'events.db'));
    await places.log.put(`log/${name}/manifest.json`, join(log, 'manifest.json'));
    const kept = new Set(backupsIn(await places.log.list()).slice(0, keep));
    await prune(places.log, (file, time) => file.startsWith('keys/') || kept.has(time));
    await prune(places.keys, (file, time) => file.startsWith('log/') || kept.has(time));
    markBackup(data, at);
    return { name, manifest, report, keys };
  } finally {
    release();
    rmSync(staging, { recursive: true, force: true });
  }
};

/** Whether there are backups by their time; a directory may hold a single one of the log instead. */
export const isPlace = async (place: Place): Promise<boolean> =>
  backupsIn(await place.list()).length > 0;

/** A backup that was fetched; `remove` deletes it again. */
interface Fetched {
  name: string;
  log: string;
  keys: string;
  remove(): void;
}

/** Fetches the newest backup, or the one of this name, into a new directory below `below`. */
export const fetchBackup = async (
  places: { log: Place; keys: Place },
  below: string,
  asked?: string,
): Promise<Fetched> => {
  const found = backupsIn(await places.log.list());
  const [name] = asked === undefined ? found : found.filter((one) => one === asked);
  if (name === undefined) {
    const what = asked === undefined ? 'no finished backup' : `no finished backup ${asked}`;
    throw new Error(`there is ${what} there; ${found.length} others are`);
  }
  mkdirSync(below, { recursive: true });
  const directory = mkdtempSync(join(below, 'waybill-backup-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const log = join(directory, 'log');
    const keys = join(directory, 'keys.db');
    mkdirSync(log, { mode: 0o700 });
    for (const file of ['events.db', 'manifest.json']) {
      await places.log.get(`log/${name}/${file}`, join(log, file));
    }
    await places.keys.get(`keys/${name}/keys.db`, keys);
    return { name, log, keys, remove };
  } catch (error) {
    remove();
    throw error;
  }
};
