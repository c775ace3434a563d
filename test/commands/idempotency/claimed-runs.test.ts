import { expect } from 'chai';
import type { CommandContext } from '../../../src/commands/core/decider.ts';
import type { Term } from '../../../src/commands/core/lease.ts';
import { createClaimedRuns } from '../../../src/commands/idempotency/claimed-runs.ts';
import { splitIntent } from '../../../src/events/intent.ts';
import type { Claim, EventStore, NewEvent } from '../../../src/events/store.ts';
import { messageStream } from '../../../src/events/streams.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { intent, NOW, price } from '../../support/samples.ts';
import { codeOf, failureOf } from '../../support/spec.ts';

const [ACCOUNT, WORK, CLAIMS] = ['acc_1', 'work_1', 'request-acc_1.key'];
const claim: Claim = { id: WORK };
const context: CommandContext & { accountId: string } = { requestId: 'r', accountId: ACCOUNT };
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

type Meta = NewEvent['meta'];
const ENDLESS: Term = { mayBegin: () => true, mayRecord: () => true };

/** The log that an interrupted request left behind, and the request that goes on from there. */
const open = () => {
  const { store, write } = createMemoryLog();
  let reads = 0;
  const readAll: EventStore['readAll'] = (...where) => {
    reads += 1;
    return store.readAll(...where);
  };
  const givenBack: { chargeId: string; on: object; isOver: boolean | undefined }[] = [];
  /** What an open charge becomes; true where it is given back. */
  let settle = async (_chargeId: string) => true;
  const messages = new Map<string, string>();
  const runs = createClaimedRuns({
    store: { ...store, readAll },
    lookups: { messageOfCharge: async (_accountId, chargeId) => messages.get(chargeId) },
    async refundOpen({ data: { chargeId } }, on, isOver) {
      givenBack.push({ chargeId, on, isOver });
      return settle(chargeId);
    },
  });
  const begin = (resumed = true, how: { silent?: readonly string[]; term?: Term } = {}) =>
    runs.begin(WORK, {
      claimId: 'own',
      stream: CLAIMS,
      resumed,
      term: how.term ?? ENDLESS,
      isSilent: ({ claimId }) => (how.silent ?? []).includes(claimId),
    });
  /** What a run that goes on finds of its send. */
  const look = (of: Claim = claim, how?: { leavesOpen: boolean }) => {
    const end = begin();
    return runs.sentEarlier(of, context, how).finally(end);
  };
  /** What it finds of money that was moved. */
  const moved = () => {
    const end = begin();
    return runs.movedEarlier(claim, ACCOUNT).finally(end);
  };
  const ofAccount = (type: string, data: object, how?: Partial<Meta>) =>
    write(`account-${ACCOUNT}`, type, { accountId: ACCOUNT, ...data }, how);
  return {
    runs,
    givenBack,
    begin,
    look,
    moved,
    write,
    settling: (how: typeof settle) => {
      settle = how;
    },
    claimed: (workId = WORK, claimId = workId) =>
      write(CLAIMS, 'RequestClaimed', { workId, claimId }),
    grant: (entryId: string, how?: Partial<Meta>) =>
      ofAccount('CreditsGranted', { entryId, amount: 1 }, how),
    reserve: (chargeId: string, how: Partial<Meta> = { claim }, minutes = 0) => {
      const money = { amount: -1, balanceAfter: 9, reason: 'order_shipped', price: price() };
      const { outline } = splitIntent(intent());
      return ofAccount('ChargeReserved', { chargeId, ...money, outline, at: at(minutes) }, how);
    },
    refund: (chargeId: string, cause: string, amount = 1, failure?: object) =>
      ofAccount('ChargeRefunded', { chargeId, cause, amount, balanceAfter: 10, failure }),
    sent: (chargeId: string, minutes = 0) => {
      const data = { messageId: `of ${chargeId}`, chargeId };
      messages.set(chargeId, `ref of ${chargeId}`);
      const stream = messageStream(ACCOUNT, `ref of ${chargeId}`);
      return write(stream, 'MessageSent', data, { at: at(minutes) });
    },
    async others(count: number, how: Partial<Meta> = {}) {
      for (let one = 0; one < count; one += 1) await write('other-1', 'Other', {}, how);
    },
    async earlier(count: number) {
      for (let one = 0; one < count; one += 1) await ofAccount('CreditsGranted', { entryId: 'x' });
    },
    readsOf: () => reads,
  };
};

/** Its request has reserved a charge. */
const openReserved = async () => {
  const log = open();
  await log.claimed();
  await log.reserve('c');
  return log;
};

describe('The work of an interrupted request @long', () => {
  it('is not searched for a new request, or one whose time is over', async () => {
    const { runs, begin } = open();
    expect(await codeOf(runs.movedEarlier(claim, ACCOUNT))).to.equal('StoreUnavailable');
    const end = begin(false);
    expect(await runs.movedEarlier(claim, ACCOUNT)).to.equal(undefined);
    expect(await runs.sentEarlier(claim, context)).to.equal(undefined);
    expect(await runs.wroteEarlier(claim, 'plan-1')).to.equal(false);
    end();
    expect(await codeOf(runs.movedEarlier(claim, ACCOUNT))).to.equal('StoreUnavailable');
  });

  it('row 67: is not begun beside an earlier run of it, which would take its term for its own', async () => {
    const { runs, begin } = open();
    const over: Term = { mayBegin: () => false, mayRecord: () => false };
    const end = begin(false, { term: over });
    expect(() => begin()).to.throw(AppError, 'in progress');
    expect(runs.termOf(claim)).to.equal(over);
    end();
    begin();
    expect(runs.termOf(claim)).to.equal(ENDLESS);
  });

  it('is not begun after its term', async () => {
    const { runs, begin } = open();
    let mayBegin = true;
    const term: Term = { mayBegin: () => mayBegin, mayRecord: () => true };
    begin(false, { term });
    expect(runs.termOf(claim)).to.equal(term);
    expect(await runs.sentEarlier(claim, context)).to.equal(undefined);
    mayBegin = false;
    expect(await codeOf(runs.sentEarlier(claim, context))).to.equal('StoreUnavailable');
    expect(await codeOf(runs.movedEarlier(claim, ACCOUNT))).to.equal('StoreUnavailable');
    expect(await codeOf(runs.wroteEarlier(claim, 'plan-1'))).to.equal('StoreUnavailable');
    expect(runs.termOf({ id: 'another' })).to.equal(undefined);
  });

  it('is found behind a thousand earlier events and a thousand later ones', async () => {
    for (const count of [999, 1000, 1001]) {
      const { moved, claimed, grant, earlier } = open();
      await earlier(7);
      await claimed();
      await earlier(count);
      await grant('mine', { claim });
      await earlier(5);
      expect(await moved(), `${count}`).to.equal('mine');
    }
  });

  it('is found by its claim, which may be behind a thousand other claims of the key', async () => {
    for (const count of [999, 1000, 1001]) {
      const { moved, claimed, grant, write } = open();
      for (let one = 0; one < count; one += 1) await write(CLAIMS, 'RequestFreed', {});
      await claimed('another');
      await claimed();
      await grant('mine', { claim });
      expect(await moved(), `${count}`).to.equal('mine');
    }
    const { moved, claimed } = open();
    await claimed('another');
    expect((await failureOf(moved())).message).to.equal(`no claim of ${WORK} in ${CLAIMS}`);
  });

  it('excludes events before the claim and events of other requests', async () => {
    const { moved, claimed, grant } = open();
    await grant('before', { claim });
    await claimed();
    await grant('of another', { claim: { id: 'work_2' } });
    expect(await moved()).to.equal(undefined);
  });

  it('is recognised in a short stream by the claim on its events', async () => {
    const { runs, begin, write } = open();
    await write('plan-1', 'PlanPublished', {}, { claim: { id: 'work_2' } });
    begin();
    expect(await runs.wroteEarlier(claim, 'plan-1')).to.equal(false);
    await write('plan-1', 'PlanPublished', {}, { claim });
    expect(await runs.wroteEarlier(claim, 'plan-1')).to.equal(true);
    expect(await runs.wroteEarlier(claim, 'plan-2')).to.equal(false);
  });

  describe('when it was a send', () => {
    it('is the message of its charge, at any place in the log', async () => {
      for (const count of [0, 998, 999, 1000, 2500]) {
        const { look, sent, others } = await openReserved();
        await others(count);
        await sent('c');
        expect(await look(), `${count}`).to.deep.equal({
          messageId: 'of c',
          charge: { chargeId: 'c', price: price(), balanceAfter: 9 },
          outline: splitIntent(intent()).outline,
        });
      }
    });

    it('costs nothing after a refund of its charge', async () => {
      const { look, sent, refund } = await openReserved();
      await sent('c');
      await refund('c', 'disconnected');
      const free = price({ sellPrice: 0, creditsRequired: 0 });
      expect((await look())?.charge).to.deep.equal({
        chargeId: 'c',
        price: free,
        balanceAfter: 10,
      });
    });

    it('keeps its cost when the refund gave nothing back', async () => {
      const { look, sent, refund } = await openReserved();
      await sent('c');
      await refund('c', 'failed', 0);
      expect((await look())?.charge.balanceAfter).to.equal(9);
    });

    it('may be sent anew when the provider refused it, or nothing was reserved', async () => {
      const { look, claimed, reserve, refund, readsOf } = open();
      await claimed();
      expect(await look()).to.equal(undefined);
      await reserve('c');
      await refund('c', 'not_sent');
      expect(await look()).to.equal(undefined);
      expect(readsOf()).to.equal(0);
    });

    it('is unknown after a refund for any other reason', async () => {
      const { look, reserve, refund } = await openReserved();
      await refund('c', 'not_sent');
      await reserve('d');
      await refund('d', 'expired');
      expect(await codeOf(look())).to.equal('provider.unknown_outcome');
    });

    it('is unknown after an answer of the provider without a code, and not after another refusal', async () => {
      for (const [failure, outcome] of [
        [{ code: 'SEND_FAILED' }, 'provider.unknown_outcome'],
        [{ code: 'SEND_FAILED', providerCode: 131026 }, 'none'],
        [{ code: 'PROVIDER_UNREACHABLE' }, 'none'],
        [{ code: 'NO_PHONE' }, 'none'],
      ] as const) {
        const { look, refund, sent } = await openReserved();
        await refund('c', 'not_sent', 1, failure);
        expect(await codeOf(look()), JSON.stringify(failure)).to.equal(outcome);
        if (outcome === 'none') continue;
        await sent('c');
        expect((await look())?.messageId).to.equal('of c');
      }
    });

    it('leaves its charge to a status or the sweep where nobody waits for an answer', async () => {
      const { look, givenBack, others, sent } = await openReserved();
      const refused = await failureOf(look(claim, { leavesOpen: true }));
      const details = { retryAfterSeconds: 30 };
      expect(refused).to.deep.include({ code: 'idempotency.in_progress', details });
      expect(givenBack).to.deep.equal([]);
      await others(1000, { at: at(31) });
      await sent('c', 60);
      expect((await look(claim, { leavesOpen: true }))?.messageId).to.equal('of c');
    });

    it('is unknown once its open charge is given back', async () => {
      const { look, givenBack } = await openReserved();
      expect(await codeOf(look())).to.equal('provider.unknown_outcome');
      const on = { ...context, cause: 'e2' };
      expect(givenBack).to.deep.equal([{ chargeId: 'c', on, isOver: false }]);
    });

    it('waits while its charge stays open, also for a recipient of a batch', async () => {
      for (const asked of [claim, { ...claim, part: 0 }]) {
        const { look, claimed, reserve, settling } = open();
        await claimed();
        await reserve('c', { claim: asked });
        settling(async () => false);
        const refused = await failureOf(look(asked));
        const details = { retryAfterSeconds: 10 };
        expect(refused).to.deep.include({ code: 'idempotency.in_progress', details });
      }
    });

    for (const [when, others, minutes] of [
      ['at once', 0, 0],
      ['after 30 minutes', 1000, 60],
    ] as const) {
      it(`is the message that a status has brought its open charge ${when}`, async () => {
        const log = await openReserved();
        await log.others(others, { at: at(31) });
        log.settling(async (chargeId) => {
          await log.sent(chargeId, minutes);
          return false;
        });
        expect((await log.look())?.messageId).to.equal('of c');
      });
    }

    it('may be sent anew where its own process gives the charge back meanwhile', async () => {
      const { look, refund, settling } = await openReserved();
      settling(async (chargeId) => {
        await refund(chargeId, 'not_sent');
        return false;
      });
      expect(await look()).to.equal(undefined);
    });

    it('is over where every earlier run has ended in the log, or its process writes no more', async () => {
      for (const [silent, isOver] of [
        [['one', 'two'], true],
        [['one'], false],
        [['two'], false],
      ] as const) {
        const { runs, begin, claimed, reserve, givenBack, write } = open();
        await claimed('another');
        for (const one of ['one', 'two', 'ended', 'own']) await claimed(WORK, one);
        await write(CLAIMS, 'RequestInterrupted', { claimId: 'ended' });
        await reserve('c');
        begin(true, { silent });
        await codeOf(runs.sentEarlier(claim, context));
        expect(givenBack[0], silent.join()).to.deep.include({ isOver });
      }
    });

    it('gives the open charge of one part of a batch back, and no other', async () => {
      const { look, claimed, reserve, sent, givenBack } = open();
      await claimed();
      const part = (index: number): Claim => ({ ...claim, part: index });
      await reserve('a', { claim: part(0) });
      await reserve('b', { claim: part(1) });
      await sent('a');
      expect((await look(part(0)))?.messageId).to.equal('of a');
      expect(await codeOf(look(part(1)))).to.equal('provider.unknown_outcome');
      expect(givenBack.map(({ chargeId }) => chargeId)).to.deep.equal(['b']);
      expect(await look(part(2))).to.equal(undefined);
    });

    it('is searched for up to 30 minutes after its last charge', async () => {
      for (const [minutes, reads] of [
        [30, 3],
        [31, 1],
      ] as const) {
        const { look, claimed, reserve, others, readsOf } = open();
        await claimed();
        await reserve('first', { claim }, -600);
        await reserve('last', { claim });
        // The last event of a page says how far the search has come.
        await others(998);
        await others(1, { at: at(minutes) });
        await others(501);
        expect(await codeOf(look())).to.equal('provider.unknown_outcome');
        expect(readsOf(), `${minutes}`).to.equal(reads);
      }
    });
  });

  it('waits for the reversal of a hang-up that has begun', async () => {
    const { runs, begin } = open();
    await runs.reversed(WORK);
    begin();
    await runs.reversed(WORK);
    const reversal = Promise.withResolvers<void>();
    runs.reversible(claim, () => reversal.promise);
    let isOver = false;
    const waiting = runs.reversed(WORK).then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    expect(isOver).to.equal(false);
    reversal.resolve();
    await waiting;
    runs.reversible({ id: 'work_2' }, () => Promise.reject(new Error('not its own')));
    await runs.reversed(WORK);
  });
});
