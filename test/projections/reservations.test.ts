import { reservations } from '../../src/projections/reservations.ts';
import { given } from '../support/projections.ts';
import { positionAt, refunded, reserved, sent } from '../support/projections-facts.ts';
import { freePrice } from '../support/samples.ts';

const history = given(reservations);

describe('reservations', () => {
  it('shows one that is open, free or not', () => {
    const open = history(
      reserved('acc_1', { revision: 3, amount: -2 }),
      reserved('acc_1', { revision: 4, amount: 0, price: freePrice }),
    );
    open.thenIs('chg_acc_1_3', {
      chargeId: 'chg_acc_1_3',
      accountId: 'acc_1',
      revision: 0,
      reservedAt: '2026-11-21T12:00:00.000Z',
      amount: -2,
      order: positionAt(0),
    });
    open.thenShows('chg_acc_1_4', { amount: 0, revision: 1 });
  });
  it('shows it no longer once the message is sent', () =>
    history(reserved('acc_1', { revision: 3 }), sent('m1', 'acc_1', { revision: 3 })).thenHas(0));
  it('shows it no longer once it is refunded', () =>
    history(reserved('acc_1', { revision: 3 }), refunded('acc_1', { revision: 4, of: 3 })).thenHas(
      0,
    ));
  it('keeps the others', () => {
    const open = history(
      reserved('acc_1', { revision: 3 }),
      reserved('acc_2', { revision: 3 }),
      sent('m1', 'acc_1', { revision: 3 }),
      sent('m2', 'acc_9', { revision: 9 }),
    );
    open.thenHas(1);
    open.thenShows('chg_acc_2_3', { accountId: 'acc_2' });
  });
});
