import { expect } from 'chai';
import { accountEvents, LimitsSet, PlanAssigned, WalletMoved } from '../../src/events/account.ts';
import { type AccountDocument, accounts, usageAt } from '../../src/projections/accounts.ts';
import { noUsage } from '../../src/shared/usage.ts';
import { given } from '../support/projections.ts';
import {
  counted,
  granted,
  opened,
  positionAt,
  refunded,
  reserved,
  type Written,
  written,
} from '../support/projections-facts.ts';
import { NOW } from '../support/samples.ts';

const history = given(accounts);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('accounts', () => {
  it('reaches the end of its stream with every event there: verify compares the two', () => {
    const types = accountEvents.map(({ type }) => type);
    expect(types.filter((type) => !Object.hasOwn(accounts.on, type))).to.deep.equal([]);
  });

  it('shows an account as it was opened', () =>
    history(opened('acc_1')).thenIs('acc_1', {
      id: 'acc_1',
      organisationId: 'org_1',
      name: 'Account acc_1',
      planId: 'standard',
      billing: 'credits',
      currency: 'USD',
      balance: 0,
      limits: { perMinute: null, daily: null, monthly: null, paused: false },
      freeWrites: [],
      pausedFor: null,
      balanceLow: null,
      strict: false,
      directSend: 'off',
      timeZone: 'UTC',
      quietHours: null,
      contentRetentionMonths: null,
      retainedSince: null,
      usage: noUsage,
      revision: 0,
      createdAt: '2026-11-21T12:00:00.000Z',
      order: positionAt(0),
    }));

  it('follows the balance and the revision through every movement', () => {
    const movements: Written[] = [
      opened('acc_1'),
      granted('acc_1', { amount: 10, balanceAfter: 10 }),
      reserved('acc_1', { revision: 2, amount: -3, balanceAfter: 7 }),
      refunded('acc_1', { revision: 3, of: 2, amount: 3, balanceAfter: 10 }),
    ];
    for (const [revision, balance] of [0, 10, 7, 10].entries()) {
      const seen = history(...movements.slice(0, revision + 1));
      seen.thenShows('acc_1', { revision, balance });
    }
  });

  it('follows a wallet', () =>
    history(
      opened('acc_1', { billing: 'wallet' }),
      written(
        'account-acc_1',
        WalletMoved.of({
          accountId: 'acc_1',
          entryId: 'led_1',
          amount: 25_000_000,
          balanceAfter: 25_000_000,
          at: '2026-11-21T12:00:00.000Z',
          sequence: 1,
          previousHash: '0',
          hash: '1',
          kind: 'top_up',
          reason: null,
          grantedBy: null,
        }),
      ),
    ).thenShows('acc_1', { balance: 25_000_000, billing: 'wallet', revision: 1 }));

  it('takes over a new plan and new caps', () => {
    const accountId = 'acc_1';
    const limits = { perMinute: 10, daily: null, monthly: 1000, paused: true };
    const terms = { planId: 'gold', billing: 'wallet', currency: 'EUR' } as const;
    history(
      opened(accountId),
      written('account-acc_1', PlanAssigned.of({ accountId, ...terms })),
      written('account-acc_1', LimitsSet.of({ accountId, ...limits })),
    ).thenShows(accountId, { ...terms, limits, revision: 2 });
  });

  it('keeps accounts apart', () => {
    const both = history(opened('acc_1'), opened('acc_2'), granted('acc_2'));
    both.thenShows('acc_1', { balance: 0, revision: 0 });
    both.thenShows('acc_2', { balance: 100, revision: 1, order: positionAt(1) });
  });
});

describe('the usage of an account', () => {
  const accountAfter = (...facts: readonly Written[]): AccountDocument =>
    history(opened('acc_1'), ...facts).document('acc_1')!;
  const send = (revision: number, at: number) => reserved('acc_1', { revision }, at);
  const takeBack = (of: number, reservedAt: number, at: number) =>
    refunded('acc_1', { revision: 90 + of, of, reservedAt }, at);

  it('is nothing before the first send', () =>
    expect(usageAt(accountAfter(), NOW)).to.deep.equal({ minute: 0, day: 0, month: 0 }));

  it('counts the last minute, the UTC day and the UTC month', () => {
    const account = accountAfter(send(1, NOW), send(2, NOW + 500), send(3, NOW + 30 * SECOND));
    expect(usageAt(account, NOW + 30 * SECOND)).to.deep.equal({ minute: 3, day: 3, month: 3 });
    expect(usageAt(account, NOW + 75 * SECOND)).to.deep.equal({ minute: 1, day: 3, month: 3 });
    expect(usageAt(account, NOW + 5 * MINUTE)).to.deep.equal({ minute: 0, day: 3, month: 3 });
    expect(usageAt(account, NOW + DAY)).to.deep.equal({ minute: 0, day: 0, month: 3 });
    expect(usageAt(account, NOW + 20 * DAY)).to.deep.equal({ minute: 0, day: 0, month: 0 });
  });

  it('counts for a whole minute, and at most for a second more', () => {
    const account = accountAfter(send(1, NOW + 900));
    expect(usageAt(account, NOW + 900 + 59_999).minute).to.equal(1);
    expect(usageAt(account, NOW + 900 + 61_000).minute).to.equal(0);
  });

  it('begins again with the UTC day and month', () => {
    const eve = Date.parse('2026-11-30T23:59:59.900Z');
    const account = accountAfter(send(1, eve), send(2, eve + 50), send(3, eve + 200));
    expect(usageAt(account, eve + 200)).to.deep.equal({ minute: 3, day: 1, month: 1 });
    expect(usageAt(account, eve + 50)).to.deep.equal({ minute: 3, day: 2, month: 2 });
  });

  it('takes a refunded send out again, from when it was reserved', () => {
    const later = NOW + SECOND;
    const account = accountAfter(send(1, NOW), send(2, later), takeBack(1, NOW, later + SECOND));
    expect(usageAt(account, NOW + 2 * SECOND)).to.deep.equal({ minute: 1, day: 1, month: 1 });
    expect(account.usage.recent).to.deep.equal([[NOW / SECOND + 1, 1]]);
  });

  describe('takes a refunded send back in, once it is known that it went out', () => {
    const shownAfter = (reservedAt: number, at: number) => {
      const refund = [send(1, reservedAt), takeBack(1, reservedAt, reservedAt)];
      const account = accountAfter(...refund, counted('acc_1', { of: 1, reservedAt }, at));
      expect(account.revision).to.equal(3);
      return usageAt(account, at);
    };

    it('in the minute, the day and the month of its reservation', () => {
      expect(shownAfter(NOW, NOW + 59 * SECOND)).to.deep.equal({ minute: 1, day: 1, month: 1 });
      expect(shownAfter(NOW, NOW + 2 * MINUTE)).to.deep.equal({ minute: 0, day: 1, month: 1 });
    });

    it('in the month alone when the day is over', () =>
      expect(shownAfter(NOW, NOW + DAY)).to.deep.equal({ minute: 0, day: 0, month: 1 }));

    it('in the day and month of its reservation when the clock was set back', () => {
      const midnight = Date.parse('2026-12-01T00:00:00.000Z');
      const late = [send(1, midnight), takeBack(1, midnight, midnight)];
      const back = counted('acc_1', { of: 1, reservedAt: midnight }, midnight - SECOND);
      const { day, month } = usageAt(accountAfter(...late, back), midnight);
      expect([day, month]).to.deep.equal([1, 1]);
    });

    it('and leaves the sends of the last minute where they are', () => {
      const facts = [send(1, NOW), takeBack(1, NOW, NOW), send(2, NOW + 61 * SECOND)];
      for (const at of [NOW + 60 * SECOND, NOW + 5 * MINUTE]) {
        const recent = [send(3, at - SECOND), counted('acc_1', { of: 1, reservedAt: NOW }, at)];
        const { usage } = accountAfter(...facts, ...recent);
        expect(usage.recent).to.deep.include([(at - SECOND) / SECOND, 1]);
      }
    });
  });

  it('takes nothing out of a later day for a send of an earlier one', () => {
    const account = accountAfter(
      send(1, NOW - DAY),
      send(2, NOW),
      takeBack(1, NOW - DAY, NOW + SECOND),
      takeBack(1, NOW - 30 * DAY, NOW + SECOND),
    );
    expect(usageAt(account, NOW + SECOND)).to.deep.equal({ minute: 1, day: 1, month: 1 });
  });

  it('never grows beyond a minute of seconds', () => {
    const seconds = Array.from({ length: 200 }, (_, second) => second);
    const account = accountAfter(...seconds.map((one) => send(one + 1, NOW + one * SECOND)));
    expect(account.usage.recent).to.have.length(61);
    const all = { minute: 61, day: 200, month: 200 };
    expect(usageAt(account, NOW + 199 * SECOND)).to.deep.equal(all);
  });

  it('survives a clock that is set back', () => {
    const little = [send(1, NOW), send(2, NOW - 10 * SECOND)];
    expect(usageAt(accountAfter(...little), NOW - 10 * SECOND).minute).to.equal(2);
    const account = accountAfter(...little, send(3, NOW - HOUR), send(4, NOW - HOUR + 5 * SECOND));
    const ago = account.usage.recent.map(([second]) => NOW / SECOND - second);
    expect(ago).to.deep.equal([3600, 3595]);
    expect(usageAt(account, NOW).day).to.equal(4);
    expect(usageAt(account, NOW - HOUR + 5 * SECOND).minute, 'none of the future').to.equal(2);
  });

  it('continues the counts of the day and the month that a clock is set back to', () => {
    const midnight = Date.parse('2026-12-01T00:00:00.000Z');
    const account = accountAfter(
      send(1, midnight - 2),
      send(2, midnight + 1),
      send(3, midnight - 1),
      send(4, midnight + 2),
      takeBack(1, midnight - 2, midnight + 3),
    );
    expect(usageAt(account, midnight - 1)).to.deep.equal({ minute: 3, day: 1, month: 1 });
    expect(usageAt(account, midnight)).to.deep.equal({ minute: 3, day: 2, month: 2 });
  });
});
