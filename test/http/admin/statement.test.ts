import { expect } from 'chai';
import { fillMonths } from '../../support/month.ts';
import { fieldErrorsOf, useTenant } from '../../support/surface.ts';
import {
  ADMIN_TOKEN,
  type Json,
  providerHasTemplates,
  templateAnswer,
} from '../../support/waybill.ts';

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
    const answer = await fetch(`${on.waybill.url}/api/admin/v1${path}?${query}`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(answer.status).to.equal(200);
    return { text: await answer.text(), headers: answer.headers };
  };
  const eventsOfChain = async () =>
    (await on.waybill.events(`account-${on.tenant.accountId}`)).filter(
      ({ data }) => (data as Json).sequence !== undefined,
    );

  it('counts the events of the month in the log', async () => {
    const { status, body } = await get('month=2026-11');
    expect(status).to.equal(200);
    const links = (await eventsOfChain()).filter(({ data }) => (data as Json).at < '2026-12');
    expect(links.map(({ type }) => type)).to.deep.equal([
      'CreditsGranted',
      'ChargeReserved',
      'ChargeReserved',
      'ChargeReserved',
      'ChargeRefunded',
      'CreditsRevoked',
    ]);
    const placeOf = ({ data }: Json) => ({ sequence: data.sequence, hash: data.hash });
    const { body: account } = await on.waybill.admin('GET', `/accounts/${on.tenant.accountId}`);
    const { body: organisation } = await on.waybill.admin(
      'GET',
      `/organisations/${on.tenant.organisationId}`,
    );
    const by = { id: 'root', name: 'Root administrator', email: 'root@localhost' };
    expect(body).to.deep.equal({
      accountId: on.tenant.accountId,
      number: `2026-11/${on.tenant.accountId.slice(-12)}`,
      date: null,
      account: { id: on.tenant.accountId, name: account.name },
      organisation: { id: on.tenant.organisationId, name: organisation.name },
      issuer: null,
      period: { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
      billing: 'credits',
      currency: 'USD',
      opening: 0,
      closing: 90,
      grants: [
        {
          at: (links[0]!.data as Json).at,
          type: 'GRANT',
          kind: null,
          amount: 100,
          reason: null,
          by,
        },
        {
          at: (links[5]!.data as Json).at,
          type: 'REVOKE',
          kind: null,
          amount: -8,
          reason: '=SUM(A1), <b>"too many"</b>',
          by,
        },
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

  it('is a text, a CSV whose amounts add up, and a page without a script', async () => {
    const { text, headers } = await textOf('month=2026-11&format=text');
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(text).to.match(/UTILITY +India +0\.00168 +1 +3 +-3\n/);
    expect(text).to.match(/Closing balance +90\n/);

    const csv = await textOf('month=2026-11&format=csv');
    expect(csv.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(csv.text).to.include(`"'=SUM(A1), <b>""too many""</b>"`);
    const rows = csv.text
      .replaceAll(/"[^"]*(?:""[^"]*)*"/g, 'quoted')
      .split('\n')
      .map((row) => row.split(','));
    const amountAt = rows[0]!.indexOf('amount');
    const sumOf = (...lines: string[]) =>
      rows
        .filter((row) => lines.includes(row[5]!))
        .reduce((sum, row) => sum + Number(row[amountAt]), 0);
    expect(sumOf('opening', 'grant', 'charge', 'refund')).to.equal(90);
    expect(sumOf('closing')).to.equal(90);

    const page = await textOf('month=2026-11&format=html');
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).to.include("default-src 'none'");
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
    const unknown = await on.waybill.admin('GET', '/accounts/none/statement?month=2026-11');
    expect([unknown.status, unknown.body.error]).to.deep.equal([404, 'Account not found']);
    for (const [query, field] of [
      ['', 'month'],
      ['month=November', 'month'],
      ['month=2026-11&from=2026-11-01T00:00:00Z', 'month'],
      ['from=2026-11-01T00:00:00Z', 'to'],
      ['from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', 'to'],
      ['from=yesterday&to=2026-11-01T00:00:00Z', 'from'],
      ['month=2026-11&format=pdf', 'format'],
    ]) {
      const answer = await get(query!);
      expect(answer.status).to.equal(400);
      expect(fieldErrorsOf(answer), query).to.deep.equal([field]);
    }
  });
});
