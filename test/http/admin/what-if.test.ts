import { expect } from 'chai';
import nock from 'nock';
import { answered, bodyOf, succeeded } from '../../support/answered.ts';
import { makeAdministrator } from '../../support/people.ts';
import { notified, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { type Json, providerHasTemplates, templateAnswer } from '../../support/waybill.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('History under other rules, and as it was', () => {
  const on = useTenant({ once: true });
  before(async () => {
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    await notified(on.waybill, on.tenant, { to: '+923001234567' });
  });

  const answerOf = async (question: Json, token?: string): Promise<Json> => {
    const call = (method: string, path: string, body?: Json) =>
      token === undefined
        ? on.waybill.admin(method, path, body)
        : on.waybill.call(method, `/admin/v1${path}`, { token, body });
    const asked = await answered(202, call('POST', '/what-if', question));
    let told = asked.body;
    await untilTrue('the question is answered', async () => {
      told = (await call('GET', `/what-if/${told.id}`)).body;
      return told.state === 'done' || told.state === 'failed';
    });
    return told;
  };

  it('is asked by auditors, answered as statements are, and changes nothing', async () => {
    const auditor = await makeAdministrator(on.waybill);
    const { accountId } = on.tenant;
    const get = (path: string) =>
      bodyOf(200, on.waybill.admin('GET', `/accounts/${accountId}${path}`));
    const statement = await get('/statement?month=2026-11');
    const before = await get('/events');
    const rules = { plan: { markupPercent: '100' } };
    const question = { month: '2026-11', accountIds: [accountId], with: rules };
    const { real, then, ...told } = await answerOf(question, auditor.token);
    const { opening, closing, charges, refunds, cost, billing, currency } = statement;
    const sums = { opening, closing, charges, refunds, cost };
    expect(real).to.deep.equal({ billing, currency, ...sums, granted: 1000 });
    // 0.015 and as much again: three credits instead of two.
    expect(then).to.deep.include({ opening: 0, granted: 1000, closing: 997 });
    const [row] = told.differences;
    expect(told).to.deep.include({ state: 'done', accounts: 1, skipped: [], refused: [] });
    expect([row.real, row.then, row.difference]).to.deep.equal(['0.0200', '0.0300', '0.0100']);
    expect((await get('/events')).events).to.deep.equal(before.events);
  });

  it('asks all accounts, and tells of rules that decide none', async () => {
    const all = await answerOf({ month: '2026-11', with: { rateCard: 'default-usd-2026-10' } });
    expect(all.then).to.deep.equal(all.real);
    const plan = { name: 'Purse', billing: 'wallet', currency: 'EUR', markupPercent: '1' };
    const { body: made } = await on.waybill.admin('POST', '/plans', plan);
    const accountIds = [on.tenant.accountId];
    const failed = await answerOf({ month: '2026-11', accountIds, with: { plan: made.id } });
    expect(failed).to.deep.include({ state: 'failed' });
    expect(failed.error).to.include('in EUR').and.to.include('in USD');
  });

  it('refuses what it does not know', async () => {
    const ask = (body: Json) => on.waybill.admin('POST', '/what-if', body);
    const month = '2026-11';
    await answered(404, ask({ month, accountIds: ['acc_0'] }));
    expect((await ask({ month, with: { plan: 'none' } })).body.error).to.equal('Plan not found');
    const none = await ask({ month, with: { rateCard: 'none' } });
    expect(none.body.error).to.equal('Rate card not found');
    const wrong = await ask({ month: '2026-13', with: {} });
    expect(wrong.body.error.fieldErrors).to.have.keys(['month']);
    await answered(400, ask({ month, with: { caps: { daily: -1 } } }));
    const { body: asked } = await ask({ month, with: {} });
    for (const id of ['whatif_x', `${asked.id.slice(0, -2)}AA`, 'x'.repeat(9_000)]) {
      expect((await on.waybill.admin('GET', `/what-if/${id}`)).status).to.be.oneOf([400, 404, 414]);
    }
  });

  it('shows the history of an account page by page, and no other place of the log', async () => {
    const path = `/accounts/${on.tenant.accountId}/history`;
    const types: string[] = [];
    let after: string | null = null;
    const at: string[] = [];
    do {
      const query: string = after === null ? '' : `?limit=3&after=${after}`;
      const { body } = await on.waybill.admin('GET', `${path}${query}`);
      types.push(...body.events.map(({ type }: Json) => type));
      after = body.nextAfter;
      if (after) at.push(after);
    } while (after !== null);
    expect(types).to.include.members(['AccountOpened', 'ChargeReserved', 'MessageSent']);
    const last = at.at(-1)!;
    const wrong = ['0', `${last.slice(0, -1)}a`, last.replaceAll('0', '9'), `${last}0`];
    for (const place of wrong) {
      await answered(400, on.waybill.admin('GET', `${path}?after=${place}`), place);
    }
    await answered(404, on.waybill.admin('GET', '/accounts/acc_0/history'));
  });

  it('shows an account, a plan, a number and a template as they were, and 404 before', async () => {
    const { accountId, phoneNumberId, apiKey: token } = on.tenant;
    const { waybill } = on;
    const terms = { name: 'Thin', billing: 'credits', currency: 'USD' };
    const prices = { markupPercent: '10', creditValue: '0.01' };
    const { body: plan } = await waybill.admin('POST', '/plans', { ...terms, ...prices });
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    const listing = () =>
      waybill.call('GET', `/v1/templates?phoneNumberId=${phoneNumberId}`, { token });
    const templateId = (await listing()).body[0].id;
    const now = waybill.clock.now();
    const at = (time: number) => `asOf=${new Date(time).toISOString()}`;
    const read = {
      account: (query: string) => waybill.admin('GET', `/accounts/${accountId}?${query}`),
      own: (query: string) => waybill.call('GET', `/v1/account?${query}`, { token }),
      plan: (query: string) => waybill.admin('GET', `/plans/${plan.id}?${query}`),
      number: (query: string) => waybill.admin('GET', `/numbers/${phoneNumberId}?${query}`),
      template: (query: string) =>
        waybill.call('GET', `/v1/templates/${templateId}?${query}`, { token }),
    };
    const was = new Map<string, Json>();
    for (const [what, ask] of Object.entries(read)) {
      const { body } = await answered(200, ask(at(now)), what);
      was.set(what, body);
      await answered(404, ask(at(now - DAY)), what);
    }
    for (const what of ['account', 'own', 'plan', 'number'] as const) {
      expect((await read[what]('')).body, what).to.deep.equal(was.get(what));
    }
    waybill.clock.advance(DAY);
    const set = (method: string, path: string, body: Json) =>
      succeeded(waybill.admin(method, path, body), path);
    await set('PATCH', `/accounts/${accountId}/limits`, { daily: 7, strict: true });
    await set('PATCH', `/accounts/${accountId}/retention`, { contentRetentionMonths: 3 });
    await set('POST', `/accounts/${accountId}/credits/grant`, { amount: 5 });
    await set('PUT', `/plans/${plan.id}`, { ...plan, markupPercent: '11' });
    nock.cleanAll();
    providerHasTemplates(on.tenant, templateAnswer('order_shipped', { status: 'PAUSED' }));
    expect((await listing()).body[0].status).to.equal('REJECTED');
    expect((await read.template(at(now))).body).to.deep.equal(was.get('template'));
    expect((await read.template(at(now + DAY))).body.status).to.equal('REJECTED');
    await set('DELETE', `/numbers/${phoneNumberId}`, undefined);
    await answered(404, read.number(''));
    expect((await read.account('')).body).not.to.deep.equal(was.get('account'));
    for (const [what, ask] of Object.entries(read)) {
      if (what === 'template') continue;
      expect((await ask(at(now))).body, what).to.deep.equal(was.get(what));
    }
    const limits = (await read.account(at(now + DAY))).body;
    expect(limits).to.deep.include({ balance: 1003, contentRetentionMonths: 3 });
    // Within the time by which clocks may differ.
    waybill.clock.advance(5 * 60_000);
    await set('PATCH', `/accounts/${accountId}/limits`, { daily: 8 });
    expect((await read.account(at(now + DAY))).body).to.deep.equal(limits);
    await answered(400, read.account('asOf=yesterday'));
  });
});
