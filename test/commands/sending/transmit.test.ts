import { expect } from 'chai';
import fc from 'fast-check';
import { bytesOf } from '../../../src/commands/account/free-writes.ts';
import { standardPlan } from '../../../src/commands/pricing/pricing.ts';
import { defaultRateCard } from '../../../src/commands/pricing/rate-card.ts';
import { messageDecider } from '../../../src/commands/sending/message.ts';
import type { Draft, SendContext } from '../../../src/commands/sending/send.ts';
import { PlanAssigned } from '../../../src/events/account.ts';
import type { Content } from '../../../src/events/content.ts';
import type { EventOf, KnownEvent } from '../../../src/events/index.ts';
import { intentOf, splitIntent } from '../../../src/events/intent.ts';
import type { PlanTerms } from '../../../src/events/pricing.ts';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { inAccount } from '../../../src/events/streams.ts';
import type { SendOutcome } from '../../../src/provider/provider.ts';
import { createMemo } from '../../../src/service/lookups/lookup-cache.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { terms } from '../../support/account-commands.ts';
import { refOfMessage } from '../../support/message-refs.ts';
import { sender } from '../../support/provider.ts';
import { accountRecord, intent, NOW, price, sentRecord } from '../../support/samples.ts';
import { openSendStage } from '../../support/send-stage.ts';
import { codeOf, failureOf } from '../../support/spec.ts';
import { customer, subjectOfId } from '../../support/subjects.ts';
import { until } from '../../support/until.ts';

const ACCOUNT = 'acc_1';
const context = { requestId: 'r', accountId: ACCOUNT };
const content: Content = { type: 'text', body: 'with all in it', previewUrl: false };
const details = { event: 'order_shipped', template: 'order_shipped' };
const ACCEPTED: SendOutcome = { kind: 'accepted', messageId: 'wamid.1', recipientWaId: '9198' };
const UNKNOWN: SendOutcome = { kind: 'unknown', reason: 'silence' };
const refusedWith = (code: number | null): SendOutcome => ({
  kind: 'refused',
  refusal: { code, subcode: null, message: 'no', httpStatus: 400 },
});
const draft = (change: Partial<Draft> = {}): Draft => ({
  category: 'UTILITY',
  reason: 'order_shipped',
  intent: intent(),
  outgoing: { sender: sender(), content, details },
  ...change,
});

/** A transmitter for an account that has 10 credits, or millionths. */
const open = async ({
  outcome = ACCEPTED as SendOutcome | Promise<SendOutcome> | (() => SendOutcome),
  /** Runs before each append; `take` lets time pass. */
  before = async (_: EventStore, _type: string, _take: (ms: number) => void) => {},
  known = ['standard'] as readonly string[],
  plan = {} as Partial<PlanTerms>,
  card = defaultRateCard,
} = {}) => {
  let elapsedMs = 0;
  const take = (ms: number) => {
    elapsedMs += ms;
  };
  const asked: unknown[] = [];
  const looked: unknown[] = [];
  const free: unknown[] = [];
  const left: string[] = [];
  const stage = await openSendStage({
    billing: plan.billing,
    balance: 10,
    bytesPerMb: 1024,
    monotonicMs: () => elapsedMs,
    beforeAppend: (log, type) => before(log, type, take),
    lookups: {
      memo: () => createMemo(() => undefined),
      async account(id, how) {
        looked.push(how);
        return accountRecord(id, known[Math.min(looked.length, known.length) - 1]!);
      },
      plan: async (planId) => ({ ...standardPlan, ...plan, planId }),
      rateCards: async () => [card],
    },
    async send(...what) {
      asked.push(what);
      return typeof outcome === 'function' ? outcome() : outcome;
    },
    onLeftOpen: (what) => left.push(what),
    onFree: (...what) => free.push(what),
  });
  const since = () => (stage.events as readonly KnownEvent[]).slice(2);
  const types = () => since().map(({ type }) => type);
  const transmit = (one = draft(), on: SendContext = context) =>
    stage.transmitter.transmit(one, on);
  return { ...stage, transmit, asked, looked, free, left, since, types };
};
const { outline: clear, said: words } = splitIntent(intent());
const FREE_BYTES = bytesOf({ ...clear, ...words }) + 2000;

describe('a send', () => {
  it('is reserved, made once and recorded', async () => {
    const { transmit, asked, since, types, balance, free } = await open();
    const sent = await transmit();
    expect(types()).to.deep.equal(['ChargeReserved', 'MessageSent']);
    const [reserved, recorded] = since() as [EventOf<'ChargeReserved'>, EventOf<'MessageSent'>];
    const { chargeId } = reserved.data;
    expect(reserved.data).to.deep.include({ amount: -1, reason: 'order_shipped', price: price() });
    const called = { to: intent().to, content, contextMessageId: null, direct: undefined };
    expect(asked).to.deep.equal([[sender(), { ...called, chargeId }, undefined]]);
    const { ref: contactRef } = subjectOfId('9198');
    const { tookMs, ...record } = recorded.data;
    expect(tookMs).to.be.a('number');
    expect(record).to.deep.equal(
      sentRecord({
        messageRef: refOfMessage('wamid.1'),
        messageId: 'wamid.1',
        contactRef,
        chargeId,
        recipient: { waId: '9198' },
      }),
    );
    expect(recorded.meta.accountId).to.equal(ACCOUNT);
    const charge = { chargeId, price: price(), balanceAfter: 9 };
    const said = { messageId: 'wamid.1', charge, outline: clear, recipientWaId: '9198' };
    expect(sent).to.deep.equal(said);
    expect([await balance(), free]).to.deep.equal([9, []]);
  });

  it('is recorded for the number it was sent to where the provider names none', async () => {
    const outcome = { ...ACCEPTED, recipientWaId: null } as SendOutcome;
    const { transmit, since } = await open({ outcome });
    await transmit();
    expect(since()[1]!.data).to.include({ contactRef: customer.ref, recipient: null });
  });

  it('gives its charge back where the provider refuses, and counts what it wrote', async () => {
    for (const [code, free] of [
      [131026, [[ACCOUNT, FREE_BYTES]]],
      [null, []],
    ] as const) {
      const setup = await open({ outcome: refusedWith(code) });
      const error = await failureOf(setup.transmit());
      expect(error.code).to.equal('provider.refused');
      expect(error.details).to.include({ ...details, providerCode: code, providerMessage: 'no' });
      expect(setup.since()[1]).to.include({ type: 'ChargeRefunded' });
      expect(setup.since()[1]!.data).to.include({ cause: 'not_sent', amount: 1 });
      expect([await setup.balance(), setup.free]).to.deep.equal([10, free]);
    }
  });

  it('gives its charge back when the outcome is unknown', async () => {
    const { transmit, since, balance } = await open({ outcome: UNKNOWN });
    const error = await failureOf(transmit());
    expect(error.code).to.equal('provider.unknown_outcome');
    expect(error.details).to.include(details);
    expect(since()[1]!.data).to.include({ cause: 'unknown_outcome' });
    expect(await balance()).to.equal(10);
  });

  it('gives its charge back where the provider names the id of another message', async () => {
    const { transmit, writer, since } = await open();
    const messageRef = refOfMessage('wamid.1');
    const owner = { messageRef, accountId: ACCOUNT, phoneNumberId: '1', contactRef: null };
    const taken = { type: 'ClaimInboundId' as const, owner };
    await writer.execute(messageDecider, inAccount(ACCOUNT, messageRef), taken, context);
    const error = await failureOf(transmit());
    expect(error.code).to.equal('provider.refused');
    expect(error.details).to.include({ providerCode: null });
    expect(since().at(-1)).to.include({ type: 'ChargeRefunded' });
    expect(since().at(-1)!.data).to.include({ cause: 'not_sent' });
  });

  it('that cannot be sent leaves a charge and its refund, without the content', async () => {
    const error = new AppError('number.none', 'no number');
    const { transmit, asked, since, free, balance } = await open();
    expect(await failureOf(transmit(draft({ outgoing: error })))).to.equal(error);
    const [reserved, refunded] = since() as [EventOf<'ChargeReserved'>, KnownEvent];
    const kept = intentOf(reserved.data.outline, reserved.data.said);
    expect(kept).to.deep.include({ text: null, to: intent().to });
    expect(kept.content).to.deep.include({ name: 'order_shipped', parameters: [] });
    expect(refunded!.data).to.include({ cause: 'not_sent' });
    expect([asked.length, await balance(), free.length]).to.deep.equal([0, 10, 1]);
  });

  it('that is free and cannot be sent leaves no trace, and meets the account’s refusals', async () => {
    const error = new AppError('number.none', 'no number');
    const text = { ...intent(), content };
    const given = draft({ category: 'SERVICE', intent: text, outgoing: error });
    const { transmit, types, run } = await open();
    expect(await failureOf(transmit(given))).to.equal(error);
    expect(types()).to.deep.equal([]);
    await run({ type: 'SetLimits', limits: { paused: true } });
    expect(await codeOf(transmit(given))).to.equal('account.cap_reached');
  });

  it('keeps a text where it is refused, and the parts of a template out', async () => {
    const error = new AppError('number.none', 'no number');
    const named = { type: 'template', name: 't', language: 'en' } as const;
    for (const [kept, expected] of [
      [
        { ...named, components: [{ a: 1 }] },
        { ...named, components: [] },
      ],
      [content, content],
    ] as [Content, Content][]) {
      const { transmit, since } = await open();
      const given = draft({ intent: { ...intent(), content: kept }, outgoing: error });
      await failureOf(transmit(given));
      const [reserved] = since() as [EventOf<'ChargeReserved'>];
      const { outline, said } = reserved.data;
      expect(intentOf(outline, said)).to.deep.include({ content: expected });
    }
  });

  it('is priced again when the account has left the cached plan', async () => {
    const before = async (store: EventStore, type: string) => {
      if (type !== 'ChargeReserved' || moved.shift() === undefined) return;
      const planId = `p${2 - moved.length}`;
      const fact = PlanAssigned.of({ ...terms, accountId: ACCOUNT, planId });
      const meta = { at: new Date(NOW).toISOString(), requestId: 'other' };
      const event = { ...fact, id: `moved ${moved.length}`, version: 1, meta };
      const revision = (await store.read(`account-${ACCOUNT}`)).length - 1;
      await store.append(`account-${ACCOUNT}`, revision, [event]);
    };
    let moved = [1, 2];
    const known = ['standard', 'p1', 'p2'];
    const twice = await open({ before, known });
    const { charge } = await twice.transmit();
    expect(charge.price.planId).to.equal('p2');
    expect(twice.looked).to.deep.equal([{ fresh: false }, { fresh: true }, { fresh: true }]);
    moved = [1, 2, 3];
    const thrice = await open({ before, known: ['standard', 'p0', 'p1', 'p2'] });
    const error = await failureOf(thrice.transmit());
    expect([error.code, error.details.retryAfterSeconds]).to.deep.equal(['service.unavailable', 1]);
    expect([thrice.looked.length, thrice.asked.length]).to.deep.equal([3, 0]);
  });

  it('is recorded once the log is back, in five further attempts', async () => {
    let failures = 2;
    const before = async (_: EventStore, type: string) => {
      if (type !== 'MessageSent') return;
      failures -= 1;
      if (failures >= 0) throw new StoreUnavailable('away');
    };
    const { transmit, types, asked } = await open({ before });
    await transmit();
    expect([types(), asked.length]).to.deep.equal([['ChargeReserved', 'MessageSent'], 1]);
  });

  it('stays charged where it cannot be recorded: a status brings the record', async () => {
    const before = async (_: EventStore, type: string) => {
      if (type === 'MessageSent') throw new Error('strange');
    };
    const { transmit, types, left } = await open({ before });
    const error = await failureOf(transmit());
    expect(error.code).to.equal('service.unavailable');
    expect(error.details.retryAfterSeconds).to.equal(60);
    expect([types(), left]).to.deep.equal([['ChargeReserved'], ['record']]);
  });

  it('leaves its refund to the sweep where the log does not take it', async () => {
    const before = async (_: EventStore, type: string) => {
      if (type === 'ChargeRefunded') throw new Error('strange');
    };
    for (const [outcome, code] of [
      [refusedWith(1), 'provider.refused'],
      // Nothing promises a refund where a status may still give the charge its message.
      [UNKNOWN, 'service.unavailable'],
    ] as const) {
      const { transmit, left } = await open({ before, outcome });
      expect(await codeOf(transmit())).to.equal(code);
      expect(left).to.deep.equal(['refund']);
    }
  });

  /** For so long before the reservation. */
  const frozen =
    (ms: number) => async (_: EventStore, type: string, take: (ms: number) => void) => {
      if (type === 'ChargeReserved') take(ms);
    };

  it('is not made once its caller has gone, nor after two minutes of preparing', async () => {
    const gone = await open();
    const away = { ...context, signal: AbortSignal.abort() };
    expect(await codeOf(gone.transmit(draft(), away))).to.equal('request.timeout');
    expect([gone.asked.length, gone.free]).to.deep.equal([0, [[ACCOUNT, FREE_BYTES]]]);
    expect(gone.types()).to.deep.equal(['ChargeReserved', 'ChargeRefunded']);
    const late = await open({ before: frozen(120_001) });
    const slow = await failureOf(late.transmit());
    expect([slow.code, slow.details.retryAfterSeconds]).to.deep.equal(['service.unavailable', 5]);
    expect([late.asked.length, late.free]).to.deep.equal([0, []]);
    expect(late.types()).to.deep.equal(['ChargeReserved', 'ChargeRefunded']);
  });

  it('leaves its charge to the sweep once a status may have given it a message', async () => {
    for (const [ms, types] of [
      [195_000, ['ChargeReserved', 'ChargeRefunded']],
      [195_001, ['ChargeReserved']],
    ] as const) {
      const late = await open({ before: frozen(ms) });
      expect(await codeOf(late.transmit())).to.equal('service.unavailable');
      expect([late.asked.length, late.types()]).to.deep.equal([0, types]);
    }
  });

  it('is under way until it has ended, however it ends', async () => {
    for (const outcome of [ACCEPTED, refusedWith(1)]) {
      const word = Promise.withResolvers<SendOutcome>();
      const { transmit, asked, since, sends } = await open({ outcome: word.promise });
      const sending = transmit().catch(() => undefined);
      await until('the provider is asked', () => asked.length === 1);
      const [{ data }] = since() as [EventOf<'ChargeReserved'>];
      const aged = { ...data, at: new Date(0).toISOString() };
      expect(await sends.mayBeUnderWay(aged)).to.equal(true);
      word.resolve(outcome);
      await sending;
      expect(await sends.mayBeUnderWay(aged)).to.equal(false);
    }
  });

  describe('whose caller hangs up during the call of the provider', () => {
    const hangUp = async (outcome: SendOutcome) => {
      const word = Promise.withResolvers<SendOutcome>();
      const setup = await open({ outcome: word.promise });
      const caller = new AbortController();
      const { signal } = caller;
      const sending = setup.transmit(draft(), { ...context, signal }).catch(() => undefined);
      await until('the provider is asked', () => setup.asked.length === 1);
      caller.abort();
      word.resolve(outcome);
      await sending;
      const causes = () =>
        setup.since().flatMap((one) => (one.type === 'ChargeRefunded' ? [one.data.cause] : []));
      await until('the refund', () => causes().length > 0);
      await new Promise(setImmediate);
      return { causes: causes(), setup };
    };

    it('is reversed where the provider takes it', async () => {
      const { causes, setup } = await hangUp(ACCEPTED);
      expect(causes).to.deep.equal(['disconnected']);
      expect(setup.types()).to.include('MessageSent');
      expect(await setup.balance()).to.equal(10);
    });

    it('is given back once where the provider refuses it', async () => {
      expect((await hangUp(refusedWith(1))).causes).to.deep.equal(['not_sent']);
    });

    it('is given back where the provider does not answer, as without a hang-up', async () => {
      expect((await hangUp(UNKNOWN)).causes).to.deep.equal(['unknown_outcome']);
    });
  });
});

describe('a free-form reply', () => {
  const reply = (change: Partial<Draft> = {}) =>
    draft({ category: 'SERVICE', reason: 'text', intent: { ...intent(), content }, ...change });
  const rates = { MARKETING: 9, UTILITY: 3, AUTHENTICATION: 3, SERVICE: 2 };
  const card = { ...defaultRateCard, rates: { Other: rates } };
  const plans = {
    credits: { billing: 'credits', markup: 0, creditValue: 1 },
    wallet: { billing: 'wallet', markup: 0, creditValue: null },
  } as const;

  for (const billing of ['credits', 'wallet'] as const) {
    const plan = plans[billing];
    const unit = billing === 'credits' ? 'credits' : 'millionths';

    it(`costs its column of the card where the plan charges it, in ${unit}`, async () => {
      const charging = { ...plan, chargeService: true };
      const { transmit, since, types, balance } = await open({ card, plan: charging });
      const { charge } = await transmit(reply());
      expect(charge.price).to.include({ category: 'SERVICE', providerCost: 2, sellPrice: 2 });
      expect([charge.balanceAfter, await balance()]).to.deep.equal([8, 8]);
      expect(types()).to.deep.equal(['ChargeReserved', 'MessageSent']);
      expect(since()[0]!.data).to.include({ amount: -2, reason: 'text' });
      expect(since()[1]!.data).to.include({ category: 'SERVICE' });
    });

    it(`is free on other plans, and its record has what the provider takes (${unit})`, async () => {
      const { transmit, since, types, balance } = await open({ card, plan });
      await transmit(reply());
      expect(types()).to.deep.equal(['ChargeReserved', 'MessageSent']);
      const [reserved] = since();
      const { price: made } = reserved!.data as { price: object };
      expect(made).to.include({ providerCost: 2, sellPrice: 0, rateCardId: card.rateCardId });
      expect(await balance()).to.equal(10);
    });
  }

  it('that cannot be sent leaves no trace on a plan that charges it, and meets the refusals', async () => {
    const error = new AppError('message.window_closed', 'closed', { windowExpiredAt: null });
    const ids = ['1', '2', '3', '4', '5'];
    const outcome = () => ({ ...ACCEPTED, messageId: `wamid.${ids.pop()}` });
    const plan = { ...plans.credits, chargeService: true };
    const { transmit, types, free, balance } = await open({ outcome, card, plan });
    const unsendable = reply({ outgoing: error });
    expect(await failureOf(transmit(unsendable))).to.equal(error);
    expect([types(), free, await balance()]).to.deep.equal([[], [], 10]);
    for (let count = 0; count < 5; count += 1) await transmit(reply());
    const poor = await failureOf(transmit(unsendable));
    expect(poor.code).to.equal('account.insufficient');
    expect(poor.details).to.include({ category: 'SERVICE', creditsRequired: 2, balance: 0 });
    expect(types()).to.have.length(10);
  });

  it('moves money by what went out alone, whatever happens to each, and never below zero', async () => {
    const fate = fc.constantFrom('accepted', 'refused', 'unknown', 'unsendable');
    const outcomes: Record<string, SendOutcome> = {
      refused: refusedWith(131026),
      unknown: UNKNOWN,
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { maxLength: 12 }),
        fc.constantFrom('credits' as const, 'wallet' as const),
        fc.boolean(),
        fc.integer({ min: 0, max: 4 }),
        async (fates, billing, chargeService, rate) => {
          let next: SendOutcome = ACCEPTED;
          const { transmit, since, balance, asked, free } = await open({
            outcome: () => next,
            plan: { ...plans[billing], chargeService },
            card: { ...card, rates: { Other: { ...rates, SERVICE: rate } } },
          });
          const cost = chargeService ? rate : 0;
          let [left, wentOut, tried, refused] = [10, 0, 0, 0];
          for (const [index, one] of fates.entries()) {
            next = outcomes[one] ?? { ...ACCEPTED, messageId: `wamid.${index}` };
            const unsendable = new AppError('number.none', 'no number');
            const message = reply(one === 'unsendable' ? { outgoing: unsendable } : {});
            const covered = cost <= left;
            const done = await codeOf(transmit(message));
            if (!covered) {
              expect(done).to.equal('account.insufficient');
              continue;
            }
            if (one === 'accepted') [left, wentOut] = [left - cost, wentOut + 1];
            if (one !== 'unsendable') tried += 1;
            if (one === 'refused') refused += 1;
            expect(done === 'none').to.equal(one === 'accepted');
            expect(await balance()).to.equal(left);
          }
          const kept = since().flatMap((event) =>
            'amount' in event.data ? [event.data.amount] : [],
          );
          expect(kept.reduce((sum, amount) => sum + amount, 0)).to.equal(left - 10);
          const count = (type: string) => since().filter((event) => event.type === type).length;
          expect(asked).to.have.length(tried);
          // Neither a message that went out nor an unstored refusal is a free write.
          expect(free).to.have.length(refused);
          expect(count('ChargeReserved')).to.equal(tried);
          expect(count('MessageSent')).to.equal(wentOut);
          expect(count('ChargeRefunded')).to.equal(tried - wentOut);
          if (!chargeService) expect(kept.every((amount) => amount === 0)).to.equal(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
