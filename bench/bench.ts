import { rmSync } from 'node:fs';
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

/** The options of the command line. */
export interface Options {
  /** Rounds of each scenario; absent: the scenario's own number. */
  rounds: number | undefined;
  /** Length of each load. */
  seconds: number;
  /** Messages of the account with a long history. */
  messages: number;
  /** Length of the load of the memory scenario. */
  minutes: number;
  /** Messages of the disk scenario. */
  sends: number;
  /** Directory for CPU profiles of the service. */
  profile: string | undefined;
  /** A checkout of an earlier commit, with its packages installed, that a send is compared with. */
  against: string | undefined;
}

/** A data directory with a long log and complete read models. */
export interface History {
  directory: string;
  events: number;
  messages: number;
  /** The account that has sent all messages, and one that has sent none. */
  busy: Tenant;
  fresh: Tenant;
  /** Time in which all read models were filled, and what it took of the processor. */
  foldMs: number;
  foldCpuMs: number;
}

/** Of a long history. */
const CONTACTS = 50_000;

/** The context of a scenario, which ends its programs and removes its files. */
export interface Bench extends Pick<Report, 'row'> {
  options: Options;
  rounds(otherwise: number): number;
  say(line?: string): void;
  folder(): string;
  /** A log with a long history, of `--messages` to 50,000 contacts, written once and shared. */
  history(messages?: number, contacts?: number): Promise<History>;
  start(
    file: string,
    parameters?: readonly (string | number)[],
    options?: Pick<StartOptions, 'env' | 'checkout'>,
  ): Promise<Started>;
}

/** Measurements that belong together. */
export interface Scenario {
  name: string;
  /** The ids of its measurements. */
  ids: readonly string[];
  about: string;
  /** Takes long, and runs only when it is named. */
  isLong?: true;
  run(bench: Bench): Promise<void>;
}

/** Its `tidy` ends programs and removes files in the reverse order of their creation. */
export const createBench = (
  options: Options,
  report: Report,
  say: Bench['say'],
  history: (bench: Bench, messages: number, contacts: number) => Promise<History>,
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
    history: (messages = options.messages, contacts = CONTACTS) =>
      history(bench, messages, contacts),
    folder() {
      const { path } = temporaryFolder();
      folders.push(path);
      return path;
    },
    start(file, parameters = [], { env = {}, checkout } = {}) {
      const profile = file === 'waybill.ts' && !checkout ? options.profile : undefined;
      const onForked = (one: Forked) => void forked.push(one);
      return startProgram(file, parameters, { env, profile, checkout, onForked });
    },
    async tidy() {
      for (const one of forked.splice(0).reverse()) await stopProgram(one);
      removeFolders();
    },
    async kill() {
      // A dying program may still write.
      await Promise.all(forked.splice(0).map(killProgram));
      removeFolders();
    },
  };
  return bench;
};

export const CONNECTIONS = 64;

/** The service and its provider, with a tenant without limits. */
export const startWaybill = async (
  bench: Bench,
  { latencyMs = 0, env = {} }: { latencyMs?: number; env?: Record<string, string> } = {},
): Promise<{ provider: Started; waybill: Started; directory: string; tenant: Tenant }> => {
  const directory = bench.folder();
  const provider = await bench.start('provider.ts', [latencyMs]);
  const waybill = await bench.start('waybill.ts', [provider.url, directory], { env });
  return { provider, waybill, directory, tenant: await openTenant(waybill.url) };
};
