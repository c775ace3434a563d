import { createLists, type Lists, type ListsOptions } from '../../projections/engine/lists.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Metrics } from '../ops/metrics.ts';

/** Lists that count and log their refusals. */
export const createObservedLists = ({
  metrics,
  logger,
  ...options
}: Omit<ListsOptions, 'onRefused'> & { metrics: Metrics; logger: Logger }): Lists => {
  const count = metrics.counter(
    'waybill_lists_refused_total',
    'Lists that were refused: `slow` (over 3 s) or `busy` (too many of one caller)',
    ['reason'],
  );
  return createLists({
    ...options,
    onRefused(owner, projection, reason) {
      count({ reason });
      logger.warn({ owner, projection, reason }, 'A list was refused');
    },
  });
};
