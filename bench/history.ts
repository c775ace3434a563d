import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionStatus } from '../src/projections/engine/status.ts';
import type { Bench, History } from './bench.ts';
import { call } from './loads.ts';
import { type Started, stopProgram, timed } from './support.ts';
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

const make = async (bench: Bench, messages: number, contacts: number): Promise<History> => {
  bench.say(`  writing a log of ${messages} messages, once for all scenarios`);
  const directory = bench.folder();
  const provider = await bench.start('provider.ts');
  const setUp = await bench.start('waybill.ts', [provider.url, directory]);
  const busy = await openTenant(setUp.url, 1);
  const fresh = await openTenant(setUp.url, 2);
  await stopProgram(setUp);

  const { accountId, planId, phoneNumberId, wabaId } = busy;
  const written = await timed(() =>
    bench.start('seed.ts', [
      ...[directory, accountId, planId, phoneNumberId, wabaId],
      ...[messages, contacts],
    ]),
  );
  const events = written.value.message.events ?? 0;
  await stopProgram(written.value);
  const seen = await timed(async () => {
    const waybill = await bench.start('waybill.ts', [provider.url, directory]);
    await settled(waybill);
    await stopProgram(waybill);
  });
  await stopProgram(provider);
  bench.say(
    `  ${events} events, written at ${perSecond(events, written.ms)}, folded into the read models at ${perSecond(events, seen.ms)}`,
  );
  return { directory, events, messages, busy, fresh, foldMs: seen.ms };
};

/** Each one is written at its first call, and outlives the scenario of that call. */
export const createHistory = (): ((
  bench: Bench,
  messages: number,
  contacts: number,
) => Promise<History>) => {
  const made = new Map<string, Promise<History>>();
  return (bench, messages, contacts) => {
    const name = `${messages} to ${contacts}`;
    const one = made.get(name) ?? make(bench, messages, contacts);
    made.set(name, one);
    return one;
  };
};
