import { expect } from 'chai';
import { ALL_BUCKETS } from '../../../src/events/bucket.ts';
import { chargeclaims } from '../../../src/projections/charge-claims.ts';
import { createReader, NotReached } from '../../../src/projections/engine/reader.ts';
import { messages } from '../../../src/projections/messages.ts';
import { reservations } from '../../../src/projections/reservations.ts';
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
    reached: async () => 'all' as const,
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

  it('row 15: is unknown for the accounts of a halted partition alone', async () => {
    const account = (bucket: number) => `acc_${bucket.toString(16).padStart(32, '0')}`;
    const behind = '0000000000000008';
    const places = ALL_BUCKETS.map((bucket) => (bucket === 3 ? behind : HEAD));
    const versions = { messages, reservations, chargeclaims };
    const names = Object.entries(versions).map(([name, { version }]) => [
      name,
      `${name}_v${version}_1`,
    ]);
    /** Rows of accounts, those of the halted one first. */
    const rows = [3, 3, 3, 2, 5].map((bucket) => ({
      accountId: account(bucket),
      messageRef: 'ref',
    }));
    const views = {
      live: async () => Object.fromEntries(names),
      checkpoints: async () => Object.fromEntries(names.map(([_, one]) => [one, places])),
      find: async (_: string, { limit }: { limit: number }) =>
        rows.slice(0, limit).map((document) => ({ id: 'r', position: HEAD, document })),
    } as unknown as Views;
    const local = {
      running: () => true,
      serving: (name: string) => Object.fromEntries(names)[name],
      reached: async () => 'halted' as const,
    };
    const store = {
      head: async () => HEAD,
      read: async () => [],
      bucketEnds: async () => places.map(() => HEAD),
    };
    const reader = createReader({ views, clock: fixedClock(), local, store });
    const lookups = createChargeLookups({ store, reader });

    expect(await lookups.messageOfCharge(account(2), 'chg_1')).to.equal('ref');
    expect(await lookups.messageOfCharge(account(3), 'chg_1')).to.equal(null);
    expect(await lookups.openCharges(account(2))).to.include({ open: true });
    expect(
      await lookups.chargeClaims({ chargeId: 'c', accountId: account(2), limit: 1 }),
    ).to.have.length(1);
    for (const ask of [
      () => lookups.openCharges(account(3)),
      () => lookups.chargeClaims({ chargeId: 'c', accountId: account(3), limit: 1 }),
    ]) {
      expect(await ask().catch((error: unknown) => error)).to.be.instanceOf(ViewsUnavailable);
    }
    for (const limit of [1, 2, 3]) {
      const found = [
        await lookups.openReservations('2026-11-21T12:00:00.000Z', limit),
        await lookups.chargeClaims({ reservedAfter: '', limit }),
      ];
      for (const one of found as readonly (readonly { accountId?: string }[])[]) {
        const ids = one.map(({ accountId }) => accountId);
        expect(ids).to.deep.equal([2, 5].slice(0, limit).map(account));
      }
    }
  });

  it('is unknown for reservations and claims while the read models lag', async () => {
    const { lookups, asked } = viewsWith({ checkpoint: '0000000000000008' });
    const questions = [
      () => lookups.openReservations('2026-11-21T12:00:00.000Z', 20),
      () => lookups.openCharges('acc_1'),
      () => lookups.chargeClaims({ chargeId: 'chg_1', accountId: 'acc_1', limit: 20 }),
    ];
    for (const ask of questions) {
      const error = await ask().catch((caught: unknown) => caught);
      expect(error).to.be.instanceOf(ViewsUnavailable);
    }
    expect(asked).to.deep.equal([]);
  });
});
