import { createProver, type Prover } from '../audit/seals/prover.ts';
import { lastSeal } from '../audit/seals/read-seals.ts';
import type { Seal } from '../audit/seals/seal.ts';
import { createSealer, type Sealer } from '../audit/seals/sealer.ts';
import { dayOf } from '../commands/account/evolve.ts';
import type { Outbound } from '../commands/core/outbound.ts';
import { type SealPlace, sealPlaceDecider } from '../commands/seals/seals.ts';
import { isoTime } from '../shared/clock.ts';
import { isRefusal } from '../shared/errors.ts';
import { createExclusive } from '../shared/exclusive.ts';
import { type GrowingDelays, retry } from '../shared/retry.ts';
import { deriveKey } from '../shared/secrets.ts';
import { pause } from '../shared/timing.ts';
import type { Background } from './background.ts';
import type { ServiceDeps } from './deps.ts';
import { createPlaces } from './seal-places.ts';
import type { Stores } from './stores.ts';

/** Pauses of the duty, in milliseconds. */
export interface SealingPauses {
  /** After the start, which a long log must not slow. */
  firstMs: number;
  everyMs: number;
  retry: GrowingDelays;
}

const pauses: SealingPauses = {
  firstMs: 30_000,
  everyMs: 60_000,
  retry: { minMs: 5_000, maxMs: 900_000 },
};

type Step = 'seal' | SealPlace;

/** What this process knows of the seals. */
export interface SealingStatus {
  /** Null before the first seal, or where this process does not do the duty. */
  last: Pick<Seal, 'number' | 'at'> | null;
  /** Steps that fail now, with the reason. */
  failing: Partial<Record<Step, string>>;
  /** The last seal at each place that is set. */
  delivered: Partial<Record<SealPlace, number>>;
}

export interface Sealing extends Pick<Sealer, 'signer'> {
  /** Seals now. */
  seal(): Promise<Seal | null>;
  prover: Prover;
  /** The last seal that is known to be at each place, by any process. */
  delivered(): Promise<Record<SealPlace, number>>;
  status(): SealingStatus;
  /** Seals once a UTC day, and delivers seals, until it is stopped. */
  start(): Background;
}

/** Registers what operators watch. */
const observe = (
  { metrics, logger }: Pick<Stores, 'metrics'> & ServiceDeps,
  now: SealingStatus,
) => {
  const failed = metrics.counter(
    'waybill_seal_failures_total',
    'Attempts to seal the ledger, or to deliver seals, that failed',
    ['step'],
  );
  const broken = metrics.counter(
    'waybill_broken_chains_total',
    'Hash chains that did not go on from the last seal',
    [],
  );
  metrics.gauge('waybill_seal_timestamp_seconds', 'Time of the last seal', [], () =>
    now.last ? [{ value: Date.parse(now.last.at) / 1000 }] : [],
  );
  metrics.gauge('waybill_seals_waiting', 'Seals that are not delivered yet', ['place'], () =>
    Object.entries(now.delivered).map(([place, number]) => ({
      labels: { place },
      value: (now.last?.number ?? 0) - number,
    })),
  );
  return {
    onBroken({ accountId, sequence }: { accountId: string; sequence: number }) {
      broken();
      const text = 'A hash chain does not go on from the last seal: run waybill ledger verify';
      logger.error({ accountId, sequence }, text);
    },
    onFailure(step: Step, reason: string) {
      // Logged once for each outage.
      if (now.failing[step] === undefined) {
        logger.warn({ step, reason }, 'The ledger cannot be sealed, or a seal delivered');
      }
      now.failing[step] = reason;
      failed({ step });
    },
  };
};

/** Wires seals: the duty, the command and the proofs. */
export const createSealing = (deps: ServiceDeps, stores: Stores, outbound: Outbound): Sealing => {
  const { clock, ids, settings, logger } = deps;
  const { log, writer, metrics } = stores;
  const { firstMs, everyMs, retry: delays } = { ...pauses, ...deps.bounds?.sealing };
  const now: SealingStatus = { last: null, failing: {}, delivered: {} };
  const { onBroken, onFailure } = observe({ ...deps, metrics }, now);
  const seed = settings.seals?.key ?? deriveKey(settings.secret, 'ledger-seal/v1');
  const sealer = createSealer({ log, writer, seed, clock, ids, onBroken });
  const places = createPlaces(deps, stores, outbound);
  const oneAtATime = createExclusive();

  const sealIfDue = async (signal: AbortSignal): Promise<void> => {
    const { last } = await lastSeal(log);
    const isDue = !last || dayOf(last.seal.at) !== dayOf(isoTime(clock.now()));
    const seal = isDue ? await oneAtATime(() => sealer.seal('daily', signal)) : last.seal;
    if (seal) now.last = { number: seal.number, at: seal.at };
  };

  const round = async (signal: AbortSignal): Promise<void> => {
    let failure: unknown;
    const attempt = async (step: Step, work: () => Promise<void>) => {
      try {
        await work();
        delete now.failing[step];
      } catch (error) {
        // Another process has sealed: the next round delivers it.
        if (signal.aborted || isRefusal(error, 'resource.conflict')) return;
        onFailure(step, (error as Error).message);
        failure = error;
      }
    };
    await attempt('seal', () => sealIfDue(signal));
    for (const place of ['file', 'url'] as const) {
      const deliver = places[place];
      if (!deliver) continue;
      now.delivered[place] ??= 0;
      if (now.last && now.delivered[place] === now.last.number) continue;
      await attempt(place, async () => {
        now.delivered[place] = await deliver((await lastSeal(log)).count, signal);
      });
    }
    if (failure !== undefined) throw failure;
  };

  return {
    signer: sealer.signer,
    seal: () => oneAtATime(() => sealer.seal('request')),
    prover: createProver(log),
    async delivered() {
      const numberOf = async (place: SealPlace) =>
        (await writer.load(sealPlaceDecider, place)).state;
      return { file: await numberOf('file'), url: await numberOf('url') };
    },
    status: () => now,
    start() {
      if (settings.seals?.key === null) {
        const text = 'WAYBILL_SEAL_KEY is not set: seals are signed by a key from WAYBILL_SECRET';
        logger.warn(text);
      }
      const stopping = new AbortController();
      const { signal } = stopping;
      const run = async () => {
        await pause(firstMs, signal);
        while (!signal.aborted) {
          await retry(() => round(signal), { delays, signal }).catch(() => undefined);
          await pause(everyMs, signal);
        }
      };
      const running = run();
      return {
        async stop() {
          stopping.abort();
          await running;
        },
      };
    },
  };
};
