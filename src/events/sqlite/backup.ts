import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sync } from '../../shared/files.ts';
import type { Position } from '../store.ts';
import { eventsFile } from './archive.ts';
import { lockDirectory } from './lock.ts';
import { openForReading } from './schema.ts';

/** Describes a backup, beside its copy of the log. */
export interface Manifest {
  format: 1;
  takenAt: string;
  /** Position of its newest event. */
  position: Position;
  events: number;
  /** Hash of the file, in hex. */
  sha256: string;
}

const manifestFile = (directory: string) => join(directory, 'manifest.json');

const sha256Of = async (file: string): Promise<string> => {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file)) digest.update(chunk);
  return digest.digest('hex');
};

const isEmpty = (directory: string): boolean =>
  !existsSync(directory) || readdirSync(directory).length === 0;

/**
 * Copies the log as it is at one moment, in one read transaction, which holds up no writer. A service
 * may write to the log meanwhile.
 */
export const backUp = async (data: string, out: string, takenAt: string): Promise<Manifest> => {
  const source = eventsFile(data);
  if (!existsSync(source)) throw new Error(`there is no event log in ${data}`);
  if (!isEmpty(out)) throw new Error(`${out} is not empty`);
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const copy = eventsFile(out);
  const database = openForReading(source);
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
  chmodSync(copy, 0o600);
  sync(copy);
  const copied = openForReading(copy);
  const counts = copied
    .prepare('SELECT count(*) AS events, max(position) AS position FROM events')
    .get();
  copied.close();
  const manifest: Manifest = {
    format: 1,
    takenAt,
    position: String(counts?.position ?? ''),
    events: Number(counts?.events ?? 0),
    sha256: await sha256Of(copy),
  };
  // Written last: a backup without a manifest is unfinished.
  writeFileSync(manifestFile(out), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  sync(manifestFile(out));
  sync(out);
  return manifest;
};

const readManifest = (from: string): Manifest => {
  try {
    return JSON.parse(readFileSync(manifestFile(from), 'utf8')) as Manifest;
  } catch (cause) {
    throw new Error(`${from} is no finished backup: its manifest cannot be read`, { cause });
  }
};

/** Throws for a directory that is in use or not empty. */
const refuseUsed = (data: string): void => {
  if (isEmpty(data)) return;
  if (existsSync(join(data, 'events.lock'))) lockDirectory(data).release();
  throw new Error(`${data} is not empty: restore into a new directory`);
};

/** Copies the log of a backup into an empty or new directory. */
export const restore = async (from: string, data: string): Promise<Manifest> => {
  const manifest = readManifest(from);
  if (manifest.format !== 1) throw new Error(`${from} is a backup of an unknown format`);
  if ((await sha256Of(eventsFile(from))) !== manifest.sha256) {
    throw new Error(`${from} is damaged: the log is not the one that was copied`);
  }
  refuseUsed(data);
  const { file, release } = lockDirectory(data);
  try {
    const partial = `${file}.partial`;
    copyFileSync(eventsFile(from), partial);
    chmodSync(partial, 0o600);
    sync(partial);
    renameSync(partial, file);
    sync(data);
  } finally {
    release();
  }
  return manifest;
};
