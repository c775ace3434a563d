import { reservations } from '../../src/projections/reservations.ts';
import { given } from '../support/projections.ts';
import { positionAt, refunded, reserved, sent } from '../support/projections-facts.ts';
import { freePrice } from '../support/samples.ts';
import { customer } from '../support/subjects.ts';

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
      contactRef: customer.ref,
      event: 'order_shipped',
      clientReference: null,
      state: 'pending',
      revision: 0,
      reservedAt: '2026-11-21T12:00:00.000Z',
      createdAt: '2026-11-21T12:00:00.000Z',
      amount: -2,
      order: positionAt(0),
    });
    open.thenShows('chg_acc_1_4', { amount: 0, revision: 1 });
  });
  it('shows it no longer once the message is sent', () =>
    history(reserved('acc_1', { revision: 3 }), sent('m1', 'acc_1', { revision: 3 })).thenHas(0));
  for (const [cause, code, state] of [
    ['not_sent', 'SEND_FAILED', 'refused'],
    ['not_sent', 'PROVIDER_UNREACHABLE', 'unreachable'],
    ['not_sent', 'NO_PHONE', 'not_sent'],
    ['not_sent', undefined, 'not_sent'],
    ['not_sent', 'CALLER_GONE', 'disconnected'],
    ['unknown_outcome', 'OUTCOME_UNKNOWN', 'unknown'],
    ['disconnected', undefined, 'disconnected'],
    ['expired', undefined, 'swept'],
  ] as const) {
    it(`is ${state} once it is refunded for ${cause} with ${code}, and open no longer`, () =>
      history(
        reserved('acc_1', { revision: 3 }),
        refunded('acc_1', { revision: 4, of: 3, cause, ...(code && { failure: { code } }) }),
      ).thenShows('chg_acc_1_3', { state, reservedAt: null }));
  }
  it('shows no refund of a message that is recorded, before it or after', () => {
    const of = { revision: 4, of: 3, cause: 'unknown_outcome' } as const;
    const start = reserved('acc_1', { revision: 3 });
    const recovered = sent('m1', 'acc_1', { revision: 3 });
    history(start, refunded('acc_1', of), recovered).thenHas(0);
    history(start, recovered, refunded('acc_1', { ...of, cause: 'delivery_failed' })).thenHas(0);
  });
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
