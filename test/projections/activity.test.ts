import { activity } from '../../src/projections/activity.ts';
import { given } from '../support/projections.ts';
import { refunded, refusedSends, reserved, status } from '../support/projections-facts.ts';

const history = given(activity);
const HOUR = '2026-11-21T12';

describe('activity', () => {
  it('counts sends, charges and refunds by cause, of an account and of all', () => {
    const seen = history(
      reserved('acc_1', { revision: 1, amount: -2 }),
      reserved('acc_1', { revision: 2, amount: -1 }),
      refunded('acc_1', { revision: 3, of: 1, amount: 2, cause: 'not_sent' }),
      reserved('acc_2', { revision: 1, amount: -1 }),
      refunded('acc_2', { revision: 2, of: 1, amount: 1, cause: 'expired' }),
    );
    seen.thenShows(`acc_1.${HOUR}.credits.USD`, {
      accountId: 'acc_1',
      hour: HOUR,
      sends: 2,
      charged: 3,
      refunds: { not_sent: { count: 1, amount: 2 } },
    });
    seen.thenShows(`all~16.${HOUR}.credits.USD`, {
      accountId: 'all',
      sends: 3,
      charged: 4,
      refunds: { not_sent: { count: 1, amount: 2 }, swept: { count: 1, amount: 1 } },
    });
  });

  it('counts what was refused before a charge by code', () => {
    const seen = history(
      refusedSends('acc_1', { code: 'CAP_DAILY', count: 3 }),
      refusedSends('acc_1', { code: 'CAP_DAILY', count: 2 }),
      refusedSends('acc_1', { code: 'WINDOW_CLOSED', count: 1 }),
    );
    seen.thenShows(`acc_1.${HOUR}.refused`, {
      accountId: 'acc_1',
      hour: HOUR,
      refused: { CAP_DAILY: 5, WINDOW_CLOSED: 1 },
    });
  });

  it('counts what failed after the provider had accepted it by its code, of an account and of all', () => {
    const at = Date.parse(`${HOUR}:30:00Z`);
    const seen = history(
      status('m1', 'failed', at, { code: '131026', message: 'no account there' }),
      status('m2', 'failed', at, { code: '131026', message: 'no account there' }),
      status('m3', 'failed', at),
      status('m4', 'delivered', at),
    );
    seen.thenShows(`acc_1.${HOUR}.failures`, {
      accountId: 'acc_1',
      hour: HOUR,
      failures: { 131026: 2, none: 1 },
    });
    seen.thenShows(`all~16.${HOUR}.failures`, {
      accountId: 'all',
      failures: { 131026: 2, none: 1 },
    });
  });
});
