import { hash as hashOf } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { accountDecider } from '../../src/commands/account/account.ts';
import type { AccountCommand } from '../../src/commands/account/state.ts';
import { supportedEvents } from '../../src/commands/sending/catalog.ts';
import { ChargeReserved } from '../../src/events/account.ts';
import { catalogText, catalogTextVersion } from '../../src/events/catalog-texts.ts';
import { CHAIN_START } from '../../src/events/chain.ts';
import type { Content, Intent } from '../../src/events/content.ts';
import { encode } from '../../src/events/index.ts';
import { intentOf, splitIntent, splitStored } from '../../src/events/intent.ts';
import { grantCommand, openCommand, reserveCommand } from '../support/account-commands.ts';
import { intent, price } from '../support/samples.ts';
import { customer } from '../support/subjects.ts';

const sha256 = (text: string) => hashOf('sha256', text);

const word = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.toWellFormed());
const record = fc.dictionary(fc.constantFrom('type', 'action', 'body'), word);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const contents: fc.Arbitrary<Content> = fc.oneof(
  fc.record({
    type: fc.constant('notification' as const),
    name: word,
    language: word,
    authentication: fc.boolean(),
    parameters: fc.array(word),
  }),
  fc.record({
    type: fc.constant('template' as const),
    name: word,
    language: word,
    components: fc.array(record),
  }),
  fc.record({ type: fc.constant('text' as const), body: word, previewUrl: fc.boolean() }),
  fc.record(
    {
      type: fc.constant('media' as const),
      mediaType: fc.constantFrom('image' as const, 'document' as const),
      link: word,
      id: word,
      caption: word,
      filename: word,
    },
    { requiredKeys: ['type', 'mediaType'] },
  ) as fc.Arbitrary<Content>,
  fc.record(
    {
      type: fc.constant('location' as const),
      latitude: fc.integer(),
      longitude: fc.integer(),
      name: word,
      address: word,
    },
    { requiredKeys: ['type', 'latitude', 'longitude'] },
  ) as fc.Arbitrary<Content>,
  fc.record({ type: fc.constant('interactive' as const), interactive: record }),
  fc.record({ type: fc.constant('contacts' as const), contacts: fc.array(record) }),
  fc.record({ type: fc.constant('reaction' as const), messageId: word, emoji: word }),
);

const intents: fc.Arbitrary<Intent> = fc.record({
  phoneNumberId: optional(word),
  to: word,
  content: contents,
  text: optional(word),
  source: fc.constantFrom('notification' as const, 'api' as const, 'bot' as const),
  event: optional(fc.constantFrom(...supportedEvents)),
  contextMessageId: optional(word),
  clientReference: optional(word),
});

describe('an intent in the log', () => {
  it('is the same after it was split', () =>
    fc.assert(
      fc.property(intents, (whole) => {
        const { outline, said } = JSON.parse(JSON.stringify(splitIntent(whole)));
        expect(intentOf(outline, said)).to.deep.equal(whole);
      }),
    ));

  it('has what the customer gets in the personal part alone', () =>
    fc.assert(
      fc.property(contents, (content) => {
        const { outline } = splitIntent(intent({ content, text: 'secret text' }));
        const clear = ['type', 'mediaType', 'authentication', 'previewUrl', 'language'];
        const named = content.type === 'notification' || content.type === 'template';
        const allowed = [...clear, ...(named ? ['name'] : [])];
        expect(allowed).to.include.members(Object.keys(outline.content));
        expect(JSON.stringify(outline)).not.to.contain('secret text');
      }),
    ));

  it('repeats no text that its content makes', () => {
    const { parameters } = intent().content as { parameters: string[] };
    const text =
      `Your order ${parameters[0]} has been shipped with tracking number ${parameters[1]}. ` +
      `Track it here: ${parameters[2]} . Thank you.`;
    const { outline, said } = splitIntent(intent({ text }));
    expect(said).not.to.have.property('text');
    expect(intentOf(outline, said).text).to.equal(text);
    expect(splitIntent(intent({ text: 'another' })).said).to.include({ text: 'another' });
    expect(splitIntent(intent({ text: null })).said).to.include({ text: null });
  });

  it('repeats no text of a free-form message, and none where there is none', () => {
    const body = 'See you at noon';
    const content = { type: 'text' as const, body, previewUrl: false };
    const { outline, said } = splitIntent(intent({ content, event: null, text: body }));
    expect(said).to.deep.equal({ to: intent().to, content: { body } });
    expect(intentOf(outline, said).text).to.equal(body);
    const ofNoEvent = splitIntent(intent({ event: null, text: null }));
    expect(ofNoEvent.said).not.to.have.property('text');
    expect(intentOf(ofNoEvent.outline, ofNoEvent.said).text).to.equal(null);
  });

  it('has nothing but the recipient in the personal part where the content has nothing', () => {
    const content = { type: 'media', mediaType: 'image' } as Content;
    expect(splitIntent(intent({ content, text: null })).said).to.deep.equal({ to: intent().to });
  });

  it('of an old event is split without what no content has', () => {
    const content = { type: 'text', body: 'Hi', previewUrl: false, note: 'unknown' };
    const { outline, said } = splitStored({ ...intent({ event: null, text: 'Hi' }), content });
    expect(outline.content).to.deep.equal({ type: 'text' });
    expect(said.content).to.deep.equal({ body: 'Hi' });
  });

  it('is null in its personal parts once it is erased', () => {
    const { outline } = splitIntent(intent({ clientReference: 'order-1' }));
    expect(intentOf(outline, null)).to.deep.include({
      to: null,
      content: null,
      text: null,
      clientReference: 'order-1',
      event: 'order_shipped',
    });
  });
});

describe('the texts of the catalog', () => {
  /** Hashes of the texts that messages may have been stored under: a changed text is a new version. */
  const known: Readonly<Record<string, readonly string[]>> = {
    otp_verification: ['ca4b48c877812ed0'],
    password_reset: ['ca4b48c877812ed0'],
    order_verification: ['ca4b48c877812ed0'],
    order_confirmation: ['5c1760a3fb56783a'],
    order_status: ['cb6b737fe51efaa8'],
    order_cancelled: ['68fe6a4d589cd728'],
    order_shipped: ['57137fc4ecc50d16'],
    out_for_delivery: ['471dc15054e93737'],
    order_delivered: ['b7f30b075efa8833'],
    delivery_failed: ['5cc2ed16b7e4ce58'],
    payment_received: ['b2538809466d3dd5'],
    payment_failed: ['07251f95124dd994'],
    return_requested: ['d5ae7199fb21564f'],
    return_pickup_scheduled: ['2b72d8bd3b723c59'],
    refund_processed: ['012f90190d1f8642'],
    cart_recovery: ['9f1dae101d9bed91'],
    review_request: ['6501b4ece3574ad2'],
    back_in_stock: ['c24ff29b7142dd90'],
  };

  it('stay as they are: messages in the log name them by their version', () => {
    const hashes = Object.fromEntries(
      supportedEvents.map((event) => [
        event,
        Array.from({ length: catalogTextVersion(event) }, (_, index) =>
          sha256(catalogText(event, index + 1)!).slice(0, 16),
        ),
      ]),
    );
    expect(hashes).to.deep.include(known);
    expect(Object.keys(hashes)).to.have.members([...supportedEvents]);
  });

  it('are none of an event that is not in the catalog', () => {
    expect(catalogTextVersion('toString')).to.equal(0);
    expect(catalogText('toString', 1)).to.equal(undefined);
  });
});

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('a charge in the log', () => {
  const stream = 'account-acc_1';
  const charge = (change: object) =>
    ChargeReserved.of({
      accountId: 'acc_1',
      entryId: 'led_1_2',
      amount: -1,
      balanceAfter: 9,
      sequence: 2,
      at: '2026-11-21T12:00:00.000Z',
      previousHash: 'a',
      hash: 'b',
      chargeId: 'chg_1_2',
      reason: 'order_shipped',
      price: price(),
      contactRef: customer.ref,
      ...splitIntent(intent()),
      ...change,
    }).data;

  const hash = fc.oneof(word, fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex));
  const chargeIds = fc.constantFrom('chg_1_2', 'chg_1_', 'chg_1_2_3', 'chg_2_2', 'chg_1');

  it('is the same after it was packed and sealed', () =>
    fc.assert(
      fc.property(
        intents,
        word,
        hash,
        hash,
        chargeIds,
        (whole, reason, own, previous, chargeId) => {
          const links = { hash: own, previousHash: previous, chargeId };
          const entryId = chargeId.replace(/^chg_/, 'led_');
          const data = charge({ ...splitIntent(whole), reason, ...links, entryId });
          const encoded = ChargeReserved.encode(data, [customer]);
          const stored = { ...encoded, hash: own, previousHash: previous };
          const { sealed, ...clear } = JSON.parse(JSON.stringify(stored));
          const read = ChargeReserved.decode(ChargeReserved.version, clear, stream);
          expect(ChargeReserved.open(read, sealed, [customer.key])).to.deep.equal(data);
        },
      ),
    ));

  it('repeats nothing that its stream or another field tells', () => {
    const stored = ChargeReserved.encode(charge({}), [customer]);
    expect(stored).not.to.have.any.keys('accountId', 'entryId', 'reason', 'said');
    const usual = ['100000000000001', 'order_shipped', 'en_US'];
    expect(stored.outline).to.deep.equal(usual);
    const named = charge(splitIntent(intent({ clientReference: 'order-1' })));
    expect(ChargeReserved.encode(named, [customer]).outline).to.deep.equal([...usual, 'order-1']);
    expect(stored.chargeId).to.equal('2');
    const answer = charge(splitIntent(intent({ contextMessageId: 'wamid.1' })));
    expect(ChargeReserved.encode(answer, [customer]).outline).to.deep.equal(usual);
    const ofBot = ChargeReserved.encode(charge({ reason: 'bot:1' }), [customer]);
    expect(ofBot).to.include({ reason: 'bot:1' });
  });

  it('has its sealed part last, where the embedded log keeps it as bytes', () => {
    const decider = accountDecider('acc_1');
    let state = decider.initial;
    const run = (command: AccountCommand) => {
      const facts = decider.decide(command, state);
      for (const fact of facts) state = decider.evolve(state, fact);
      return facts;
    };
    run(openCommand('acc_1'));
    run(grantCommand(5));
    const [reserved] = run(reserveCommand());
    const meta = { at: '', requestId: 'req' };
    const keys = { subjects: [customer], chain: CHAIN_START };
    const { data, text, link } = encode(reserved!, meta, keys);
    expect(Object.keys(data).at(-1)).to.equal('sealed');
    expect(data).to.not.have.any.keys('hash', 'previousHash');
    expect(JSON.parse(text)).to.deep.equal(data);
    const hash = sha256(CHAIN_START + text);
    expect(link).to.deep.equal({ previousHash: CHAIN_START, hash });
  });
});
