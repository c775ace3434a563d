import { expect } from 'chai';
import fc from 'fast-check';
import { type MessageItem, rawOf, type WebhookItem } from '../../../src/provider/webhook/item.ts';
import {
  decodeWebhook,
  isSignature,
  signatureOf,
  verifySignature,
} from '../../../src/provider/webhook/webhook.ts';

const payload = (...changes: object[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '200000000000002', time: 1789000000, changes }],
});
const metadata = { display_phone_number: '15550100001', phone_number_id: '100000000000001' };
const messages = (value: object) => ({
  field: 'messages',
  value: { messaging_product: 'whatsapp', metadata, ...value },
});

const decodeText = (text: string): WebhookItem[] => {
  const decoding = decodeWebhook(Buffer.from(text));
  if (!decoding.ok) throw new Error(decoding.reason);
  return [...decoding.items];
};
const decode = (value: unknown) => decodeText(JSON.stringify(value));
/** Items without the payload that each carries. */
const bare = (items: WebhookItem[]) => items.map((item) => ({ ...item, envelope: undefined }));

const delivered = {
  id: 'wamid.OUT1',
  status: 'delivered',
  timestamp: '1789000005',
  recipient_id: '447700900123',
  biz_opaque_callback_data: 'charge-1',
  pricing: { billable: true, pricing_model: 'PMP', category: 'utility' },
};
const deliveredItem = {
  kind: 'status',
  phoneNumberId: '100000000000001',
  wabaId: '200000000000002',
  messageId: 'wamid.OUT1',
  status: 'delivered',
  at: '2026-09-10T00:26:45.000Z',
  recipientWaId: '447700900123',
  recipientUserId: null,
  chargeId: 'charge-1',
  errorCode: null,
  errorMessage: null,
  pricing: { billable: true, pricing_model: 'PMP', category: 'utility' },
  envelope: undefined,
};
const hello = {
  from: '447700900123',
  id: 'wamid.IN1',
  timestamp: '1789000000',
  type: 'text',
  text: { body: 'héllo' },
};
const mia = { profile: { name: 'Mia' }, wa_id: '447700900123' };
const max = { profile: { name: 'Max' }, wa_id: '4915112345678' };

describe('decodeWebhook @long', () => {
  it('reads a delivery update', () => {
    const items = decode(payload(messages({ statuses: [delivered] })));
    expect(bare(items)).to.deep.equal([deliveredItem]);
  });

  it('reads why a message failed', () => {
    const errors = [
      { code: 131026, title: 'Undeliverable', error_data: { details: 'Not there.' } },
    ];
    const failed = { ...delivered, status: 'failed', errors, pricing: undefined };
    expect(decode(payload(messages({ statuses: [failed] })))[0]).to.include({
      status: 'failed',
      errorCode: '131026',
      errorMessage: 'Not there.',
      pricing: null,
    });
  });

  it('reads a message, verbatim, with its sender', () => {
    const items = decode(payload(messages({ contacts: [max, mia], messages: [hello] })));
    expect(bare(items)).to.deep.equal([
      {
        kind: 'message',
        phoneNumberId: '100000000000001',
        wabaId: '200000000000002',
        messageId: 'wamid.IN1',
        displayPhoneNumber: '15550100001',
        from: '447700900123',
        userId: null,
        change: null,
        type: 'text',
        at: '2026-09-10T00:26:40.000Z',
        message: hello,
        contact: mia,
        envelope: undefined,
      },
    ]);
  });

  it('reads a message whose sender hides the number', () => {
    const hidden = { ...hello, from: undefined, from_user_id: 'GB.1' };
    const contact = { profile: { name: 'Mia' }, user_id: 'GB.1' };
    const items = decode(payload(messages({ contacts: [contact], messages: [hidden] })));
    expect(items[0]).to.deep.include({ kind: 'message', from: null, userId: 'GB.1', contact });
    const unnamed = { ...hidden, from_user_id: undefined };
    const [byContact] = decode(payload(messages({ contacts: [contact], messages: [unnamed] })));
    expect(byContact).to.include({ from: null, userId: 'GB.1' });
  });

  it('takes nothing else for a user id', () => {
    for (const id of ['GB.', 'gb.1', 'GB.1-2', 'GB.ENT.1', `GB.${'1'.repeat(129)}`, '1234567', 7]) {
      const hidden = { ...hello, from: undefined, from_user_id: id };
      const [item] = decode(payload(messages({ messages: [hidden] })));
      expect(item, String(id)).to.include({ kind: 'message', userId: null });
      const [status] = decode(
        payload(messages({ statuses: [{ ...delivered, recipient_user_id: id }] })),
      );
      expect(status).to.include({ recipientUserId: null });
    }
  });

  it('reads the user id in a delivery update, with and without the number', () => {
    const both = { ...delivered, recipient_user_id: 'GB.1' };
    const { recipient_id: _, ...hidden } = both;
    const items = decode(payload(messages({ statuses: [both, hidden] })));
    expect(items[0]).to.include({ recipientWaId: '447700900123', recipientUserId: 'GB.1' });
    expect(items[1]).to.include({ recipientWaId: null, recipientUserId: 'GB.1' });
  });

  it('reads notices that a customer has other ids', () => {
    const changed = (notice: object, rest: object = {}) => {
      const { text: _, from: __, ...message } = hello;
      const whole = { ...message, type: 'system', system: notice, ...rest };
      const [item] = decode(payload(messages({ messages: [whole] })));
      return item?.kind === 'message' ? item.change : undefined;
    };
    const notice = { type: 'user_changed_user_id', user_id: 'GB.2' };
    const named = { ...notice, previous_user_id: 'GB.1' };
    const change = { previous: 'GB.1', userId: 'GB.2', waId: null };
    expect(changed(named)).to.deep.equal(change);
    expect(changed(notice, { from_user_id: 'GB.1' })).to.deep.equal(change);
    const byNumber = { ...change, previous: '447700900123' };
    expect(changed(notice, { from: '+447700900123' })).to.deep.equal(byNumber);
    expect(changed({ ...named, wa_id: '4477' })).to.deep.equal({ ...change, waId: '4477' });
    const moved = { ...named, type: 'user_changed_number', wa_id: '4477' };
    expect(changed(moved)).to.deep.equal({ previous: null, userId: 'GB.2', waId: '4477' });
    expect(changed({ ...named, user_id: undefined })).to.equal(null);
    expect(changed({ ...named, type: 'user_identity_changed' })).to.equal(null);
    expect(changed(named, { type: 'text' })).to.equal(null);
  });

  it('reads all entries, changes and items, in order', () => {
    const read = { ...delivered, status: 'read' };
    const one = payload(messages({ statuses: [delivered, read] }), messages({ messages: [hello] }));
    const items = decode({ ...one, entry: [...one.entry, ...one.entry] });
    const kinds = ['status', 'status', 'message'];
    expect(items.map(({ kind }) => kind)).to.deep.equal([...kinds, ...kinds]);
  });

  it('reads the other items beside a bad one', () => {
    const bad = [null, 7, 'x', [], {}, { id: 'wamid.X' }, { id: {}, status: 'sent' }];
    const items = decode(payload(messages({ statuses: [delivered, ...bad, delivered] }), null!));
    expect(items.filter(({ kind }) => kind === 'status')).to.have.length(2);
    const unknown = items.filter((item) => item.kind === 'unknown');
    expect(unknown).to.have.length(bad.length + 1);
    expect(unknown[5]).to.include({
      field: 'messages',
      wabaId: '200000000000002',
      phoneNumberId: '100000000000001',
    });
    expect(JSON.parse(unknown[5]!.raw).entry[0].changes[0].value.statuses).to.deep.equal([
      { id: 'wamid.X' },
    ]);
  });

  const account = { wabaId: '200000000000002', at: '2026-09-10T00:26:40.000Z' };
  const template = {
    message_template_id: 9,
    message_template_name: 'order_ready',
    message_template_language: 'en-US',
  };
  const ofTemplate = { ...account, metaTemplateId: '9', name: 'order_ready', language: 'en_US' };
  const AT = '2026-09-11T00:26:40.000Z';
  const toCome = { category_update_timestamp: 1_789_086_400 };
  /** A notice of this category; with a time, or null, of one that changes to MARKETING. */
  const ofCategory = (
    sent: object,
    category: string | null,
    at?: string | null,
  ): [string, object, object] => [
    'template_category_update',
    { ...template, ...sent },
    {
      kind: 'template_category',
      ...ofTemplate,
      category,
      changingTo: at === undefined ? null : { category: 'MARKETING', at },
    },
  ];
  const notices: [string, object, object][] = [
    [
      'message_template_status_update',
      {
        ...template,
        event: 'REJECTED',
        reason: 'INVALID_FORMAT',
        message_template_category: 'utility',
      },
      {
        kind: 'template_status',
        ...ofTemplate,
        event: 'REJECTED',
        state: { status: 'REJECTED', statusReason: 'INVALID_FORMAT' },
        category: 'UTILITY',
      },
    ],
    [
      'message_template_status_update',
      { ...template, event: 'DELETED', reason: null },
      { kind: 'template_status', ...ofTemplate, event: 'DELETED', state: null, category: null },
    ],
    ofCategory({ new_category: 'utility', correct_category: 'MARKETING' }, 'UTILITY', null),
    ofCategory(
      { ...toCome, new_category: 'UTILITY', correct_category: 'MARKETING' },
      'UTILITY',
      AT,
    ),
    // The future category as the new one, with a time that is still to come.
    ofCategory({ new_category: 'MARKETING', category_update_timestamp: '1789086400' }, null, AT),
    ofCategory(
      { ...toCome, previous_category: 'utility', new_category: 'MARKETING' },
      'UTILITY',
      AT,
    ),
    ofCategory({ correct_category: 'MARKETING' }, null, null),
    // The change has come: its time is the notice's own.
    ofCategory(
      {
        previous_category: 'UTILITY',
        new_category: 'MARKETING',
        category_update_timestamp: 1_789_000_000,
      },
      'MARKETING',
    ),
    ofCategory({ new_category: 'UTILITY', correct_category: 'utility' }, 'UTILITY'),
    [
      'message_template_quality_update',
      { ...template, new_quality_score: 'RED' },
      { kind: 'template_quality', ...ofTemplate, quality: 'RED' },
    ],
    [
      'phone_number_quality_update',
      { display_phone_number: '15550100001', event: 'FLAGGED' },
      { kind: 'phone_quality', ...account, displayPhoneNumber: '15550100001', event: 'FLAGGED' },
    ],
    [
      'phone_number_name_update',
      {
        display_phone_number: '15550100001',
        decision: 'APPROVED',
        requested_verified_name: 'Shop',
      },
      {
        kind: 'phone_name',
        ...account,
        displayPhoneNumber: '15550100001',
        decision: 'APPROVED',
        verifiedName: 'Shop',
      },
    ],
    [
      'account_update',
      { event: 'ACCOUNT_VIOLATION', violation_info: {} },
      { kind: 'account_update', ...account, event: 'ACCOUNT_VIOLATION' },
    ],
    [
      'business_capability_update',
      { max_daily_conversations_per_business: 'TIER_2K', max_phone_numbers_per_business: 20 },
      { kind: 'account_capability', ...account, messagingLimit: 'TIER_2K' },
    ],
    [
      'business_capability_update',
      { max_daily_conversations_per_business: 10_000 },
      { kind: 'account_capability', ...account, messagingLimit: '10000' },
    ],
  ];
  for (const [field, value, expected] of notices) {
    it(`reads ${field}`, () => {
      expect(bare(decode(payload({ field, value })))).to.deep.equal([
        { ...expected, envelope: undefined },
      ]);
      expect(decode(payload({ field, value: {} }))[0]?.kind).to.equal('unknown');
    });
  }

  it('keeps a template id that is too large for a double', () => {
    const text = JSON.stringify(payload({ field: notices[0]![0], value: notices[0]![1] }));
    const large = text.replace('template_id":9', 'template_id":30000000000000003');
    const [item] = decodeText(large);
    expect(item).to.include({ kind: 'template_status', metaTemplateId: '30000000000000003' });
  });

  it("reads a customer's preference", () => {
    const preference = {
      wa_id: '447700900123',
      category: 'marketing_messages',
      value: 'stop',
      detail: 'User requested to stop marketing messages',
      timestamp: 1789000000,
    };
    const change = {
      field: 'user_preferences',
      value: { metadata, contacts: [mia], user_preferences: [preference] },
    };
    expect(decode(payload(change))[0]).to.include({
      kind: 'user_preference',
      phoneNumberId: '100000000000001',
      waId: '447700900123',
      category: 'marketing_messages',
      value: 'stop',
      detail: preference.detail,
      at: '2026-09-10T00:26:40.000Z',
    });
    const [item] = decode(payload(change));
    expect(decodeText(rawOf(item!))).to.deep.equal([item]);
    const { wa_id: _, ...hidden } = { ...preference, user_id: 'GB.1000' };
    const value = { ...change.value, user_preferences: [hidden] };
    expect(decode(payload({ ...change, value }))[0]).to.include({ waId: null, userId: 'GB.1000' });
  });

  it('keeps items that it does not handle', () => {
    const strange: [object, string][] = [
      [{ field: 'flows', value: { event: 'x' } }, 'flows'],
      [{ field: 'constructor', value: {} }, 'constructor'],
      [messages({}), 'messages'],
      [messages({ errors: [{ code: 130429 }] }), 'messages'],
      [{ field: 'messages', value: { statuses: [delivered] } }, 'messages'],
    ];
    for (const [change, field] of strange) {
      const [item, ...rest] = decode(payload(change));
      expect(rest).to.deep.equal([]);
      expect(item).to.include({ kind: 'unknown', field, wabaId: '200000000000002' });
      expect(JSON.parse(rawOf(item!)).entry[0].changes[0].field).to.equal(field);
    }
  });

  it("keeps a payload that is not the provider's", () => {
    for (const value of [null, 1, 'x', [], {}, { entry: {} }, { object: 'page', entry: [] }]) {
      const items = decode(value);
      expect(items).to.have.length(1);
      expect(JSON.parse(rawOf(items[0]!))).to.deep.equal(value);
    }
  });

  it('refuses a body that is not JSON or nested too deep', () => {
    const cut = decodeWebhook(Buffer.from('{"object":'));
    expect(cut).to.deep.equal({ ok: false, reason: 'not JSON' });
    expect(decodeWebhook(Buffer.from(''))).to.include({ ok: false });
    expect(decodeWebhook(Buffer.from('['.repeat(500_000)))).to.include({ ok: false });
  });

  it('gives each item a payload that decodes to the same item', () => {
    const changes = [
      messages({ contacts: [mia], messages: [hello, { id: 1 }], statuses: [delivered, null] }),
      ...notices.map(([field, value]) => ({ field, value })),
      { field: 'flows', value: {} },
    ];
    const items = decode(payload(...changes));
    expect(items).to.have.length(4 + notices.length + 1);
    for (const item of items) expect(decodeText(rawOf(item))).to.deep.equal([item]);
  });

  it('are no larger together than the payload, whatever a change or an entry holds beside them', () => {
    const beside = 'x'.repeat(100_000);
    const bad = Array.from({ length: 200 }, (_, index) => ({ index }));
    const sender = { ...mia, beside: 'y'.repeat(500) };
    const contacts = bad.map(({ index }) => ({ ...sender, wa_id: `${index}` }));
    const value = {
      messaging_product: 'whatsapp',
      metadata: { ...metadata, beside },
      beside,
      contacts,
      messages: bad,
      statuses: bad.map(() => ({ ...delivered })),
    };
    const flows = bad.map((value) => ({ field: 'flows', value }));
    const { entry, ...rest } = payload({ field: 'messages', value }, ...flows);
    const sent = JSON.stringify({ ...rest, entry: [{ ...entry[0], beside }] });
    const items = decodeText(sent);
    expect(items).to.have.length(600);
    const raws = items.map((item) => rawOf(item));
    expect(raws.join('').length).to.be.below(sent.length);
    for (const item of items) expect(decodeText(rawOf(item))).to.deep.equal([item]);
  });

  it('carry of a sender whose record is long the ids and the name only', () => {
    const long = {
      wa_id: mia.wa_id,
      user_id: 'GB.1',
      beside: 'x'.repeat(5000),
      profile: { name: 'n'.repeat(5000), username: 'mia' },
    };
    const carried = (contact: object) =>
      (decode(payload(messages({ contacts: [contact], messages: [hello] })))[0] as MessageItem)
        .contact;
    const { profile, ...ids } = carried(long) as typeof long;
    expect(ids).to.deep.equal({ wa_id: mia.wa_id, user_id: 'GB.1' });
    expect(profile).to.have.all.keys('name');
    expect(profile.name.length).to.be.at.most(500);
    const fits = { ...mia, beside: 'x'.repeat(3000) };
    expect(carried(fits)).to.deep.equal(fits);
  });

  it('of a large payload are read one at a time, when they are asked for', () => {
    let asked = 0;
    const bad = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    const sent = JSON.stringify(payload(messages({ messages: bad })));
    const decoding = decodeWebhook(Buffer.from(sent));
    if (!decoding.ok) throw new Error(decoding.reason);
    for (const item of decoding.items) {
      asked += 1;
      expect(item.kind).to.equal('unknown');
      if (asked === 3) break;
    }
    expect(Array.isArray(decoding.items)).to.equal(false);
  });

  it('never throws for any JSON', () => {
    const outer = ['object', 'entry', 'changes', 'field', 'value', '__proto__'];
    const inner = ['messages', 'statuses', 'metadata', 'contacts', 'id', 'errors', 'timestamp'];
    const word = fc.constantFrom(...outer, ...inner);
    const { tree } = fc.letrec((tie) => {
      const deeper = [fc.array(tie('tree')), fc.dictionary(word, tie('tree'))];
      return { tree: fc.oneof({ maxDepth: 8 }, fc.jsonValue(), ...deeper) };
    });
    const often = { numRuns: 40 };
    const whole = fc.property(tree, (value) => Array.isArray(decode(value ?? null)));
    fc.assert(whole, often);
    const beside = fc.property(tree, tree, (value, item) => {
      const odd = [messages({ statuses: [value], messages: [item], contacts: value }), value];
      const items = decode(payload(...(odd as object[]), messages({ statuses: [delivered] })));
      expect(bare(items).at(-1)).to.deep.equal(deliveredItem);
    });
    fc.assert(beside, often);
    const bytes = fc.property(fc.uint8Array(), (some) => void decodeWebhook(Buffer.from(some)));
    fc.assert(bytes, often);
  });
});

describe('verifySignature @long', () => {
  const body = Buffer.from('{"name":"h\\u00e9llo","url":"a\\/b@c"}');
  // Made with `openssl dgst -sha256 -hmac app-secret`.
  const signature = 'sha256=288002351a587865376b41b04d95a83d162fc8accbd04dbe7ecd485eca30765a';

  it('accepts the signature of exactly these bytes', () => {
    expect(signatureOf(body, 'app-secret')).to.equal(signature);
    expect(verifySignature(body, signature, 'app-secret')).to.equal(true);
  });

  it('refuses the same JSON in other bytes', () => {
    const other = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
    expect(verifySignature(other, signature, 'app-secret')).to.equal(false);
  });

  it('refuses another secret and an empty one', () => {
    expect(verifySignature(body, signature, 'app-secre')).to.equal(false);
    expect(verifySignature(body, signatureOf(body, ''), '')).to.equal(false);
  });

  for (const [what, header] of [
    ['none', undefined],
    ['an empty one', ''],
    ['one of another kind', signature.replace('sha256', 'sha1')],
    ['one that is too short', signature.slice(0, -1)],
    ['one that is too long', `${signature}a`],
    ['one that is no hex', `sha256=${'z'.repeat(64)}`],
  ] as const) {
    it(`refuses ${what}`, () =>
      expect(verifySignature(body, header, 'app-secret')).to.equal(false));
  }
});

describe('the bounds of a webhook @long', () => {
  const statusOf = (change: object) =>
    decode(payload(messages({ statuses: [{ ...delivered, ...change }] })))[0]!;

  it('hold for ids of up to 300 characters and words of up to 64', () => {
    const id = 'w'.repeat(300);
    const longest = statusOf({ id, biz_opaque_callback_data: id });
    expect(longest).to.include({ messageId: id, chargeId: id });
    expect(statusOf({ id: `${id}w` })).to.include({ kind: 'unknown' });
    expect(statusOf({ biz_opaque_callback_data: `${id}w` })).to.include({ chargeId: null });
    expect(statusOf({ status: 's'.repeat(64) })).to.include({ status: 's'.repeat(64) });
    expect(statusOf({ status: 's'.repeat(65) })).to.include({ kind: 'unknown' });
  });

  it('cut reasons and details to 500 characters', () => {
    const failedWith = (title: string) => statusOf({ status: 'failed', errors: [{ title }] });
    expect(failedWith('x'.repeat(500))).to.include({ errorMessage: 'x'.repeat(500) });
    expect(failedWith('x'.repeat(501))).to.include({ errorMessage: `${'x'.repeat(499)}…` });
    const preference = (detail: string) => {
      const one = { wa_id: '447700900123', category: 'marketing', value: 'stop', detail };
      const value = { metadata, user_preferences: [one] };
      return decode(payload({ field: 'user_preferences', value }))[0];
    };
    expect(preference('x'.repeat(500))).to.include({ detail: 'x'.repeat(500) });
    expect(preference('x'.repeat(501))).to.include({ detail: `${'x'.repeat(499)}…` });
  });

  it('read times as seconds up to the year 5138 and as milliseconds above', () => {
    const at = (timestamp: unknown) => {
      const item = statusOf({ timestamp });
      return item.kind === 'status' ? item.at : 'no status';
    };
    expect(at(1)).to.equal('1970-01-01T00:00:01.000Z');
    expect(at('1789000005.5')).to.equal('2026-09-10T00:26:45.500Z');
    expect(at('1789000005.0009')).to.equal('2026-09-10T00:26:45.000Z');
    expect(at(1e11)).to.equal('5138-11-16T09:46:40.000Z');
    expect(at(1e11 + 1)).to.equal('1973-03-03T09:46:40.001Z');
    expect(at(Date.UTC(9999, 11, 31, 23, 59, 59))).to.equal('9999-12-31T23:59:59.000Z');
    expect(at('1789000005123')).to.equal('2026-09-10T00:26:45.123Z');
    const late = Date.UTC(9999, 11, 31, 23, 59, 59) + 1;
    for (const never of [0, '0', -1, 'x', null, undefined, {}, '', late, '99999999999999999']) {
      expect(at(never), String(never)).to.equal(null);
    }
  });

  it('take 32 levels and no more', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(decodeWebhook(Buffer.from(nested(32))).ok).to.equal(true);
    expect(decodeWebhook(Buffer.from(nested(33)))).to.deep.equal({
      ok: false,
      reason: 'nested deeper than 32 levels',
    });
  });

  it('row 24: take 150,000 fields and items, 1,000 of them in one object, and no more', () => {
    const reasonOf = (text: string) => {
      const decoding = decodeWebhook(Buffer.from(text));
      return decoding.ok ? null : decoding.reason;
    };
    const list = (count: number, item: string) => `[${new Array(count).fill(item).join()}]`;
    const keys = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;
    expect(reasonOf(list(150_000, '1'))).to.equal(null);
    expect(reasonOf(list(150_001, '1'))).to.equal('more than 150000 fields and items');
    const nested = list(10_000, `${'['.repeat(20)}${']'.repeat(20)}`);
    expect(reasonOf(nested)).to.equal('more than 150000 fields and items');
    expect(reasonOf(keys(1000))).to.equal(null);
    expect(reasonOf(keys(1001))).to.equal('more than 1000 fields in an object');
    const largest = messages({
      contacts: new Array(14_000).fill(mia),
      messages: new Array(14_000).fill(hello),
    });
    expect(reasonOf(JSON.stringify(payload(largest)))).to.equal(null);
  });

  it('know a signature by its form', () => {
    const hex = 'aB'.repeat(32);
    expect(isSignature(`sha256=${hex}`)).to.equal(true);
    for (const other of [`sha256=${hex}0`, `xsha256=${hex}`, `sha256=${hex.slice(1)}`, hex, '']) {
      expect(isSignature(other), other).to.equal(false);
    }
    expect(isSignature(undefined)).to.equal(false);
  });

  it('give a contact who hides the number to the messages of its id', () => {
    const hidden = { profile: { name: 'Mo' }, user_id: 'GB.1000' };
    const of = { ...hello, from: undefined, from_user_id: 'GB.1000' };
    const sent = [of, { ...hello, id: 'wamid.IN2' }];
    const items = decode(payload(messages({ contacts: [mia, hidden, max], messages: sent })));
    expect(items.map((item) => 'contact' in item && item.contact)).to.deep.equal([hidden, mia]);
    const again = { ...hidden, profile: { name: 'Other' } };
    const [first] = decode(payload(messages({ contacts: [hidden, again], messages: [of] })));
    expect(first).to.deep.include({ contact: hidden });
  });

  it('give the only contact to the only message', () => {
    const contactsOf = (contacts: unknown[], ...senders: (string | undefined)[]) => {
      const sent = senders.map((from, at) => ({ ...hello, id: `wamid.${at}`, from }));
      return decode(payload(messages({ contacts, messages: sent }))).map(
        (item) => 'contact' in item && item.contact,
      );
    };
    expect(contactsOf([mia], '33612345678')).to.deep.equal([mia]);
    expect(contactsOf([mia], hello.from, '33612345678')).to.deep.equal([mia, null]);
    expect(contactsOf([mia, max], '33612345678')).to.deep.equal([null]);
    expect(contactsOf([], '33612345678')).to.deep.equal([null]);
    expect(contactsOf([{ profile: {} }, mia], undefined)).to.deep.equal([null]);
    expect(contactsOf(['x', mia], '33612345678')).to.deep.equal([mia]);
  });

  it('name the reason why an item is not handled', () => {
    const items = decode(payload(messages({ errors: [{ code: 1 }] }), messages({})));
    const reasons = items.map((item) => item.kind === 'unknown' && item.reason);
    const [error, nothing] = ['an error of the account', 'nothing known in it'];
    expect(reasons).to.deep.equal([`not handled: ${error}`, `not handled: ${nothing}`]);
  });
});
