import { expect } from 'chai';
import fc from 'fast-check';
import type { TemplateRow } from '../../../src/commands/core/lookups.ts';
import { standardPlan } from '../../../src/commands/pricing/pricing.ts';
import { defaultRateCard } from '../../../src/commands/pricing/rate-card.ts';
import { createDirectSends } from '../../../src/commands/sending/direct.ts';
import { createNotifications } from '../../../src/commands/sending/notification.ts';
import { createPassThrough } from '../../../src/commands/sending/pass-through.ts';
import { type Asked, createQuotes } from '../../../src/commands/sending/quote.ts';
import { refusalCodeOf } from '../../../src/commands/sending/refusals.ts';
import type { PlanTerms, RateCard } from '../../../src/events/pricing.ts';
import type { BuiltContent } from '../../../src/provider/rules/message-types.ts';
import { createMemo } from '../../../src/service/lookups/lookup-cache.ts';
import { AppError, isRefusal } from '../../../src/shared/errors.ts';
import type { Limits } from '../../../src/shared/usage.ts';
import { numberRecord } from '../../support/numbers.ts';
import { accountRecord, NOW, templateRow } from '../../support/samples.ts';
import { openSendStage } from '../../support/send-stage.ts';

const ACCOUNT = 'acc_1';
const context = { requestId: 'r', accountId: ACCOUNT };

interface World {
  /** Of the answers of look-ups. */
  version?: number;
  plan: Partial<PlanTerms>;
  card: RateCard;
  balance: number;
  limits: Limits;
  hasNumber: boolean;
  windowIsOpen: boolean;
  rows: TemplateRow[];
  directSend: 'off' | 'fallback';
}

/** An account in memory that sends and asks. The provider takes everything. */
const open = async (world: World) => {
  let ids = 0;
  const {
    run,
    events: log,
    balance,
    ...stage
  } = await openSendStage({
    billing: world.plan.billing,
    balance: world.balance,
    lookups: {
      memo: (isWhole) => createMemo(() => world.version, isWhole),
      account: async (id) => ({ ...accountRecord(id), directSend: world.directSend }),
      plan: async (planId) => ({ ...standardPlan, ...world.plan, planId }),
      rateCards: async () => [world.card],
      numbers: async () => (world.hasNumber ? [numberRecord()] : []),
      templates: async (_, name) => world.rows.filter((row) => row.name === name),
      windowExpiresAt: async () => (world.windowIsOpen ? NOW + 60_000 : NOW - 60_000),
    },
    async send(_, { to }) {
      ids += 1;
      return { kind: 'accepted', messageId: `wamid.${ids}`, recipientWaId: to };
    },
  });
  await run({ type: 'SetLimits', limits: world.limits });
  const sending = {
    ...stage,
    directSends: createDirectSends(stage),
    mirror: { readName: async () => undefined } as never,
    provider: {} as never,
  };
  const quotes = createQuotes(sending);
  const notifications = createNotifications(sending);
  const passThrough = createPassThrough(sending);
  return {
    quotes,
    log,
    balance,
    /** What a send took, or how it was refused. */
    async send(asked: Asked) {
      try {
        const { charge } =
          asked.kind === 'notification'
            ? await notifications.send(asked.request, context)
            : await passThrough.send(asked.request, context);
        const { price } = charge;
        const { billing, creditsRequired, sellPrice } = price;
        return { charged: billing === 'credits' ? creditsRequired : sellPrice, price };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { code: error.code, message: error.message };
      }
    },
  };
};

const recipients = ['+919812345678', '00447700900123', '5491123456789', 'US.1349', '+99912345678'];
const events = ['order_shipped', 'otp_verification', 'cart_recovery'];
/** Seldom set: else most sends meet a cap, and other refusals hardly come up. */
const cap = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 4 }) },
);
const rate = fc.integer({ min: 0, max: 90_000 });

const worlds: fc.Arbitrary<World> = fc.record({
  plan: fc.record({
    billing: fc.constantFrom('credits' as const, 'wallet' as const),
    markup: fc.integer({ min: 0, max: 2_000_000 }),
    creditValue: fc.integer({ min: 1000, max: 50_000 }),
    chargeService: fc.boolean(),
  }),
  card: fc
    .record({ MARKETING: rate, UTILITY: rate, AUTHENTICATION: rate, SERVICE: rate })
    .map((rates) => ({
      ...defaultRateCard,
      rates: { India: rates, Other: { ...rates, UTILITY: rates.MARKETING } },
    })),
  balance: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(400_000)),
  limits: fc.record({
    perMinute: cap,
    daily: cap,
    monthly: cap,
    paused: fc.integer({ min: 0, max: 9 }).map((digit) => digit === 0),
  }),
  hasNumber: fc.integer({ min: 0, max: 9 }).map((digit) => digit > 0),
  windowIsOpen: fc.boolean(),
  rows: fc.array(
    fc
      .record({
        name: fc.constantFrom(...events),
        status: fc.constantFrom('APPROVED' as const, 'PENDING' as const),
        category: fc.constantFrom('UTILITY' as const, 'MARKETING' as const),
        language: fc.constantFrom('en_US', 'hi'),
        accountId: fc.constantFrom(null, 'acc_other'),
      })
      .map(templateRow),
    { maxLength: 4 },
  ),
  directSend: fc.constantFrom('off' as const, 'fallback' as const),
});

const sends: fc.Arbitrary<Asked> = fc.oneof(
  fc
    .record({
      to: fc.constantFrom(...recipients),
      event: fc.constantFrom(...events),
      languageCode: fc.constantFrom(undefined, 'hi'),
      allowTextFallback: fc.boolean(),
      variables: fc.constantFrom({}, { otp: '482913', orderId: 'A-1' }, { otp: '1'.repeat(40) }),
    })
    .map((request): Asked => ({ kind: 'notification', request })),
  fc
    .record({
      to: fc.constantFrom(...recipients),
      content: fc.constantFrom<BuiltContent>(
        { type: 'text' as const, body: 'Hello', previewUrl: false },
        { type: 'template' as const, name: 'order_shipped', language: 'en_US', components: [] },
      ),
    })
    .map((request): Asked => ({ kind: 'message', request })),
);

/** What may become of a send. The property says nothing of what never came up. */
const outcomesWanted = [
  'sent as template',
  'sent as text',
  'sent as direct',
  'account.insufficient',
  'account.cap_reached',
  'template.not_approved',
  'message.window_closed',
  'message.not_allowed',
  'number.none',
  'provider.refused',
];
const ROUNDS_MAX = 20;

describe('a quote', () => {
  it('is what sends then cost, or the refusals that they meet', async () => {
    const outcomes = new Set<string>();
    const property = fc.asyncProperty(
      worlds,
      fc.array(sends, { minLength: 1, maxLength: 5 }),
      async (world, asked) => {
        const { quotes, log, send, balance } = await open(world);
        const before = log.length;
        const quote = await quotes.quote(asked, context);
        expect(log.length, 'a quote writes nothing').to.equal(before);
        expect(quote.balance).to.equal(await balance());
        for (const [index, one] of asked.entries()) {
          const item = quote.items[index]!;
          const { code, message } = item.refusal ?? {};
          const { charged, price } = item;
          const said = item.refusal ? { code, message } : { charged, price };
          const made = await send(one);
          outcomes.add(made.code ?? `sent as ${item.channel}`);
          expect(made, JSON.stringify(one)).to.deep.equal(said);
        }
        expect(quote.balance - (await balance())).to.equal(quote.amount);
        const units = quote.totals.reduce((sum, { amount }) => sum + amount, 0);
        expect(units).to.equal(quote.amount);
      },
    );
    const isMissing = (outcome: string) => !outcomes.has(outcome);
    for (let round = 0; round === 0 || outcomesWanted.some(isMissing); round += 1) {
      if (round === ROUNDS_MAX) break;
      await fc.assert(property, { numRuns: 200 });
    }
    expect([...outcomes]).to.include.members(outcomesWanted);
  });

  it('binds a send to its price, for 10 minutes', async () => {
    const world: World = {
      version: 1,
      plan: {},
      card: defaultRateCard,
      balance: 100,
      limits: { perMinute: null, daily: null, monthly: null, paused: false },
      hasNumber: true,
      windowIsOpen: false,
      rows: [templateRow({})],
      directSend: 'off',
    };
    const { quotes, send } = await open(world);
    const request = { to: recipients[0]!, event: 'order_shipped', variables: {} };
    const asked: Asked = { kind: 'notification', request };
    const { quoteId } = await quotes.quote([asked], context);
    const quoted = quotes.read(ACCOUNT, quoteId!);
    const bound: Asked = { kind: 'notification', request: { ...request, quoted } };
    expect(await send(bound)).to.include({ charged: 1 });
    world.plan = { markup: 20_000_000 };
    world.version = 2;
    const message = 'The price has changed: 1 credits was quoted, and it is 3 credits now';
    expect(await send(bound)).to.deep.equal({ code: 'quote.changed', message });
    const changed = new AppError('quote.changed', 'Changed', { quoted: 1, now: 3 });
    expect(refusalCodeOf(changed)).to.equal('QUOTE_CHANGED');
    const late = { ...quoted, validUntil: NOW - 1 };
    const tooLate: Asked = { kind: 'notification', request: { ...request, quoted: late } };
    expect(await send(tooLate)).to.include({ code: 'quote.expired' });
    expect(() => quotes.read('acc_2', quoteId!)).to.throw('no quote of this account');
  });
});
