import { expect } from 'chai';
import type { EventStore, Recorded } from '../../src/events/store.ts';
import type { Views } from '../../src/projections/views.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import type { OutsideCall } from '../support/invariants/accounts.ts';
import type { Erased } from '../support/invariants/erased.ts';
import { checkInvariants } from '../support/invariants/invariants.ts';
import type { RecordedAnswer } from '../support/invariants/recorder.ts';
import { useRealConnections } from '../support/network.ts';
import { needlesOf } from '../support/privacy/needles.ts';
import { customerWrites, notify } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

/** Changes these in place, or gives others. */
type Tampers<T> = (all: T[]) => readonly T[] | undefined;

const tampered = <T>(all: readonly T[], tamper: Tampers<T> | undefined): readonly T[] => {
  const copy = structuredClone(all) as T[];
  return tamper?.(copy) ?? copy;
};

const logOf = (all: readonly Json[]): EventStore => {
  const changed = all as readonly Recorded[];
  const after = (position: string) => changed.filter((event) => event.position > position);
  return {
    head: async () => changed.at(-1)!.position,
    readAll: async (position: string, limit: number) => {
      const page = after(position).slice(0, limit);
      return { events: page, to: page.at(-1)?.position ?? position };
    },
  } as unknown as EventStore;
};

/** What the tests' sends go to, as if it were erased. */
const ERASED = {
  erased: [{ needles: needlesOf([{ name: 'number', text: '919812345678' }]), answers: 0 }],
};

const ofNoCharge = ({ chargeId }: Json): Json => (chargeId ? { chargeId: 'chg_none_1' } : {});

const ofNextBucket = (accountId: string): string =>
  accountId.slice(0, -1) + (accountId.endsWith('0') ? '1' : '0');

describe('the checker of the invariants', () => {
  useRealConnections();
  let tenant: Tenant;
  let other: Tenant;
  let events: Recorded[];
  const world = inSuite(openWorld);
  before(async () => {
    tenant = await world.tenant();
    const [first] = [await world.send(tenant), await world.send(tenant)];
    await world.send(tenant, { to: '+15550199901' });
    const recipients = [{ to: '+919812345678' }, { to: '+15550199901' }];
    const token = tenant.apiKey;
    const body = { event: 'order_shipped', recipients };
    await world.call('POST', '/v1/notifications/send/batch', { token, body });
    for (let time = 0; time < 2; time += 1) {
      await notify(world, tenant, {}, { 'idempotency-key': 'once' });
    }
    await world.simulator.status(first.body.messageId, 131026);
    await untilTrue('the refund', async () => (await world.balance(tenant)) === 997);
    // A customer of another account, and one who writes twice.
    other = await world.tenant();
    for (const to of [other, tenant, tenant]) await customerWrites(world.waybill, to);
    await world.call('GET', '/v1/messages', { token });
    expect(await world.problems()).to.deep.equal([]);
    events = await world.waybill.log();
  });

  interface Change {
    events?: Tampers<Json>;
    answers?: Tampers<RecordedAnswer>;
    calls?: Tampers<Json>;
    outside?: () => OutsideCall[];
    /** The read model, and what its documents show instead. */
    documents?: [string, (document: Json) => Json];
    views?: () => Views;
    erased?: Erased[];
  }
  const shownWith = ([name, change]: NonNullable<Change['documents']>): Views => {
    const { views } = world.waybill;
    const getMany: typeof views.getMany = async <Doc>(collection: string, ids: readonly string[]) =>
      (await views.getMany<Doc>(collection, ids)).map((kept) =>
        collection.startsWith(name)
          ? { ...kept, document: { ...kept.document, ...change(kept.document) } }
          : kept,
      );
    return { ...views, getMany };
  };
  const problemsAfter = (change: Change, { mayBeOpen = false } = {}): Promise<string[]> =>
    checkInvariants(
      {
        store: logOf(tampered(events, change.events)),
        views: change.views?.() ?? shownWith(change.documents ?? ['none', () => ({})]),
        answers: tampered(world.answers, change.answers),
        providerCalls: tampered(world.simulator.sends(), change.calls),
        outsideCalls: change.outside?.() ?? [],
        erased: change.erased ?? [],
      },
      { isFollowed: false, mayBeOpen },
    );

  const the = (all: Json[], type: string, nth = 0) => all.filter((one) => one.type === type)[nth];
  const without = (all: Json[], gone: Json) => all.filter((one) => one !== gone);
  const withChange = (type: string, change: (event: Json) => unknown, nth = 0): Change => ({
    events: (all) => void change(the(all, type, nth)),
  });
  const withData = (type: string, data: object, nth = 0) =>
    withChange(type, (event) => Object.assign(event.data, data), nth);
  const withAnswer = (change: Partial<RecordedAnswer>, nth = 0): Change => ({
    answers: (all) => void Object.assign(sends(all)[nth]!, change),
  });
  const batchIn = (all: RecordedAnswer[]) => all.find(({ path }) => path.endsWith('/batch'))!;
  /** A copy of the event at the end of the log and of its stream, under an id of its own. */
  const again = (all: Json[], event: Json, data: object = {}) => {
    const last = all.at(-1);
    const revision = all.filter(({ stream }) => stream === event.stream).length;
    const position = String(Number(last.position) + 1).padStart(last.position.length, '0');
    const copy = { ...event, id: 'copy', revision, position, data: { ...event.data, ...data } };
    return [...all, copy];
  };
  /** The event comes last. */
  const late = (all: Json[], event: Json) => without(again(all, event), event);
  const sends = (all: RecordedAnswer[]) =>
    all.filter(({ path, status }) => path === '/v1/notifications/send' && status === 200);

  const cases: [string, RegExp, Change][] = [
    [
      'I1: a balance that does not follow from the movement',
      /^I1 account .+ do not make/,
      withData('ChargeReserved', { balanceAfter: 7 }),
    ],
    [
      'I2: a balance below zero',
      /^I2 account .+ the balance is -/,
      withData('ChargeReserved', { balanceAfter: -1 }),
    ],
    [
      'I3: a second refund',
      /^I3 charge .+ refunded 2 times/,
      { events: (all) => again(all, the(all, 'ChargeRefunded')) },
    ],
    [
      'I3: a refund of another amount',
      /^I3 charge .+ 2 was given back of -1/,
      withData('ChargeRefunded', { amount: 2 }),
    ],
    [
      'I3: a refund of nothing',
      /^I3 charge .+ never reserved/,
      withData('ChargeRefunded', { chargeId: 'chg_none_0' }),
    ],
    [
      'I4: a send that was answered and is nowhere',
      /^I4 \/v1\/notifications\/send .+ 0 charges/,
      withAnswer({ requestId: 'nowhere' }),
    ],
    [
      'I4: a message that went out and was refunded',
      /^I4 .+ its charge .+ was given back/,
      { events: (all) => again(all, the(all, 'ChargeRefunded'), { ...ofFirst(all), amount: 1 }) },
    ],
    [
      'I4: a refusal that cost something',
      /^I4 .+ it keeps the charge/,
      { events: (all) => without(all, the(all, 'ChargeRefunded')) },
    ],
    [
      'I4: a reservation that is open for ever',
      /^I4 charge .+ neither message nor refund/,
      { events: (all) => without(all, the(all, 'MessageSent', 1)) },
    ],
    [
      'I4: headers that tell another price',
      /^I4 .+ it tells of 5 credits/,
      withAnswer({ headers: { 'x-credits-charged': '5' } }),
    ],
    [
      'I4: a refund of a delivery that never failed',
      /^I4 charge .+ nobody has said/,
      { events: (all) => without(all, the(all, 'StatusUpdated')) },
    ],
    [
      'I4: a message that the sweep refunded',
      /^I4 charge .+ the sweep refunded a message/,
      withData('ChargeRefunded', { cause: 'expired' }, 2),
    ],
    [
      'I4: a message that was recovered before its charge was matched',
      /^I4 MessageSent at \d+: the match of chg_\S+ is not before it/,
      withData('MessageSent', { recovered: true }),
    ],
    [
      'I3: a refund before the word that the delivery failed',
      /^I3 ChargeRefunded at \d+: the word failed of .+ is not before it/,
      { events: (all) => late(all, the(all, 'StatusUpdated')) },
    ],
    [
      'I9: an answer that was stored before its message',
      /^I9 RequestAnswered at \d+: the message of chg_\S+ is not before it/,
      { events: (all) => late(all, keyed(all, 'MessageSent')) },
    ],
    [
      'I10: a scheduled send that went out twice',
      /^I10 sch_1: it was sent 2 times/,
      {
        events: (all) => {
          for (const nth of [0, 1]) {
            const meta = { requestId: 'sch_1', claim: { id: 'sch_1' } };
            Object.assign(the(all, 'ChargeReserved', nth).meta, meta);
          }
        },
      },
    ],
    [
      'I14: an erasure that is counted before its keys are destroyed',
      /^I14 ErasureStarted at \d+: the destruction of era_1 is not before it/,
      {
        events: (all) => {
          const erasure = { ...all.at(-1), type: 'ErasureStarted', stream: 'erasure-era_1' };
          return again(all, erasure, { erasureId: 'era_1' });
        },
      },
    ],
    ['I5: a lost event', /^I5 .+ does not follow/, { events: (all) => without(all, all[3]) }],
    ['I5: an event twice', /^I5 .+ twice/, { events: (all) => [...all, all.at(-1)] }],
    [
      'I14: a contact whose keys are destroyed, and who can be read',
      /^I14 MessageSent at \d+: its contact is erased, and it opens/,
      {
        events: (all) => {
          const refs = [the(all, 'MessageSent').data.contactRef];
          return again(all, { ...all.at(-1), type: 'ContactErased' }, { erasureId: 'era_1', refs });
        },
      },
    ],
    [
      'I14: an erasure that is done and has left a subject',
      /^I14 the erasure era_1 has left sub_1/,
      {
        events: (all) => {
          const subjects = [{ accountId: tenant.accountId, ref: 'sub_1' }];
          const of = { ...all.at(-1), stream: 'erasure-era_1' };
          const erasure = { erasureId: 'era_1', subjects };
          const asked = again(all, { ...of, type: 'ErasureRequested' }, erasure);
          return again(asked, { ...of, type: 'ErasureDone' }, erasure);
        },
      },
    ],
    ['I14: an erased contact in the log', /^I14 ChargeReserved at \d+: number as /, ERASED],
    ['I14: an erased contact in an answer', /^I14 GET \/v1\/messages: number as /, ERASED],
    ['I14: an erased contact in a document', /^I14 messages: a document holds number as /, ERASED],
    [
      'I5: a changed amount',
      /^I5 account .+ its hash is not that of its data/,
      withChange('ChargeReserved', ({ asStored }) => {
        (asStored!.data as Json).amount = -7;
      }),
    ],
    [
      'I6: a read model that has not seen an event',
      /^I6 messages /,
      { events: (all) => again(all, the(all, 'StatusUpdated'), { status: 'read' }) },
    ],
    [
      'I6: a document that is not what its events say',
      /^I6 accounts \S+: it shows /,
      { documents: ['accounts', () => ({ balance: 7 })] },
    ],
    [
      'I6: a document that no event has made',
      /^I6 ledger: it has \d+ documents, not \d+$/,
      {
        views: () => {
          const { views } = world.waybill;
          return { ...views, count: async (...asked) => (await views.count(...asked)) + 1 };
        },
      },
    ],
    [
      'I6: a document that two workers fold',
      /^I6 conversations \S+ is of the buckets \w+, \w+: /,
      { documents: ['conversations', ({ accountId }) => ({ accountId: ofNextBucket(accountId) })] },
    ],
    [
      'I1: a balance that is shown wrongly',
      /^I1 account .+ rows make 997, the last says 997, shown 7$/,
      { documents: ['accounts', () => ({ balance: 7 })] },
    ],
    [
      'I13: a ledger that took what the history does not show',
      /^I13 account acc_\w+ in credits: \d+ shown, \d+ taken$/,
      { documents: ['ledger', () => ({ amount: -5 })] },
    ],
    [
      'I13: a ledger row without its message',
      /^I13 charge chg_\S+ of acc_\w+: 1 messages, shown: $/,
      { documents: ['messages', ofNoCharge] },
    ],
    [
      'I13: a message without its ledger row',
      /^I13 message \S+ of acc_\w+: the row of chg_none_1 is undefined's$/,
      { documents: ['messages', ofNoCharge] },
    ],
    [
      'I13: a message that counts again and was not given back',
      /^I13 charge chg_\S+: its message was counted again 1 times, not 0$/,
      {
        events: (all) => {
          const refund = the(all, 'ChargeRefunded');
          return again(all, { ...refund, type: 'RefundedSendCounted' }, ofFirst(all));
        },
      },
    ],
    [
      'I7: a SERVICE message that cost something',
      /^I7 charge .+ took -1/,
      withChange('ChargeReserved', ({ data }) =>
        Object.assign(data.price, { category: 'SERVICE' }),
      ),
    ],
    [
      'I7: a SERVICE message that was free on a plan that charges it',
      /^I7 charge .+ was free on a plan that charges it/,
      {
        events: (all) => {
          const { price } = the(all, 'ChargeReserved').data;
          Object.assign(price, { category: 'SERVICE', creditsRequired: 0, sellPrice: 0 });
          the(all, 'ChargeReserved').data.amount = 0;
          const terms = { planId: price.planId, planVersion: price.planVersion };
          const data = { ...terms, chargeService: true };
          return [{ ...all[0], type: 'PlanPublished', data, position: '0' }, ...all];
        },
      },
    ],
    [
      'I8: a call without a reservation',
      /^I8 the provider was called for chg_none_1/,
      { calls: (all) => [...all, { chargeId: 'chg_none_1', code: null }] },
    ],
    [
      'I8: one message sent twice',
      /^I8 charge .+ reached the provider 2 times/,
      { calls: (all) => [...all, all[0]] },
    ],
    [
      'I11: two messages for one charge',
      /^I11 charge .+ 2 messages are recorded/,
      { events: (all) => again(all, the(all, 'MessageSent'), { messageRef: 'TWIN' }) },
    ],
    [
      'I11: one message for two charges',
      /^I11 message .+ recorded for .+ and again for chg_twin_1/,
      {
        events: (all) => {
          const charge = the(all, 'ChargeReserved');
          return again(all, { ...the(all, 'MessageSent'), charge }, { chargeId: 'chg_twin_1' });
        },
      },
    ],
    [
      'I11: a message in the stream of another',
      /^I11 message ASTRAY .+ it stands in message-/,
      withData('MessageSent', { messageRef: 'ASTRAY' }),
    ],
    [
      'I9: a key that was charged twice',
      /^I9 the key once .+ 2 of its requests were charged/,
      withAnswer({ idempotencyKey: 'once' }),
    ],
    [
      'I9: a key that sent again what was given back',
      /^I9 the key once .+ 2 of its requests were charged or sent/,
      {
        events: (all) => givenBack(all, ofFirst(all).chargeId),
        ...withAnswer({ idempotencyKey: 'once' }, 1),
      },
    ],
    [
      'I4: a send with a key that was given back and told to cost something',
      /^I4 .+ its charge .+ was given back \(disconnected\)/,
      {
        events: (all) => givenBack(all, keyed(all, 'ChargeReserved').data.chargeId),
      },
    ],
    [
      'I10: a batch that reports a recipient twice',
      /^I10 .+ once too often/,
      {
        answers: (all) => {
          const { results } = batchIn(all).body;
          results.push(results[0]);
        },
      },
    ],
    [
      'I10: a batch that counts wrongly',
      /^I10 .+ of 2 results/,
      { answers: (all) => void Object.assign(batchIn(all).body, { sent: 2 }) },
    ],
    [
      'I12: a message of another account in an answer',
      /^I12 GET \/v1\/messages: acc_\w+ was shown wamid/,
      {
        answers: (all) => {
          all.at(-1)!.body.messages[0].contextMessageId = idOfOther();
        },
      },
    ],
    [
      'I12: a document with another account’s message in it',
      /^I12 conversations of acc_\w+: it holds wamid/,
      { documents: ['conversations', () => ({ contactName: idOfOther() })] },
    ],
    [
      'I12: a conversation of two accounts',
      /^I12 acc_\S+ belongs to acc_\w+ and acc_\w+$/,
      withChange('MessageReceived', ({ data }) => Object.assign(data, ofOther()), 2),
    ],
    [
      'I12: a run that another account’s message has fed',
      /^I12 MessageReceived at \d+ of acc_\w+: wamid/,
      withChange('MessageReceived', ({ data }) => Object.assign(data, { text: idOfOther() }), 2),
    ],
    [
      'I12: a forward to another account’s URL',
      /^I12 a URL of acc_\w+ was told wamid/,
      {
        outside: () => {
          const body = JSON.stringify({ message: { id: idOfOther() } });
          return [{ accountId: tenant.accountId, body }];
        },
      },
    ],
  ];

  /** The charge of the second send, which nothing has happened to. */
  const ofFirst = (all: Json[]) => {
    const { chargeId } = the(all, 'MessageSent', 1).data;
    return { chargeId, cause: 'not_sent' };
  };

  const givenBack = (all: Json[], chargeId: string) =>
    again(all, the(all, 'ChargeRefunded'), { chargeId, cause: 'disconnected', amount: 1 });

  const keyed = (all: Json[], wanted: string) =>
    all.find(({ type, meta }) => type === wanted && meta.claim);

  const ofOther = () => ({ accountId: other.accountId });
  const idOfOther = (): string => the(events as Json[], 'MessageReceived').data.message.id;

  it('I10: takes the lost reservation of a recipient that a batch left out for a charge once it is not swept', async () => {
    const { requestId } = batchIn(world.answers);
    const change: Change = {
      events: (all) => {
        const ofBatch = all.filter(({ meta }) => meta.requestId === requestId);
        return without(all, the(ofBatch, 'ChargeRefunded'));
      },
      answers: (all) => {
        const { body } = batchIn(all);
        body.results.pop();
        body.failed = 0;
      },
    };
    const [open, swept] = [
      await problemsAfter(change, { mayBeOpen: true }),
      await problemsAfter(change),
    ].map((all) => all.filter((one) => one.startsWith('I10')).length);
    expect([open, swept]).to.deep.equal([0, 1]);
  });

  for (const [what, expected, change] of cases) {
    it(`sees ${what}`, async () => {
      const problems = (await problemsAfter(change)).join('\n');
      expect(problems).to.match(new RegExp(expected, 'm'));
    });
  }
});
