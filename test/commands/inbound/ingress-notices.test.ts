import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import type { NumberRecord } from '../../../src/commands/core/lookups.ts';
import { createNotices } from '../../../src/commands/inbound/ingress-notices.ts';
import { phoneDecider } from '../../../src/commands/numbers/phone.ts';
import { templateDecider, templateIdOf } from '../../../src/commands/templates/template.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { profile } from '../../support/samples.ts';
import { failureOf } from '../../support/spec.ts';

const AT = '2026-11-21T12:00:00.000Z';
const context = { requestId: 'r' };
const [wabaId, name, language] = ['20', 'order_ready', 'en_US'];
const identity = { wabaId, name, language };
const numbers = [
  { phoneNumberId: '10', accountId: 'acc_1', displayPhoneNumber: '+1 555-0001' },
  { phoneNumberId: '11', accountId: 'acc_2', displayPhoneNumber: '+1 555-0002' },
] as unknown as NumberRecord[];

type NoticeItem = Parameters<ReturnType<typeof createNotices>>[0];

let made = 0;
/** A notice unlike any before. */
const item = (rest: object): NoticeItem => {
  made += 1;
  return { wabaId, at: AT, envelope: { made }, ...rest } as unknown as NoticeItem;
};
const template = { metaTemplateId: '30', name, language };

const open = async (linked = numbers) => {
  const { store, events } = createMemoryLog();
  const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
  for (const { phoneNumberId, accountId } of numbers) {
    const terms = { phoneNumberId, wabaId, accountId, accessToken: null, profile: profile() };
    const link = { type: 'Link' as const, terms: { ...terms, messagesPerSecond: 80 } };
    await writer.execute(phoneDecider, phoneNumberId, link, context);
  }
  const submitted = { metaTemplateId: '30', category: 'UTILITY', status: 'PENDING' as const };
  const command = { type: 'NoteSubmission' as const, identity, isNew: true, components: [] };
  const submission = { ...command, ...submitted, accountId: null };
  await writer.execute(templateDecider, templateIdOf(identity), submission, context);
  const take = createNotices({
    writer,
    clock: fixedClock(),
    lookups: { numbersOfWaba: async (id) => (id === wabaId ? linked : []) },
  });
  const count = events.length;
  const since = () =>
    events.slice(count).map(({ type, data, meta }) => ({ type, data, accountId: meta.accountId }));
  const types = () => since().map(({ type }) => type);
  const row = async () => (await writer.load(templateDecider, templateIdOf(identity))).state.row;
  return { take: (one: NoticeItem) => take(one, context), since, types, row };
};

describe('notices of templates', () => {
  it('change state and category in the mirror, once each', async () => {
    const { take, since, types, row } = await open();
    const state = { status: 'REJECTED' as const, statusReason: 'SCAM' };
    const rejected = { kind: 'template_status', event: 'REJECTED', state, category: null };
    const status = item({ ...rejected, ...template });
    await take(status);
    await take(status);
    expect(await row()).to.include({ ...state, category: 'UTILITY' });
    expect(types()).to.deep.equal(['TemplateNoticed', 'TemplateStatusChanged']);
    const data = since()[0]!.data as { noticeId: string };
    expect(data).to.include({ about: 'status', word: 'REJECTED', noticedAt: AT });
    expect(data.noticeId).to.match(/^notice_[0-9a-f]{32}$/);
    const category = { kind: 'template_category', ...template, category: 'MARKETING' };
    await take(item({ ...category, changingTo: null }));
    expect(await row()).to.include({ category: 'MARKETING' });
    expect(since().at(-2)!.data).to.include({ about: 'category', word: 'MARKETING' });
  });

  it('of a change to come are kept with its category', async () => {
    const { take, since, types, row } = await open();
    const changingTo = { category: 'MARKETING', at: null };
    await take(item({ kind: 'template_category', ...template, category: 'UTILITY', changingTo }));
    expect(await row()).to.deep.include({ category: 'UTILITY', changingTo });
    expect(types()).to.deep.equal(['TemplateNoticed', 'TemplateChangeAnnounced']);
    expect(since()[0]!.data).to.include({ about: 'category', word: 'MARKETING' });
  });

  it('of quality are kept, and change nothing there', async () => {
    const { take, since, types, row } = await open();
    const before = await row();
    await take(item({ kind: 'template_quality', ...template, quality: 'RED' }));
    expect(types()).to.deep.equal(['TemplateNoticed']);
    expect(since()[0]!.data).to.include({ about: 'quality', word: 'RED' });
    expect(await row()).to.deep.equal(before);
  });

  it('take a template away, or bring one in that nobody has seen', async () => {
    const { take, row, since } = await open();
    const status = { kind: 'template_status', ...template, category: null };
    await take(item({ ...status, event: 'DELETED', state: null }));
    expect(await row()).to.equal(null);
    const state = { status: 'APPROVED' as const, statusReason: null };
    await take(item({ ...status, event: 'APPROVED', state, category: 'MARKETING' }));
    expect(await row()).to.include({ status: 'APPROVED', category: 'MARKETING' });
    expect(since().at(-1)!.type).to.equal('TemplateAdopted');
  });
});

describe('notices of numbers', () => {
  it('of quality are kept at the number that they name by its digits', async () => {
    const { take, since } = await open();
    await take(item({ kind: 'phone_quality', displayPhoneNumber: '15550002', event: 'FLAGGED' }));
    const [noticed, ...rest] = since();
    expect(rest).to.deep.equal([]);
    expect(noticed).to.include({ type: 'PhoneNoticed', accountId: 'acc_2' });
    expect(noticed!.data).to.include({ phoneNumberId: '11', about: 'quality', word: 'FLAGGED' });
  });

  it('of a name change it where it was approved', async () => {
    for (const [decision, verifiedName, isChanged] of [
      ['APPROVED', 'New', true],
      ['APPROVED', null, false],
      ['REJECTED', 'New', false],
    ] as const) {
      const { take, since } = await open();
      const named = { kind: 'phone_name', displayPhoneNumber: '15550001', decision, verifiedName };
      await take(item(named));
      expect(since()[0]!.data).to.include({ phoneNumberId: '10', about: 'name', word: decision });
      const hasNew = JSON.stringify(since()).includes('"verifiedName":"New"');
      expect(hasNew, `${decision} ${verifiedName}`).to.equal(isChanged);
    }
  });

  it('of the account are kept at each of its numbers, be it one', async () => {
    for (const linked of [numbers, numbers.slice(1)]) {
      const { take, since } = await open(linked);
      await take(item({ kind: 'account_update', event: 'ACCOUNT_RESTRICTION' }));
      const accounts = linked.map(({ accountId }) => accountId);
      expect(since().map(({ accountId }) => accountId)).to.deep.equal(accounts);
      for (const { data } of since()) {
        expect(data).to.include({ about: 'account', word: 'ACCOUNT_RESTRICTION' });
      }
    }
  });

  it('of how much a business may send change each of its numbers at once', async () => {
    const { take, since } = await open();
    await take(item({ kind: 'account_capability', messagingLimit: 'TIER_10K' }));
    const read = since().filter(({ type }) => type === 'PhoneProfileRead');
    expect(read.map(({ accountId }) => accountId)).to.deep.equal(['acc_1', 'acc_2']);
    for (const { data } of read) {
      expect(data).to.have.nested.property('profile.messagingLimit', 'TIER_10K');
    }
  });

  it('of others are rejected', async () => {
    const { take, since } = await open();
    const other = { kind: 'phone_quality', displayPhoneNumber: '15550003', event: 'FLAGGED' };
    const refused = async (rest: object, message: string) =>
      expect(await failureOf(take(item(rest)))).to.include({ kind: 'not_linked', message });
    await refused(other, 'the number is not linked');
    const account = { kind: 'account_update', event: 'X' };
    const quality = { kind: 'template_quality', ...template, quality: 'RED' };
    for (const rest of [account, quality, other]) {
      await refused({ ...rest, wabaId: '99' }, 'no number of the business account is linked');
    }
    expect(since()).to.deep.equal([]);
  });
});
