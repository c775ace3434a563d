import { refunds } from '../../src/projections/refunds.ts';
import { given } from '../support/projections.ts';
import { counted, positionAt, refunded, reserved, sent } from '../support/projections-facts.ts';

const history = given(refunds);

describe('refunds', () => {
  it('shows a charge that was given back, and why', () =>
    history(
      reserved('acc_1', { revision: 3, amount: -2 }),
      refunded('acc_1', { revision: 4, of: 3, amount: 2, cause: 'disconnected' }),
    ).thenIs('chg_acc_1_3', {
      of: 'charge',
      id: 'chg_acc_1_3',
      accountId: 'acc_1',
      cause: 'disconnected',
      failure: null,
      state: 'disconnected',
      amount: 2,
      refundedAt: '2026-11-21T12:00:00.000Z',
      counted: true,
      order: positionAt(1),
    }));

  it('shows whether the message of a charge counts in the caps', () => {
    const start = [
      reserved('acc_1', { revision: 3 }),
      refunded('acc_1', { revision: 4, of: 3, cause: 'unknown_outcome' }),
    ];
    history(...start).thenShows('chg_acc_1_3', { counted: false });
    const later = history(...start, counted('acc_1', { of: 3 }));
    later.thenShows('chg_acc_1_3', { counted: true, cause: 'unknown_outcome' });
    later.thenIs('acc_1', { of: 'account', id: 'acc_1', revision: 2 });
  });

  it('shows how far the refunds of each account are known', () => {
    const known = history(
      reserved('acc_1', { revision: 3 }),
      refunded('acc_1', { revision: 4, of: 3 }),
      reserved('acc_1', { revision: 5 }),
      refunded('acc_2', { revision: 9, of: 3 }),
    );
    known.thenIs('acc_1', { of: 'account', id: 'acc_1', revision: 1 });
    known.thenIs('acc_2', { of: 'account', id: 'acc_2', revision: 0 });
  });

  it('shows nothing of charges that are kept', () =>
    history(reserved('acc_1', { revision: 3 }), sent('m1', 'acc_1', { revision: 3 })).thenHas(0));
});
