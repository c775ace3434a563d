import { expect } from 'chai';
import { readReference } from '../support/openapi.ts';
import { fieldErrorsOf, useWaybill } from '../support/surface.ts';
import { ADMIN_TOKEN, type Json, openTenant } from '../support/waybill.ts';

const { paths } = readReference() as { paths: Record<string, Json> };

/** The query fields of every GET that take one of some values, with these values. */
const choices = Object.entries(paths).flatMap(([path, { get }]) =>
  ((get?.parameters ?? []) as Json[])
    .filter((one) => one.in === 'query' && one.schema.enum)
    .map(({ name, schema }) => ({ path, name: name as string, values: schema.enum as string[] })),
);

describe('a filter of a list', () => {
  const on = useWaybill();

  it('that takes one of some values is documented with these values', () => {
    expect(choices.map(({ path, name }) => `${path} ${name}`)).to.deep.equal([
      '/v1/messages direction',
      '/v1/messages status',
      '/v1/messages event',
      '/v1/sends event',
      '/v1/sends state',
      '/admin/v1/sends event',
      '/admin/v1/sends state',
      '/v1/scheduled state',
      '/admin/v1/accounts/{id}/scheduled state',
      '/v1/jobs/{jobId}/rows state',
      '/v1/jobs/{jobId}/result format',
      '/v1/conversations windowOpen',
      '/v1/conversations waiting',
      '/v1/conversations failed',
      '/v1/conversations withBot',
      '/v1/credits/proof format',
      '/v1/ledger type',
      '/v1/webhooks/{webhookId}/deliveries state',
      '/admin/v1/accounts/{id}/ledger type',
      '/admin/v1/accounts/{id}/events messages',
      '/admin/v1/accounts/{id}/statement format',
      '/admin/v1/accounts/{id}/statement cost',
      '/v1/statement format',
      '/admin/v1/reconciliation provider',
      '/admin/v1/reconciliation ids',
      '/admin/v1/messages direction',
      '/admin/v1/dead-letters state',
      '/admin/v1/erasures state',
      '/admin/v1/approvals state',
    ]);
  });

  it('is refused with any other value, and the error names those that there are', async () => {
    const tenant = await openTenant(on.waybill);
    for (const { path, name, values } of choices) {
      const token = path.startsWith('/admin') ? ADMIN_TOKEN : tenant.apiKey;
      const place = path
        .replace('{id}', tenant.accountId)
        .replace('{webhookId}', 'none')
        .replace('{jobId}', 'none');
      for (const value of ['$ne', 'nothing', '', `${values[0]!.toLowerCase()}s`]) {
        const query = new URLSearchParams({ [name]: value });
        if (path === '/v1/credits/proof') query.set('chargeId', 'chg_1');
        const answer = await on.waybill.call('GET', `${place}?${query}`, { token });
        expect(fieldErrorsOf(answer), `${path} ${query}`).to.deep.equal([name]);
        const [text] = answer.body.error.fieldErrors[name];
        for (const one of values) expect(text, `${path} ${query}`).to.contain(one);
      }
    }
  });

  it('by the type of a message takes any type, as the provider adds some, and nothing else', async () => {
    const { apiKey: token } = await openTenant(on.waybill);
    const ask = (messageType: string) =>
      on.waybill.call('GET', `/v1/messages?${new URLSearchParams({ messageType })}`, { token });
    expect((await ask('poll_2')).status).to.equal(200);
    for (const value of ['$ne', '', 'a b', '{"$gt":""}', 'x'.repeat(51)]) {
      expect(fieldErrorsOf(await ask(value)), value).to.deep.equal(['messageType']);
    }
  });
});
