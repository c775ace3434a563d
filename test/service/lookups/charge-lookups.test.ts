import { expect } from 'chai';
import { createReader, NotReached } from '../../../src/projections/engine/reader.ts';
import { messages } from '../../../src/projections/messages.ts';
import { type Views, ViewsUnavailable } from '../../../src/projections/views.ts';
import { createChargeLookups } from '../../../src/service/lookups/lookups.ts';
import { fixedClock } from '../../support/ambient.ts';

const HEAD = '0000000000000009';
const current = `messages_v${messages.version}_1`;

/** Views whose one collection of each projection has been filled up to there. */
const viewsWith = (change: { collection?: string; checkpoint?: string }) => {
  const { collection = current, checkpoint = HEAD } = change;
  const asked: string[] = [];
  const views = {
    live: async () => ({
      messages: collection,
      reservations: 'reservations_v2_1',
      chargeclaims: 'chargeclaims_v1_1',
    }),
    checkpoints: async () => ({
      [collection]: [checkpoint],
      reservations_v2_1: [checkpoint],
      chargeclaims_v1_1: [checkpoint],
    }),
    find: async (name: string) => {
      asked.push(name);
      return [{ id: 'ref.1', position: HEAD, document: { messageRef: 'ref.1' } }];
    },
  } as unknown as Views;
  // Reached at once, as of a projection that is halted: it is not waited for.
  const local = {
    running: () => true,
    serving: (name: string) => (name === 'messages' ? collection : `${name}_v2_1`),
    reached: async () => undefined,
    seen: () => undefined,
  };
  const store = { head: async () => HEAD, read: async () => [] };
  const reader = createReader({ views, clock: fixedClock(), local });
  return { lookups: createChargeLookups({ store, reader }), asked, reader, store };
};

describe('the outcome of a charge', () => {
  it('comes from read models that have seen the whole log', async () => {
    const { lookups } = viewsWith({});
    expect(await lookups.messageOfCharge('acc_1', 'chg_1')).to.equal('ref.1');
  });

  it('is unknown while they lag, are halted or have an older version', async () => {
    for (const change of [{ checkpoint: '0000000000000008' }, { collection: 'messages_v1_7' }]) {
      const { lookups, asked } = viewsWith(change);
      expect(await lookups.messageOfCharge('acc_1', 'chg_1')).to.equal(null);
      expect(asked).to.deep.equal([]);
    }
    const { reader, store } = viewsWith({});
    const late = async () => {
      throw new NotReached(['messages'], HEAD);
    };
    const waiting = createChargeLookups({ store, reader: { ...reader, reached: late } });
    expect(await waiting.messageOfCharge('acc_1', 'chg_1')).to.equal(null);
  });

  it('is unknown for reservations and claims while the read models lag', async () => {
    const { lookups, asked } = viewsWith({ checkpoint: '0000000000000008' });
    const questions = [
      () => lookups.openReservations('2026-11-21T12:00:00.000Z', 20),
      () => lookups.openCharges('acc_1'),
      () => lookups.chargeClaims({ chargeId: 'chg_1', limit: 20 }),
    ];
    for (const ask of questions) {
      const error = await ask().catch((caught: unknown) => caught);
      expect(error).to.be.instanceOf(ViewsUnavailable);
    }
    expect(asked).to.deep.equal([]);
  });
});
