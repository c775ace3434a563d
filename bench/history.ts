import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionStatus } from '../src/projections/engine/status.ts';
import { fileIn } from '../src/projections/sqlite/views-reader.ts';
import type { Bench, History } from './bench.ts';
import { call } from './loads.ts';
import { measureOf, type Started, stopProgram, timed } from './support.ts';
import { ADMIN, openTenant } from './tenant.ts';

const POLL_MS = 50;

export const projectionsOf = async ({ url }: Started): Promise<ProjectionStatus[]> => {
  const path = `${url}/api/admin/v1/projections`;
  return (await call<{ projections: ProjectionStatus[] }>(path, ADMIN)).projections;
};

/** Resolves when every read model is served and has seen the whole log. */
export const settled = async (waybill: Started): Promise<void> => {
  for (;;) {
    const all = await projectionsOf(waybill);
    const halted = all.find(({ state }) => state === 'halted');
    if (halted) throw new Error(`${halted.name} halted: ${halted.error?.message}`);
    if (all.every(({ state, lag }) => state === 'live' && lag === 0)) return;
    await pause(POLL_MS);
  }
};

const perSecond = (count: number, ms: number) => `${Math.round((count / ms) * 1000)}/s`;

/** A data directory with one tenant. */
export const openHistoryless = async (bench: Bench, provider: Started) => {
  const directory = bench.folder();
  const waybill = await bench.start('waybill.ts', [provider.url, directory]);
  const tenant = await openTenant(waybill.url);
  await stopProgram(waybill);
  return { directory, tenant };
};

type Folded = Pick<History, 'foldMs' | 'foldCpuMs'>;
type Written = Omit<History, 'directory' | keyof Folded>;

const write = async (
  bench: Bench,
  directory: string,
  messages: number,
  contacts: number,
): Promise<Written> => {
  bench.say(`  writing a log of ${messages} messages, once for all scenarios`);
  const provider = await bench.start('provider.ts');
  const setUp = await bench.start('waybill.ts', [provider.url, directory]);
  const busy = await openTenant(setUp.url, 1);
  const fresh = await openTenant(setUp.url, 2);
  await stopProgram(setUp);
  await stopProgram(provider);

  const { accountId, planId, phoneNumberId, wabaId } = busy;
  const written = await timed(() =>
    bench.start('seed.ts', [
      directory,
      accountId,
      planId,
      phoneNumberId,
      wabaId,
      messages,
      contacts,
    ]),
  );
  const events = written.value.message.events ?? 0;
  await stopProgram(written.value);
  bench.say(`  ${events} events, written at ${perSecond(events, written.ms)}`);
  return { events, messages, busy, fresh };
};

/** Fills all read models. */
const fold = async (bench: Bench, directory: string, events: number): Promise<Folded> => {
  // A run that was stopped may have filled half of them.
  const views = fileIn(directory);
  for (const file of [views, `${views}-wal`, `${views}-shm`]) rmSync(file, { force: true });
  const provider = await bench.start('provider.ts');
  const { ms, value: micros } = await timed(async () => {
    const waybill = await bench.start('waybill.ts', [provider.url, directory]);
    await settled(waybill);
    const { processMicros } = await measureOf(waybill);
    await stopProgram(waybill);
    return processMicros;
  });
  await stopProgram(provider);
  bench.say(`  ${events} events, folded into the read models at ${perSecond(events, ms)}`);
  return { foldMs: ms, foldCpuMs: micros / 1000 };
};

/** In the directory of a history: what of it is made. Missing for a log that is half written. */
const MADE = 'history.json';

const make = async (
  bench: Bench,
  directory: string,
  messages: number,
  contacts: number,
): Promise<History> => {
  const file = join(directory, MADE);
  const keep = <T extends Written>(made: T): T => {
    writeFileSync(file, JSON.stringify(made));
    return made;
  };
  const kept: Written | (Written & Folded) = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : keep(await write(bench, directory, messages, contacts));
  if ('foldCpuMs' in kept) return { directory, ...kept };
  return { directory, ...keep({ ...kept, ...(await fold(bench, directory, kept.events)) }) };
};

const folderIn = (keep: string, name: string): string => {
  const path = join(keep, name);
  if (!existsSync(join(path, MADE))) rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
};

/**
 * Each one is made at its first call, and outlives the scenario of that call; with a directory to keep
 * them in, also the run.
 */
export const createHistory = (
  keep?: string,
): ((bench: Bench, messages: number, contacts: number) => Promise<History>) => {
  const made = new Map<string, Promise<History>>();
  return (bench, messages, contacts) => {
    const name = `${messages}-messages-${contacts}-contacts`;
    const directoryOf = () => (keep === undefined ? bench.folder() : folderIn(keep, name));
    const one = made.get(name) ?? make(bench, directoryOf(), messages, contacts);
    made.set(name, one);
    return one;
  };
};
