import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import { fillMonths } from '../../support/month.ts';
import { accountEvents, fieldErrorsOf, typesOf, useTenant } from '../../support/surface.ts';
import { type Json, providerHasTemplates, templateAnswer } from '../../support/waybill.ts';

describe('GET /accounts/:id/statement', () => {
  const on = useTenant({ once: true, credits: 100 });
  let path: string;
  before(async () => {
    path = `/accounts/${on.tenant.accountId}/statement`;
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    await fillMonths(on.waybill, on.tenant);
  });

  const get = (query: string) => on.waybill.admin('GET', `${path}?${query}`);
  const textOf = async (query: string) => {
    const { body, headers } = await answered(200, get(query));
    return { text: body as string, headers };
  };

  it('counts the events of the month in the log', async () => {
    const body = await bodyOf(200, get('month=2026-11'));
    const { accountId, organisationId } = on.tenant;
    const links = (await accountEvents(on.waybill, on.tenant)).filter(
      ({ data }) => data.sequence !== undefined && data.at < '2026-12',
    );
    const sends = new Array(3).fill('ChargeReserved');
    const types = ['CreditsGranted', ...sends, 'ChargeRefunded', 'CreditsRevoked'];
    expect(typesOf(links)).to.deep.equal(types);
    const placeOf = ({ data }: Json) => ({ sequence: data.sequence, hash: data.hash });
    const nameOf = async (what: string) => (await on.waybill.admin('GET', what)).body.name;
    const organisation = await nameOf(`/organisations/${organisationId}`);
    const by = { id: 'root', name: 'Root administrator', email: 'root@localhost' };
    const grant = { type: 'GRANT', kind: null, amount: 100, reason: null, by };
    const revoked = { amount: -8, reason: '=SUM(A1), <b>"too many"</b>' };
    expect(body).to.deep.equal({
      accountId,
      number: `2026-11/${accountId.slice(-12)}`,
      date: null,
      account: { id: accountId, name: await nameOf(`/accounts/${accountId}`) },
      organisation: { id: organisationId, name: organisation },
      issuer: null,
      period: { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
      billing: 'credits',
      currency: 'USD',
      opening: 0,
      closing: 90,
      grants: [
        { ...grant, at: links[0].data.at },
        { ...grant, at: links[5].data.at, type: 'REVOKE', ...revoked },
      ],
      charges: [
        {
          category: 'UTILITY',
          market: 'India',
          unitPrice: '0.00168',
          creditsEach: 1,
          count: 3,
          amount: -3,
        },
      ],
      refunds: [{ cause: 'not_sent', count: 1, amount: 1 }],
      cost: {
        sold: '0.0200',
        prices: '0.00336',
        rounding: '0.01664',
        providerCost: '0.0028',
        margin: '0.0172',
        currency: 'USD',
      },
      chain: { first: placeOf(links[0]), last: placeOf(links[5]), links: 6 },
      seal: null,
      final: false,
    });
  });

  it('is a text, a CSV and a page without a script', async () => {
    const { text, headers } = await textOf('month=2026-11&format=text');
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(text).to.match(/UTILITY +India +0\.00168 +1 +3 +-3\n/);
    expect(text).to.match(/Closing balance +90\n/);

    const csv = await textOf('month=2026-11&format=csv');
    expect(csv.headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(csv.text).to.include(`"'=SUM(A1), <b>""too many""</b>"`);

    const page = await textOf('month=2026-11&format=html');
    expect(page.headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).to.include("default-src 'none'");
    expect(page.text)
      .to.match(/@page \{\s+size: A4;/)
      .and.not.include('<script');
    expect(page.text).to.include(`"Statement 2026-11/${on.tenant.accountId.slice(-12)}"`);
    expect(page.text).to.include('=SUM(A1), &lt;b&gt;&quot;too many&quot;&lt;/b&gt;');
  });

  it('leaves out cost and margin for the customer', async () => {
    expect((await get('month=2026-11&cost=false')).body).not.to.have.property('cost');
    for (const format of ['text', 'csv', 'html']) {
      const { text } = await textOf(`month=2026-11&format=${format}&cost=false`);
      expect(text).not.to.match(/provider|\bsold\b/i);
    }
  });

  it('answers 404 for an unknown account, and 400 for a period that is none', async () => {
    const unknown = on.waybill.admin('GET', '/accounts/none/statement?month=2026-11');
    expect((await answered(404, unknown)).body.error).to.equal('Account not found');
    for (const [query, field] of [
      ['', 'month'],
      ['from=yesterday&to=2026-11-01T00:00:00Z', 'from'],
      ['month=2026-11&format=pdf', 'format'],
    ] as const) {
      expect(fieldErrorsOf(await get(query)), query).to.deep.equal([field]);
    }
  });
});
