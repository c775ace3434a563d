import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoSend, DemoTenant } from './steps.ts';

// A demo in a folder of its own goes on where it was: its secrets, its tenant, and the templates that its
// simulated provider has forgotten with its process.

/** What there is to show of a tenant. */
export interface Made {
  tenant: DemoTenant;
  sent: DemoSend;
  botId: string | undefined;
  /** As the simulated provider lists them. */
  templates: readonly Record<string, unknown>[];
}

export interface Kept<Secrets> {
  secrets: Secrets;
  /** Null until the tenant is made. */
  made: Made | null;
}

const fileIn = (folder: string): string => join(folder, 'demo.json');

/** What the folder holds; undefined for a new one. */
export const readKept = <Secrets>(folder: string): Kept<Secrets> | undefined => {
  const file = fileIn(folder);
  if (!existsSync(file)) return undefined;
  const kept: Kept<Secrets> = JSON.parse(readFileSync(file, 'utf8'));
  if (kept.made) return kept;
  throw new Error(`the demo in ${folder} was stopped while it began: remove the folder`);
};

/** Only the user may read the secrets. */
export const keep = <Secrets>(folder: string, kept: Kept<Secrets>): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(fileIn(folder), JSON.stringify(kept), { mode: 0o600 });
};
