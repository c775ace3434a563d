import { rmSync } from 'node:fs';
import { createHistory, type History } from './history.ts';
import type { Report } from './report.ts';
import {
  type Forked,
  killProgram,
  type Started,
  type StartOptions,
  startProgram,
  stopProgram,
  temporaryFolder,
} from './support.ts';
import { openTenant, type Tenant } from './tenant.ts';

/** What the command line said. */
export interface Options {
  /** Of each scenario its own number when absent. */
  rounds: number | undefined;
  /** Of each load. */
  seconds: number;
  /** Sent by the account with a long history. */
  messages: number;
  /** Of the load under which memory is watched. */
  minutes: number;
  /** A folder for profiles of the service's CPU time. */
  profile: string | undefined;
}

/** What a scenario is given. What it starts and makes is ended and removed for it. */
export interface Bench extends Pick<Report, 'row'> {
  options: Options;
  rounds(otherwise: number): number;
  say(line?: string): void;
  folder(): string;
  /** A log with a long history, made once and shared. */
  history(): Promise<History>;
  start(
    file: string,
    parameters?: readonly (string | number)[],
    options?: Pick<StartOptions, 'env'>,
  ): Promise<Started>;
}

/** Figures that are measured together. */
export interface Scenario {
  name: string;
  /** The ids of its figures. */
  ids: readonly string[];
  about: string;
  run(bench: Bench): Promise<void>;
}

/**
 * Ends and removes what was started and made through it, the last first. The history belongs to
 * the bench that is named, itself when none is.
 */
export const createBench = (
  options: Options,
  report: Report,
  say: Bench['say'],
  history?: Bench['history'],
): Bench & { tidy(): Promise<void>; kill(): Promise<void> } => {
  const forked: Forked[] = [];
  const folders: string[] = [];
  const removeFolders = () => {
    for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
  };
  const bench: ReturnType<typeof createBench> = {
    options,
    row: report.row,
    rounds: (otherwise) => options.rounds ?? otherwise,
    say,
    history: history ?? createHistory(() => bench),
    folder() {
      const { path } = temporaryFolder();
      folders.push(path);
      return path;
    },
    start(file, parameters = [], { env = {} } = {}) {
      const profile = file === 'waybill.ts' ? options.profile : undefined;
      const onForked = (one: Forked) => void forked.push(one);
      return startProgram(file, parameters, { env, profile, onForked });
    },
    async tidy() {
      for (const one of forked.splice(0).reverse()) await stopProgram(one);
      removeFolders();
    },
    async kill() {
      // One that still dies may still write.
      await Promise.all(forked.splice(0).map(killProgram));
      removeFolders();
    },
  };
  return bench;
};

export const CONNECTIONS = 64;

/** The service and what it sends through, with a tenant that nothing holds back. */
export const startWaybill = async (
  bench: Bench,
  { latencyMs = 0, env = {} }: { latencyMs?: number; env?: Record<string, string> } = {},
): Promise<{ provider: Started; waybill: Started; directory: string; tenant: Tenant }> => {
  const directory = bench.folder();
  const provider = await bench.start('provider.ts', [latencyMs]);
  const waybill = await bench.start('waybill.ts', [provider.url, directory], { env });
  return { provider, waybill, directory, tenant: await openTenant(waybill.url) };
};
