import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { isOpen } from '../../../src/projections/reservations.ts';
import { temporaryFolder } from '../folder.ts';
import { until, untilTrue } from '../until.ts';
import type { Tenant, Waybill } from '../waybill.ts';
import { type Crashes, openCrashes, SWEPT_AFTER_MS } from './crash.ts';
import { CONTACT_PREFIX, CONTENT, startLoad, TROUBLED_PREFIX } from './load.ts';
import { type PowerCuts, preparePowerCuts } from './power-cut.ts';
import { seeded, shuffled } from './random.ts';
import { accessTokenOf } from './tenant.ts';

interface RoundsPlan {
  seed: number;
  kills: number;
  cuts: number;
  callers?: number;
}

export interface RoundsOutcome {
  kills: number;
  /** Fewer than planned where power cuts cannot be simulated. */
  cuts: number;
  /** Sends that were answered 2xx, each recipient of a batch by itself; replays do not count. */
  answeredSends: number;
  requests: number;
  problems: string[];
}

/** Answers that a process gives before its end, at most, and what passes after the last. */
const ANSWERS_MAX = 40;
const REST_MS_MAX = 20;
/** In some rounds the end comes at once, whatever has been answered. */
const AT_ONCE_CHANCE = 0.2;
const AT_ONCE_MS_MAX = 300;

const integrityOf = (directory: string): string[] =>
  ['events.db', 'views.db', 'keys.db'].flatMap((name) => {
    const database = new DatabaseSync(join(directory, name), { readOnly: true });
    const { integrity_check: verdict } = database.prepare('PRAGMA integrity_check').get()!;
    database.close();
    return verdict === 'ok' ? [] : [`${name} is damaged: ${verdict}`];
  });

/** What must be in no log line, wherever it stands in the output. */
const leaksIn = (output: string, tenants: readonly Tenant[]): string[] => {
  const secrets = tenants.flatMap((one) => [one.apiKey, accessTokenOf(one.phoneNumberId)]);
  const contents = [CONTENT, CONTACT_PREFIX, TROUBLED_PREFIX, 'AWB1'];
  return [...secrets, ...contents]
    .filter((word) => output.includes(word))
    .map((word) => `the log holds "${word.slice(0, 12)}…"`);
};

/** The provider has said all that it has to say, and every erasure is done. */
const hearAll = async ({ simulator }: Crashes, { admin }: Waybill) => {
  await untilTrue('the last statuses', async () => simulator.pending() === 0);
  for (const state of ['queued', 'running']) {
    await untilTrue(
      `no erasure is ${state}`,
      async () => (await admin('GET', `/erasures?state=${state}`)).body.erasures.length === 0,
    );
  }
};

/** Every reservation has its message or its refund. */
const sweepAll = ({ views, settled }: Waybill) =>
  untilTrue('the sweep', async () => {
    await settled();
    const { reservations } = await views.live();
    const order = { field: 'reservedAt', direction: 'ascending' as const };
    return (await views.find(reservations!, { where: isOpen, order, limit: 1 })).length === 0;
  });

const sentOf = ({ answers }: Crashes): number => {
  let sent = 0;
  for (const { status, path, headers, body } of answers) {
    if (status === null || status >= 300 || !path.includes('send')) continue;
    if (headers['idempotency-replayed'] === 'true') continue;
    sent += path.endsWith('/batch') ? body.sent : 1;
  }
  return sent;
};

/** One life of the process under load, and its end. Gives what it has written. */
const live = async (
  crashes: Crashes,
  tenants: readonly Tenant[],
  random: () => number,
  { callers, cuts, isFirst }: { callers: number; cuts: PowerCuts | undefined; isFirst: boolean },
): Promise<string> => {
  const env = { LOG_LEVEL: 'debug', ...cuts?.begin() };
  const child = await crashes.start({ env });
  const seeds = Array.from({ length: callers }, () => Math.floor(random() * 2 ** 31));
  const randomOf = (caller: number) => seeded(seeds[caller]!);
  const load = startLoad(crashes.call, tenants, { callers, randomOf });
  if (!isFirst && random() < AT_ONCE_CHANCE) await pause(random() * AT_ONCE_MS_MAX);
  else {
    // However few rounds there are, one has answers.
    const share = isFirst ? 1 : random();
    const enough = crashes.answered() + Math.ceil(share * ANSWERS_MAX);
    await until('answers under load', () => crashes.answered() >= enough);
    await pause(random() * REST_MS_MAX);
  }
  await child.kill();
  await load.stop();
  cuts?.cut(() => random() < 0.75);
  return child.output();
};

/** Kills and power cuts in a row on one directory, under load, and what is wrong after them. */
export const runRounds = async (
  { seed, kills, cuts: cutsWanted, callers = 12 }: RoundsPlan,
  onRound: (round: number) => void = () => undefined,
): Promise<RoundsOutcome> => {
  const random = seeded(seed);
  const workshop = temporaryFolder();
  const crashes = await openCrashes({ statuses: true });
  try {
    const powerCuts = preparePowerCuts(crashes.directory, workshop.path);
    const first = await crashes.start();
    const tenants = [
      await crashes.tenant({ credits: 1_000_000 }),
      await crashes.tenant({ wallet: '1000' }),
      await crashes.tenant({ credits: 40 }),
    ];
    // In peace: only then does it leave its compiled code to those that come after it.
    await first.stop();
    const cuts = powerCuts ? cutsWanted : 0;
    const ends = [...new Array(kills).fill('kill'), ...new Array(cuts).fill('cut')];
    const problems: string[] = [];
    for (const [round, end] of shuffled(ends, random).entries()) {
      onRound(round);
      const isFirst = round === 0;
      const how = { callers, cuts: end === 'cut' ? powerCuts : undefined, isFirst };
      const output = await live(crashes, tenants, random, how);
      problems.push(...leaksIn(output, tenants));
    }
    problems.push(
      ...(await crashes.inspect(0, (waybill) => hearAll(crashes, waybill), { mayBeOpen: true })),
      ...(await crashes.inspect(SWEPT_AFTER_MS, sweepAll)),
      ...integrityOf(crashes.directory),
    );
    const requests = crashes.answers.length;
    return { kills, cuts, answeredSends: sentOf(crashes), requests, problems };
  } finally {
    await crashes.close();
    workshop.remove();
  }
};
