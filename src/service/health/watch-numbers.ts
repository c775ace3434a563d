import type { Metrics } from '../../http/ops/metrics.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { type NumberDocument, numbers } from '../../projections/numbers.ts';
import { readWaitingSince, SILENT_AFTER_MS } from '../../projections/read-silence.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/logger.ts';

// Numbers that are dead though nothing fails.

const NUMBERS_PAGE = 500;
/** Readings of a process that has lost the duties go out of date. */
const READINGS_KEPT_MS = 3 * 60_000;

const SHOWN_BY = '; the process with `waybill_worker_duties` shows it, others 0';

/** Looks after all linked numbers. One process does it, with the duties. */
export const createNumberWatch = (deps: {
  reader: Pick<Reader, 'find'>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}) => {
  const { reader, clock, logger, metrics } = deps;
  /** A number with more messages than a look reads has waited since an earlier look. */
  let waiting = new Map<string, number>();
  let silent = new Set<string>();
  let unsubscribed = new Set<string>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  const gauge = (name: string, help: string, count: () => number) =>
    metrics.gauge(name, help, [], () => [
      { value: clock.now() - lookedAt < READINGS_KEPT_MS ? count() : 0 },
    ]);
  gauge(
    'waybill_numbers_silent',
    `Numbers for whose accepted sends no status has come for 15 minutes${SHOWN_BY}`,
    () => silent.size,
  );
  gauge(
    'waybill_numbers_without_subscription',
    `Numbers whose business account sends nothing to the app${SHOWN_BY}`,
    () => unsubscribed.size,
  );

  async function* linkedNumbers() {
    let after: string | undefined;
    while (true) {
      const page: NumberDocument[] = await reader.find(numbers, {
        where: { linked: true, ...(after !== undefined && { order: { gt: after } }) },
        order: { field: 'order', direction: 'ascending' },
        limit: NUMBERS_PAGE,
      });
      yield* page;
      if (page.length < NUMBERS_PAGE) return;
      after = page.at(-1)!.order;
    }
  }

  return {
    async look(): Promise<void> {
      const seen = { waiting: new Map<string, number>(), silent: new Set<string>() };
      const refused = new Set<string>();
      for await (const { phoneNumberId, accountId, accessToken, subscribed } of linkedNumbers()) {
        if (accessToken === null) continue;
        const now = clock.now();
        const read = await readWaitingSince(reader, { accountId, phoneNumberId }, now);
        if (subscribed === false) refused.add(phoneNumberId);
        if (read === undefined) continue;
        const since = Math.min(read, waiting.get(phoneNumberId) ?? read);
        seen.waiting.set(phoneNumberId, since);
        if (now - since >= SILENT_AFTER_MS) seen.silent.add(phoneNumberId);
      }
      for (const phoneNumberId of seen.silent.difference(silent)) {
        logger.warn({ phoneNumberId }, 'A number is silent: no status comes for what it sends');
      }
      for (const phoneNumberId of refused.difference(unsubscribed)) {
        logger.warn({ phoneNumberId }, 'A number has no subscription: no notification comes');
      }
      ({ waiting, silent } = seen);
      unsubscribed = refused;
      lookedAt = clock.now();
    },
  };
};
