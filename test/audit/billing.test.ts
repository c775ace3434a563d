import { expect } from 'chai';
import fc from 'fast-check';
import {
  billOf,
  type Charged,
  type DifferenceKind,
  differenceOf,
  isByPlan,
  recordedCost,
  type Told,
  tell,
  untold,
} from '../../src/audit/billing.ts';
import { readBill } from '../../src/audit/billing-report.ts';
import { compareVolumes } from '../../src/audit/volumes.ts';
import type { Pricing } from '../../src/events/message.ts';
import { each } from '../support/books.ts';
import { messageOf } from '../support/spec.ts';

const paid: Charged = {
  amount: 2,
  category: 'UTILITY',
  refundOnFailure: true,
  refundCause: null,
  providerCost: 1400,
  wentOut: false,
};
const free: Charged = { ...paid, amount: 0, category: 'SERVICE' };
const ofCategory = (category: Charged['category']): Charged => ({ ...paid, category });
const back = (refundCause: Charged['refundCause']): Charged => ({ ...paid, refundCause });
const failed = back('delivery_failed');

const regular = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };
const AT = '2026-11-21T12:00:00.000Z';

/** What these statuses say together; each a name, or a name and a pricing. */
const told = (...statuses: readonly (string | [string, Pricing | null])[]): Told =>
  statuses.reduce<Told>((before, one) => {
    const [status, pricing] = typeof one === 'string' ? [one, null] : one;
    return tell(before, { status, statusAt: AT, pricing });
  }, untold);
const sent = (change: Pricing = {}, ...more: readonly string[]) =>
  told(['sent', { ...regular, ...change }], ...more);
const SERVICE = { type: 'free_customer_service' };
const ENTRY = { type: 'free_entry_point' };
const NO_BILL = 'charged_not_billable';
const NO_CHARGE = 'billed_not_charged';

const cases: readonly [string, Charged | null, Told, DifferenceKind | null][] = [
  ['charged and billed', paid, sent({}, 'delivered'), null],
  ['charged and priced, not delivered yet', paid, sent(), null],
  ['charged and billed, as type alone says', paid, told(['sent', { type: 'regular' }]), null],
  ['charged and billed, as billable alone says', paid, told(['sent', { billable: true }]), null],
  ['the type wins over billable', paid, sent({ billable: false }), null],
  ['a customer service conversation', paid, sent(SERVICE), NO_BILL],
  ['a free entry point', paid, sent(ENTRY), NO_BILL],
  ['not billable, of an old version', paid, told(['sent', { billable: false }]), NO_BILL],
  ['given back and billed', back('disconnected'), sent({}, 'delivered'), NO_CHARGE],
  ['unknown, given back and billed', back('unknown_outcome'), sent(), NO_CHARGE],
  ['failed, given back, then delivered', failed, sent({}, 'failed', 'delivered'), NO_CHARGE],
  ['given back, and not sent', back('not_sent'), untold, null],
  ['given back, and failed', failed, sent({}, 'failed'), null],
  ['given back, and free', back('disconnected'), sent(ENTRY), null],
  ['free and billed', free, sent({ category: 'service' }), NO_CHARGE],
  ['free and not billed', free, sent({ ...SERVICE, category: 'service' }), null],
  ['free and failed', free, told('failed'), null],
  ['billed, of another sender', null, sent(), NO_CHARGE],
  ['not billed, of another sender', null, sent(SERVICE), null],
  ['billed as marketing', paid, sent({ category: 'marketing' }), 'other_category'],
  ['billed as a category that nobody knows', paid, sent({ category: 'gold' }), 'other_category'],
  ['an advertisement names no category', paid, sent({ category: 'referral_conversion' }), null],
  [
    'international, with a hyphen',
    ofCategory('AUTHENTICATION'),
    sent({ category: 'authentication-international' }),
    'other_category',
  ],
  ['marketing, lite', ofCategory('MARKETING'), sent({ category: 'marketing_lite' }), null],
  ['failed and kept', paid, told('failed'), 'failed_kept'],
  ['sent, failed and kept', paid, sent({}, 'failed'), 'failed_kept'],
  ['no status', paid, untold, 'no_word'],
  ['no status of a free message', free, untold, 'no_word'],
  ['delivered without a price', paid, told('sent', 'delivered', 'read'), 'no_word'],
  ['a type that nobody knows', paid, sent({ type: 'gold' }), 'no_word'],
];

const bill = (text: string) => readBill(each(text.split('\n')));

describe('charge and bill of a message', () => {
  for (const [what, charged, words, kind] of cases) {
    it(`${kind === null ? 'agree' : `differ (${kind})`}: ${what}`, () => {
      expect(differenceOf(charged, words)).to.equal(kind);
    });
  }

  it('differ as the plan wants it for free messages, and failures that it keeps', () => {
    expect(isByPlan('billed_not_charged', free)).to.equal(true);
    expect(isByPlan('billed_not_charged', back('disconnected'))).to.equal(false);
    expect(isByPlan('failed_kept', { ...paid, refundOnFailure: false })).to.equal(true);
    expect(isByPlan('failed_kept', paid)).to.equal(false);
    expect(isByPlan('billed_not_charged', null)).to.equal(false);
  });

  it('agree in any order of the statuses', () => {
    const names = ['sent', 'delivered', 'read'];
    const statuses = names.map((status): [string, Pricing] => [status, regular]);
    fc.assert(
      fc.property(fc.shuffledSubarray(statuses, { minLength: 1 }), (some) => {
        expect(differenceOf(paid, told(...some))).to.equal(null);
      }),
    );
  });
});

describe('the money of a message', () => {
  const rateOf = (category: string) => (category === 'MARKETING' ? 11_800 : null);
  const between = (charged: Charged | null, words: Told) => {
    const bill = billOf(charged, words, rateOf);
    return bill === null ? null : bill - recordedCost(charged);
  };

  it('is what the provider bills less what was recorded as its cost', () => {
    const read = [sent({}, 'read'), sent({ category: 'marketing' }), told('failed')];
    expect(read.map((words) => between(paid, words))).to.deep.equal([0, 10_400, -1400]);
    expect(between(paid, sent(ENTRY))).to.equal(-1400);
    // What statements count as cost although it was given back.
    expect(between(back('disconnected'), sent())).to.equal(0);
    expect(between({ ...back('unknown_outcome'), wentOut: true }, sent())).to.equal(0);
    expect(between(failed, sent({}, 'delivered'))).to.equal(1400);
    expect(between(null, sent(SERVICE))).to.equal(0);
  });

  it('is not known without a word of the provider, or without a rate', () => {
    const unknown = [
      [paid, told('delivered')],
      [paid, sent({ category: 'gold' })],
      [paid, sent({ category: 'service' })],
      [paid, sent({ category: 'authentication-international' })],
      [{ ...free, providerCost: null }, sent({ category: 'service' })],
      [null, sent()],
    ] as const;
    for (const [charged, words] of unknown) expect(between(charged, words)).to.equal(null);
  });
});

describe('the delivery of a message', () => {
  it('is at its first proof, whatever comes later', () => {
    const pricing = null;
    const later = '2026-12-01T00:00:00.000Z';
    const delivered = tell(untold, { status: 'delivered', statusAt: AT, pricing });
    expect(tell(delivered, { status: 'read', statusAt: later, pricing }).deliveredAt).to.equal(AT);
    expect(tell(untold, { status: 'sent', statusAt: AT, pricing }).deliveredAt).to.equal(null);
  });
});

describe('volumes of two sides', () => {
  const volume = fc.record({
    category: fc.constantFrom('UTILITY', 'MARKETING'),
    countryCode: fc.constantFrom('GB', 'IN', 'ZZ'),
    billed: fc.nat(99),
    free: fc.nat(99),
    cost: fc.constant(null),
  });
  const volumes = fc.uniqueArray(volume, {
    selector: ({ category, countryCode }) => category + countryCode,
  });

  it('are the same where both count alike, and else by category and country', () => {
    fc.assert(
      fc.property(volumes, (some) => {
        const theirs = some.map((one) => ({ ...one, cost: null }));
        expect(compareVolumes(some, theirs).every(({ isSame }) => isSame)).to.equal(true);
        const none = compareVolumes(some, []).filter(({ isSame }) => isSame);
        expect(none.every(({ ours }) => ours.billed + ours.free === 0)).to.equal(true);
      }),
    );
  });

  it('differ in money by what they cost there less what was recorded here', () => {
    const volume = { category: 'UTILITY', countryCode: 'IN', billed: 3, free: 0 };
    const between = (ours: number | null, theirs: number | null) =>
      compareVolumes([{ ...volume, cost: ours }], [{ ...volume, cost: theirs }])[0]!.difference;
    expect([between(0.0042, 0.0056), between(0.3, 0.1)]).to.deep.equal(['0.0014', '-0.2000']);
    expect([between(0.0042, null), between(null, 0.0042)]).to.deep.equal([null, null]);
    const alone = (cost: number) => compareVolumes([{ ...volume, cost }], [])[0]!.difference;
    expect(alone(0.0042)).to.equal('-0.0042');
  });

  it('are read from a file with the columns of the provider, in any order', async () => {
    const read = await bill(
      '\ufeffPricing Category,Country,Pricing Type,Quantity,Cost\n' +
        '"Authentication-International",in,REGULAR,3,0.5\nMARKETING,,FREE_ENTRY_POINT,2,\n\n' +
        '"authentication international",IN,regular,"1",0.25',
    );
    expect(read).to.deep.equal([
      {
        category: 'AUTHENTICATION_INTERNATIONAL',
        countryCode: 'IN',
        billed: 4,
        free: 0,
        cost: 0.75,
      },
      { category: 'MARKETING', countryCode: 'ZZ', billed: 0, free: 2, cost: null },
    ]);
    expect(await bill('country\tcategory\tvolume\nGB\tUTILITY\t1')).to.have.length(1);
  });

  it('are refused with the line that cannot be read', async () => {
    const problems: [string, string][] = [
      ['', 'the file is empty'],
      ['country,volume\n', 'missing: category or pricing_category'],
      ['country,category,volume\nGB,UTILITY,1\nGB,UTILITY,1.5', 'line 3: the volume'],
      ['country,category,volume\nGB,,1', 'line 2: the category is missing'],
    ];
    for (const [text, problem] of problems) {
      expect(await messageOf(bill(text))).to.include(problem);
    }
  });
});
