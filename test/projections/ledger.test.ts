import { expect } from 'chai';
import { CreditsRevoked, WalletMoved } from '../../src/events/account.ts';
import { ledger } from '../../src/projections/ledger.ts';
import { given } from '../support/projections.ts';
import { granted, positionAt, refunded, reserved, written } from '../support/projections-facts.ts';
import { freePrice } from '../support/samples.ts';

const history = given(ledger);
const by = { id: 'adm_1', email: 'ops@example.com', name: 'Ops' };
const at = '2026-11-21T12:00:00.000Z';
const beside = { previousHash: '0', hash: 'h', grantedBy: by };
const link = { accountId: 'acc_1', at, sequence: 1, ...beside };

describe('ledger', () => {
  it('shows a send as a DEDUCT with its price', () =>
    history(reserved('acc_1', { revision: 4, amount: -1, balanceAfter: 99 })).thenIs(
      'led_acc_1_4',
      {
        id: 'led_acc_1_4',
        accountId: 'acc_1',
        amount: -1,
        balanceAfter: 99,
        type: 'DEDUCT',
        reason: 'order_shipped',
        category: 'UTILITY',
        countryCode: 'IN',
        providerCost: 1400,
        sellPrice: 1680,
        billing: 'credits',
        chargeId: 'chg_acc_1_4',
        createdAt: '2026-11-21T12:00:00.000Z',
        cause: null,
        grantedBy: null,
        position: positionAt(0),
        revision: 0,
        hash: '4'.padStart(64, 'f'),
        order: positionAt(0),
      },
    ));

  it('keeps both rows of a refunded send', () => {
    const rows = history(
      reserved('acc_1', { revision: 4 }),
      refunded('acc_1', { revision: 5, of: 4 }),
    );
    rows.thenHas(2);
    rows.thenShows('led_acc_1_4', { type: 'DEDUCT', amount: -1, chargeId: 'chg_acc_1_4' });
    rows.thenShows('led_acc_1_5', {
      type: 'REFUND',
      amount: 1,
      chargeId: 'chg_acc_1_4',
      reason: 'order_shipped',
      sellPrice: rows.document('led_acc_1_4')!.sellPrice,
    });
  });

  it('leaves no row for a message that costs nothing', () =>
    history(
      reserved('acc_1', { revision: 1, amount: 0, price: freePrice }),
      refunded('acc_1', { revision: 2, of: 1, amount: 0, price: freePrice }),
    ).thenHas(0));

  it('shows what an administrator grants and revokes', () => {
    const rows = history(
      granted('acc_1', { revision: 1, amount: 100 }),
      written(
        'account-acc_1',
        CreditsRevoked.of({
          ...link,
          entryId: 'led_acc_1_2',
          amount: -40,
          balanceAfter: 60,
          reason: null,
        }),
      ),
    );
    rows.thenShows('led_acc_1_1', {
      type: 'GRANT',
      amount: 100,
      category: null,
      chargeId: null,
      reason: 'Welcome',
      grantedBy: by,
      billing: 'credits',
    });
    rows.thenShows('led_acc_1_2', { type: 'REVOKE', amount: -40, balanceAfter: 60, reason: null });
  });

  it('shows a top-up as GRANT, and an adjustment by its sign', () => {
    const moved = (entryId: string, kind: 'top_up' | 'adjustment', amount: number) => {
      const change = { entryId, kind, amount, balanceAfter: 50_000_000, reason: 'why' };
      return written('account-acc_1', WalletMoved.of({ ...link, ...change }));
    };
    const rows = history(
      moved('a', 'top_up', 25_000_000),
      moved('b', 'adjustment', 1),
      moved('c', 'adjustment', -1),
    );
    const shown = ['a', 'b', 'c'].map((id) => {
      const { type, amount, billing } = rows.document(id)!;
      return [type, amount, billing];
    });
    expect(shown).to.deep.equal([
      ['GRANT', 25_000_000, 'wallet'],
      ['GRANT', 1, 'wallet'],
      ['REVOKE', -1, 'wallet'],
    ]);
  });
});
