import { expect } from 'chai';
import { createDeliveryRefunds } from '../../../src/commands/account/delivery-refunds.ts';
import { createStuckRefunds } from '../../../src/commands/account/stuck-refunds.ts';
import type { ReservedCharge } from '../../../src/events/completed.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { type Recorded, StoreUnavailable } from '../../../src/events/store.ts';
import { react } from '../../support/react.ts';
import { price, sentRecord, statusRecord } from '../../support/samples.ts';
import { until } from '../../support/until.ts';

const AT = '2026-11-21T12:00:00.000Z';
const ACCOUNT = 'acc_1';

const sent = () => ({
  type: 'MessageSent',
  data: sentRecord({ accountId: ACCOUNT, chargeId: 'c' }),
});
/** Of a message with a record it does not name the charge. */
const status = (word: string) => ({
  type: 'StatusUpdated',
  data: statusRecord({ messageId: 'wamid.1', accountId: ACCOUNT, status: word }),
});
const of = { chargeId: 'c', amount: -3, reason: 'order_shipped' };
const charge = (change: object = {}) =>
  ({
    revision: 7,
    data: { ...of, accountId: ACCOUNT, at: AT, price: price(change) },
  }) as unknown as ReservedCharge;

/** A message's stream, and what is refunded after each of its events. */
const open = (
  facts: readonly { type: string; data: object }[],
  failures: Error[] = [],
  charged: ReservedCharge | undefined = charge(),
) => {
  const events = facts.map((fact, revision) => {
    const place = { stream: 'message-wamid.1', revision, position: `${revision}` };
    const meta = { at: AT, requestId: `r${revision}` };
    return { ...fact, id: `e${revision}`, version: 1, ...place, meta } as unknown as Recorded;
  });
  const refunded: unknown[] = [];
  const told: string[] = [];
  const failed: unknown[] = [];
  const stuck = createStuckRefunds(({ accountId, chargeId }) =>
    told.push(`${accountId} ${chargeId}`),
  );
  const reactor = createDeliveryRefunds({
    stuck,
    store: {
      read: async (_, { limit = 1000 } = {}) => events.slice(0, limit),
      readAll: async (after) => ({ events: [], to: after }),
    },
    refunds: {
      find: async () => charged,
      async refund(...what) {
        const failure = failures.shift();
        if (failure) throw failure;
        refunded.push(what);
        return true;
      },
    },
    onFailure: (error) => failed.push(error),
  });
  const show = (revision: number) => react(reactor, events[revision] as KnownEvent);
  const end = async () => {
    for (let at = 0; at < events.length; at += 1) await (await show(at))?.settled;
    await reactor.drain?.();
    return refunded;
  };
  return { reactor, refunded, told, failed, stuck, show, end };
};

describe('a message that fails after it was taken', () => {
  it('is refunded, for the reason of its charge', async () => {
    const reservation = { ...of, price: price(), reservedAt: AT, unrefundedRevision: 7 };
    const context = { requestId: 'r1', accountId: ACCOUNT, cause: 'e1' };
    const refund = [ACCOUNT, reservation, 'delivery_failed', context];
    expect(await open([sent(), status('failed')]).end()).to.deep.equal([refund]);
  });

  const cases: [string, { type: string; data: object }[], number][] = [
    ['is refunded at its record where the failure came before', [status('failed'), sent()], 1],
    ['is not refunded before it has a record', [status('failed')], 0],
    ['stays charged where it was delivered', [sent(), status('delivered'), status('failed')], 0],
    ['is not taken back by what comes later', [sent(), status('failed'), status('read')], 1],
    ['stays charged while it has not failed', [sent(), status('sent'), status('delivered')], 0],
  ];
  for (const [what, facts, count] of cases) {
    it(what, async () => {
      expect(await open(facts).end()).to.have.length(count);
    });
  }

  const failing = [sent(), status('failed')];

  it('stays charged where its plan refunds no failures', async () => {
    expect(await open(failing, [], charge({ refundOnFailure: false })).end()).to.deep.equal([]);
  });

  it('is retried, and counts as stuck until it is refunded', async () => {
    const failures = [new Error('broken'), new Error('broken')];
    const { show, told, stuck, refunded, failed, reactor } = open(failing, failures);
    const settled = (await show(1))?.settled;
    await until('the first failure', () => told.length === 1);
    expect([told, reactor.failing?.()]).to.deep.equal([['acc_1 c'], null]);
    await settled;
    expect([refunded.length, failed.length]).to.deep.equal([1, 0]);
    expect(stuck.counts().size).to.equal(0);
    await reactor.drain?.();
  });

  it('is retried while the log is unavailable, which is reported once', async () => {
    const failures = [new StoreUnavailable('away'), new StoreUnavailable('away')];
    const { show, told, failed, reactor } = open(failing, failures);
    const settled = (await show(1))?.settled;
    await until('the first failure', () => failed.length === 1);
    expect(reactor.failing?.()).to.equal('away');
    await settled;
    expect([reactor.failing?.(), failed.length, told]).to.deep.equal([null, 1, []]);
    await reactor.drain?.();
  });

  it('is left open by a stop, so that the next start tries again', async () => {
    const failures = Array.from({ length: 99 }, () => new StoreUnavailable('away'));
    const { show, failed, reactor } = open(failing, failures);
    let isSettled = false;
    void (await show(1))?.settled.then(() => {
      isSettled = true;
    });
    await until('the first failure', () => failed.length === 1);
    await reactor.drain?.();
    await new Promise(setImmediate);
    expect([isSettled, reactor.failing?.()]).to.deep.equal([false, null]);
  });

  it('asks for records that come late, and for every status', () => {
    // The name under which its checkpoint is kept.
    expect(open([]).reactor.name).to.equal('delivery-refunds');
    expect(Object.keys(open([]).reactor.on)).to.deep.equal(['MessageSent', 'StatusUpdated']);
    expect(open([]).reactor.from).to.deep.equal({ MessageSent: 1 });
  });
});
