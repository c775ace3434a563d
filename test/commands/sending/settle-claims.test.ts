import { expect } from 'chai';
import type { ChargeClaimRow, Lookups } from '../../../src/commands/core/lookups.ts';
import { createRecovery } from '../../../src/commands/sending/recovery.ts';
import type { ReservedCharge } from '../../../src/events/completed.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';

type Question = Parameters<Lookups['chargeClaims']>[0];

/** Claims that wait, of which each is looked at and left alone: none has a charge. */
const openClaims = (pageOf: (page: number) => number, onLook: (at: number) => void = () => {}) => {
  const questions: Question[] = [];
  const faults: unknown[] = [];
  const looked: string[] = [];
  let made = 0;
  const recovery = createRecovery({
    contacts: {} as never,
    subjects: {} as never,
    lookups: {
      messageOfCharge: async () => undefined,
      refundCauseOf: async () => undefined,
      async chargeClaims(question) {
        questions.push(question);
        return Array.from({ length: pageOf(questions.length) }, (): ChargeClaimRow => {
          made += 1;
          const [chargeId, messageRef] = [`charge-${made}`, `message-${made}`];
          return { chargeId, messageRef, reservedAt: `at-${made}` } as ChargeClaimRow;
        });
      },
    },
    refunds: {
      async find(chargeId) {
        looked.push(chargeId);
        onLook(looked.length);
        return undefined as ReservedCharge | undefined;
      },
      refund: async () => false,
      countSent: async () => undefined,
    },
    writer: { load: async () => ({ state: {}, revision: 0 }) } as never,
    sends: { mayBeUnderWay: async () => false },
    store: { read: async () => [] },
    deadLetters: {} as never,
    onFault: (...what) => faults.push(what),
  });
  return { recovery, questions, faults, looked };
};

describe('claims of charges that wait', () => {
  it('are looked at page by page, oldest first', async () => {
    const { recovery, questions, looked } = openClaims((page) => (page < 3 ? 50 : 49));
    await recovery.settleChargeClaims({ requestId: 'r' });
    expect(questions).to.deep.equal([
      { reservedAfter: '', limit: 50 },
      { reservedAfter: 'at-50', limit: 50 },
      { reservedAfter: 'at-100', limit: 50 },
    ]);
    expect(looked).to.have.length(149);
  });

  it('wait for the next run after 200 pages', async () => {
    const { recovery, questions } = openClaims(() => 50);
    await recovery.settleChargeClaims({ requestId: 'r' });
    expect(questions).to.have.length(200);
  });

  it('are left alone once the run is to stop', async () => {
    const stopping = new AbortController();
    const { recovery, looked } = openClaims(
      () => 50,
      (count) => {
        if (count === 7) stopping.abort();
      },
    );
    await recovery.settleChargeClaims({ requestId: 'r' }, stopping.signal);
    expect(looked).to.have.length(7);
  });

  it('do not hold up one another by a fault of their own, but wait for a store that is away', async () => {
    const { recovery, faults, looked } = openClaims(
      () => 3,
      (count) => {
        if (count === 2) throw new Error('bad');
        if (count === 6) throw new StoreUnavailable('away');
      },
    );
    await recovery.settleChargeClaims({ requestId: 'r' });
    expect(looked).to.have.length(3);
    expect(faults).to.have.length(1);
    expect((faults[0] as [string, Error])[0]).to.equal('charge-2');
    const again = await recovery.settleChargeClaims({ requestId: 'r' }).catch((error) => error);
    expect(again).to.be.instanceOf(StoreUnavailable);
    expect(faults).to.have.length(1);
  });
});
