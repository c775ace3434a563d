import { expect } from 'chai';
import fc from 'fast-check';
import { reconcile } from '../../src/audit/reconcile.ts';
import { defaultRateCard } from '../../src/commands/pricing/rate-card.ts';
import {
  ChargeRefunded,
  ChargeReserved,
  type RefundCause,
  RefundedSendCounted,
} from '../../src/events/account.ts';
import type { Category } from '../../src/events/category.ts';
import type { Fact } from '../../src/events/define.ts';
import {
  ChargeClaimed,
  ChargeClaimRefused,
  MessageSent,
  StatusUpdated,
} from '../../src/events/message.ts';
import { RateCardPublished } from '../../src/events/pricing.ts';
import { createSpilled } from '../../src/events/scratch.ts';
import { openSqliteScratch } from '../../src/events/sqlite/scratch.ts';
import { type Recorded, StoreUnavailable, UNREADABLE } from '../../src/events/store.ts';
import { messageStream } from '../../src/events/streams.ts';
import { auditedLog, logOf } from '../support/books.ts';
import { price, sentRecord, statusRecord } from '../support/samples.ts';

const ACCOUNT = 'acc_1';
const NUMBER = '100';
const NOVEMBER = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' };
const AT = '2026-11-21T12:00:00.000Z';

interface Sent {
  /** Number of the charge. */
  id: number;
  at?: string;
  category?: Category;
  amount?: number;
  cause?: RefundCause;
  /** Statuses before the record of the message, and after it. */
  early?: readonly string[];
  statuses?: readonly string[];
  type?: string;
  statusAt?: string;
  accountId?: string;
  record?: boolean;
}

const chargeId = (id: number) => `chg_${id}`;
const chained = (amount: number, at: string, accountId: string) => ({
  accountId,
  entryId: 'led_1',
  amount,
  balanceAfter: 0,
  at,
  sequence: 1,
  previousHash: '',
  hash: '',
});

const charged = ({ id, at = AT, category = 'UTILITY', amount = 1, accountId = ACCOUNT }: Sent) =>
  ChargeReserved.of({
    ...chained(-amount || 0, at, accountId),
    chargeId: chargeId(id),
    reason: 'order_shipped',
    price: price({ category }),
    contactRef: 'ref_1',
    outline: { phoneNumberId: NUMBER, source: 'api', content: { type: 'text' } },
    said: null as never,
  });
const refunded = ({ id, at = AT, category = 'UTILITY', cause, accountId = ACCOUNT }: Sent) =>
  ChargeRefunded.of({
    ...chained(1, at, accountId),
    chargeId: chargeId(id),
    cause: cause!,
    reason: 'x',
    price: price({ category }),
    reservedAt: at,
  });

const messageId = (id: number) => `wamid.${id}`;
const idsOf = (id: number) => ({ messageRef: messageId(id), messageId: messageId(id) });
const statusOf = (sent: Sent, status: string) => {
  const { id, type = 'regular', category = 'UTILITY', statusAt = AT, accountId = ACCOUNT } = sent;
  return StatusUpdated.of({
    ...statusRecord({ ...idsOf(id), accountId, phoneNumberId: NUMBER, status, statusAt }),
    ...(status !== 'failed' && { pricing: { type, category: category.toLowerCase() } }),
  });
};
const recorded = ({ id, category = 'UTILITY', accountId = ACCOUNT }: Sent) => {
  const own = { accountId, phoneNumberId: NUMBER, chargeId: chargeId(id), category };
  return MessageSent.of(sentRecord({ ...idsOf(id), ...own }));
};

type Step = readonly [stream: string, fact: Fact];

/** A log with these facts in this order. */
const logInOrder = (steps: readonly Step[]): Recorded[] => {
  const revisions = new Map<string, number>();
  return steps.map(([stream, fact], index) => {
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    const position = String(index + 1).padStart(6, '0');
    return { ...logOf({ [stream]: [fact] })[0]!, id: `event-${index}`, revision, position };
  });
};

/** All charges, then the messages a step at a time, then the refunds. */
const stepsOf = (all: readonly Sent[]): Step[] => {
  const accountOf = ({ accountId = ACCOUNT }: Sent) => `account-${accountId}`;
  const messages = all.map((sent): Step[] => {
    const { id, early = [], statuses = ['sent', 'delivered'], record = true } = sent;
    const facts = [
      ...early.map((status) => statusOf(sent, status)),
      ...(record ? [recorded(sent)] : []),
      ...statuses.map((status) => statusOf(sent, status)),
    ];
    return facts.map((fact) => [messageStream(sent.accountId ?? ACCOUNT, messageId(id)), fact]);
  });
  const longest = Math.max(...messages.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) =>
    messages.flatMap((steps) => steps.slice(turn, turn + 1)),
  );
  return [
    ...all.map((sent): Step => [accountOf(sent), charged(sent)]),
    ...turns.flat(),
    ...all
      .filter(({ cause }) => cause !== undefined)
      .map((sent): Step => [accountOf(sent), refunded(sent)]),
  ];
};

const audit = (events: readonly Recorded[], accountId?: string) =>
  reconcile(auditedLog(events), {
    period: NOVEMBER,
    accountId,
    openScratch: openSqliteScratch,
  });
const auditOf = (all: readonly Sent[], accountId?: string) =>
  audit(logInOrder(stepsOf(all)), accountId);

const found = ({ differences }: Awaited<ReturnType<typeof audit>>) =>
  differences.map(({ kind, chargeId, messageId }) => [kind, chargeId, messageId]);

describe('a reconciliation', () => {
  it('joins charges with the statuses of their messages, whichever comes first', async () => {
    const report = await auditOf([
      { id: 1 },
      { id: 2, early: ['sent'], statuses: ['delivered', 'read'] },
      { id: 3, cause: 'disconnected' },
      { id: 4, type: 'free_entry_point' },
      { id: 5, cause: 'not_sent', record: false, statuses: [] },
    ]);
    expect(report).to.deep.include({ ok: false, charges: 5, differenceCount: 2 });
    expect(found(report)).to.deep.equal([
      ['billed_not_charged', 'chg_3', 'wamid.3'],
      ['charged_not_billable', 'chg_4', 'wamid.4'],
    ]);
    const kind = { category: 'UTILITY', countryCode: 'IN' };
    const counts = { charges: 5, charged: 3, givenBack: 2, free: 0, delivered: 4, differences: 2 };
    expect(report.counts).to.deep.equal([{ ...kind, ...counts }]);
    expect(report.volumes).to.deep.equal([
      { ...kind, phoneNumberId: NUMBER, billed: 3, free: 1, cost: 0.0056 },
    ]);
  });

  it('says how much money each difference is, and all of them by currency', async () => {
    const steps = stepsOf([
      { id: 1, type: 'free_entry_point' },
      { id: 2, cause: 'unknown_outcome' },
      { id: 3, cause: 'expired' },
      { id: 4, statuses: [] },
      { id: 5, category: 'MARKETING' },
    ]);
    const card: Fact = RateCardPublished.of({
      ...defaultRateCard,
      rateCardId: 'other',
      rates: { Other: { MARKETING: 1, UTILITY: 90_000, AUTHENTICATION: 1 } },
    });
    const wentOut = { chargeId: chargeId(3), accountId: ACCOUNT, reservedAt: AT, at: AT };
    const events = logInOrder([
      ['ratecard-other', card],
      ...steps,
      [`account-${ACCOUNT}`, RefundedSendCounted.of(wentOut)],
    ]).map((event) => {
      const { chargeId: id, price } = event.data as { chargeId?: string; price?: object };
      const isFifth = id === chargeId(5) && price;
      const other = { ...price, category: 'AUTHENTICATION', rateCardId: 'other', currency: 'EUR' };
      return isFifth ? { ...event, data: { ...(event.data as object), price: other } } : event;
    });
    const report = await audit(events as Recorded[]);
    expect(
      report.differences.map((row) => [row.chargeId, row.kind, row.difference, row.currency]),
    ).to.deep.equal([
      ['chg_1', 'charged_not_billable', '-0.0014', 'USD'],
      ['chg_2', 'billed_not_charged', '0.0014', 'USD'],
      // Its cost is in the statement again.
      ['chg_3', 'billed_not_charged', '0.0000', 'USD'],
      ['chg_4', 'no_word', null, 'USD'],
      ['chg_5', 'other_category', '-0.001399', 'EUR'],
    ]);
    const difference = { EUR: '-0.001399', USD: '0.0000' };
    expect(report).to.deep.include({ difference, unpriced: 1 });
    // One sum of two currencies would say nothing.
    expect(report.volumes.map(({ cost }) => cost)).to.deep.equal([null, null]);
  });

  it('counts charges of the period, and deliveries in it of charges from before', async () => {
    const report = await auditOf([
      { id: 1, at: '2026-10-31T23:59:59.999Z', statusAt: NOVEMBER.from },
      { id: 2, at: NOVEMBER.to, statusAt: NOVEMBER.to },
      { id: 3, at: '2026-11-30T23:59:59.999Z', statusAt: NOVEMBER.to },
      { id: 4, at: '2026-09-01T00:00:00.000Z', statusAt: AT },
    ]);
    expect(report).to.deep.include({ ok: true, charges: 1 });
    expect(report.volumes.map(({ billed }) => billed)).to.deep.equal([1]);
  });

  it('keeps to one account, and says where an account has messages without a word', async () => {
    const all = [
      { id: 1 },
      { id: 2, accountId: 'acc_2', statuses: [] },
      { id: 3, accountId: 'acc_2', record: false, statuses: [] },
    ];
    expect(await auditOf(all, ACCOUNT)).to.deep.include({ ok: true, charges: 1 });
    expect(found(await auditOf(all, 'acc_2'))).to.deep.equal([
      ['no_word', 'chg_2', 'wamid.2'],
      ['no_word', 'chg_3', null],
    ]);
  });

  it('shows what the provider bills of messages without a charge, and of claimed ones', async () => {
    const steps = stepsOf([
      // Sent by another program from the same number.
      { id: 7, statuses: [], early: ['sent', 'delivered'], record: false, cause: 'not_sent' },
      { id: 8, statuses: [], early: ['sent'], record: false },
      { id: 9, statuses: [], early: ['sent'], record: false },
    ]);
    const claim = (id: number) => ({ ...idsOf(id), chargeId: chargeId(id), accountId: ACCOUNT });
    const who = { phoneNumberId: NUMBER, contactRef: 'ref_1', recipient: null, reservedAt: AT };
    const report = await audit(
      logInOrder([
        ...steps,
        [messageStream(ACCOUNT, messageId(8)), ChargeClaimed.of({ ...claim(8), ...who })],
        [messageStream(ACCOUNT, messageId(9)), ChargeClaimed.of({ ...claim(9), ...who })],
        [messageStream(ACCOUNT, messageId(9)), ChargeClaimRefused.of(claim(9))],
      ]),
    );
    expect(found(report)).to.have.deep.members([
      ['billed_not_charged', null, 'wamid.7'],
      ['no_word', 'chg_9', null],
      ['billed_not_charged', null, 'wamid.9'],
    ]);
  });

  it('is not settled while an event cannot be read', async () => {
    const events = logInOrder(stepsOf([{ id: 1 }]));
    const lost = { ...events.at(-1)!, type: UNREADABLE } as Recorded;
    const report = await audit([...events.slice(0, -1), lost]);
    expect(report).to.deep.include({ ok: false, differenceCount: 0, unreadable: 1 });
  });

  it('leaves nothing over of what agrees, in any order and with more than is in memory', async () => {
    const agreeing = fc.constantFrom<Omit<Sent, 'id'>>(
      {},
      { early: ['delivered', 'sent'], statuses: [] },
      { category: 'MARKETING', statuses: ['sent'] },
      { category: 'SERVICE', amount: 0, type: 'free_customer_service' },
      { cause: 'delivery_failed', statuses: ['sent', 'failed'] },
      { cause: 'not_sent', record: false, statuses: [] },
      { cause: 'unknown_outcome', type: 'free_entry_point' },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(agreeing, { minLength: 1, maxLength: 12 }), async (kinds) => {
        const all = kinds.map((kind, id) => ({ ...kind, id }));
        const report = await auditOf(all);
        expect(report.differences).to.deep.equal([]);
        expect(report).to.deep.include({ ok: true, charges: all.length });
      }),
      { numRuns: 40 },
    );
  });
});

describe('values of which a bounded number is in memory', () => {
  it('are the same as in a map, in the order in which they left memory first', () => {
    const operation = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      value: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(operation), fc.integer({ min: 0, max: 3 }), (operations, kept) => {
        const spilled = createSpilled<{ key: string; value: number }>(openSqliteScratch, kept);
        const model = new Map<string, { key: string; value: number }>();
        for (const one of operations) {
          expect(spilled.get(one.key)).to.deep.equal(model.get(one.key));
          spilled.set(one.key, one);
          model.set(one.key, one);
        }
        expect([...spilled.pages()].flat()).to.have.deep.members([...model.values()]);
        spilled.close();
      }),
      { numRuns: 50 },
    );
  });

  it('say what to do where the disk is full', () => {
    const spilled = createSpilled<string>(() => openSqliteScratch(20), 0);
    const fill = () => {
      for (let number = 0; number < 100; number += 1) spilled.set(`${number}`, 'x'.repeat(2_000));
    };
    expect(fill).to.throw(StoreUnavailable, 'database or disk is full): choose a shorter period');
    spilled.close();
  });

  it('come page by page', () => {
    const spilled = createSpilled<number>(openSqliteScratch, 10);
    for (let number = 0; number < 1_234; number += 1) spilled.set(`${number}`, number);
    const pages = [...spilled.pages()];
    spilled.close();
    expect(pages.map(({ length }) => length)).to.deep.equal([500, 500, 234]);
    expect(pages.flat()).to.deep.equal(Array.from({ length: 1_234 }, (_, number) => number));
  });
});
