import type { StoredSeal } from '../../audit/seals/read-seals.ts';
import type { SealPlace } from '../../commands/seals/seals.ts';
import type { Metrics } from '../../http/ops/metrics.ts';
import type { Logger } from '../../shared/logger.ts';
import type { GrowingDelays } from '../../shared/retry.ts';

/** Pauses of the duty, in milliseconds. */
export interface SealingPauses {
  /** After the start, which a long log must not slow. */
  firstMs: number;
  everyMs: number;
  retry: GrowingDelays;
}

export const sealingPauses: SealingPauses = {
  firstMs: 30_000,
  everyMs: 60_000,
  retry: { minMs: 5_000, maxMs: 900_000 },
};

export type Step = 'seal' | 'witness' | SealPlace;

/** What this process knows of the seals. */
export interface SealingStatus {
  /** Null before the first seal, or where this process does not do the duty. */
  last: Pick<StoredSeal, 'number' | 'at'> | null;
  /** Steps that fail now, with the reason. */
  failing: Partial<Record<Step, string>>;
  /** The last seal at each place that is set. */
  delivered: Partial<Record<SealPlace, number>>;
}

/** Registers what operators watch. */
export const observeSeals = (
  { metrics, logger }: { metrics: Metrics; logger: Logger },
  now: SealingStatus,
) => {
  const failed = metrics.counter(
    'waybill_seal_failures_total',
    'Attempts to seal the ledger, or to deliver seals, that failed',
    ['step'],
  );
  const broken = metrics.counter(
    'waybill_broken_chains_total',
    'Hash chains that do not continue from their last seal: run `waybill ledger verify --seals <file> --key <key>`',
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
