import type { Metrics } from '../ops/metrics.ts';
import type { KeyContext } from './context.ts';
import { createInFlight } from './limits.ts';

/** Files of one key on their way at the same time. */
export const TRANSFERS_PER_KEY_MAX = 4;
/** Of one account, however many keys it has: a quarter of all. */
export const TRANSFERS_PER_ACCOUNT_MAX = 16;
const TRANSFERS_MAX = 64;

type Direction = 'upload' | 'download';

/** Bounds the files that are on their way. */
export interface Transfers {
  /** Counts a file until its response is over. Throws `service.busy` at the bounds. */
  begin(direction: Direction, context: Pick<KeyContext, 'key' | 'written'>): void;
}

export const createTransfers = (
  metrics: Pick<Metrics, 'gauge' | 'counter'>,
  totalMax = TRANSFERS_MAX,
): Transfers => {
  const ofKeys = createInFlight(TRANSFERS_PER_KEY_MAX);
  const ofAccounts = createInFlight(
    TRANSFERS_PER_ACCOUNT_MAX,
    totalMax,
    'Too many files of this account are on their way',
  );
  const counts: Record<Direction, number> = { upload: 0, download: 0 };
  metrics.gauge('waybill_media_transfers', 'Files that are on their way', ['direction'], () =>
    Object.entries(counts).map(([direction, value]) => ({ labels: { direction }, value })),
  );
  const countCut = metrics.counter(
    'waybill_media_cut_total',
    'Files whose connection ended before their end',
    ['direction'],
  );
  return {
    begin(direction, { key, written }) {
      const leaveKey = ofKeys.enter(key.keyId);
      let leaveAccount: () => void;
      try {
        leaveAccount = ofAccounts.enter(key.accountId);
      } catch (refusal) {
        leaveKey();
        throw refusal;
      }
      counts[direction] += 1;
      void written().then((isWritten) => {
        leaveKey();
        leaveAccount();
        counts[direction] -= 1;
        if (!isWritten) countCut({ direction });
      });
    },
  };
};
