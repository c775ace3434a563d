import { expect } from 'chai';
import { useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { openTenant, type Tenant } from '../../support/waybill.ts';

/** Connections of one account. */
const SHARE = 16;

describe('Places at the live events', () => {
  const on = useWaybill();
  const opened: AbortController[] = [];
  const follow = async ({ apiKey }: Tenant): Promise<number> => {
    const controller = new AbortController();
    const { status } = await fetch(`${on.waybill.url}/api/v1/live`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: controller.signal,
    });
    opened.push(controller);
    return status;
  };
  const leave = () => {
    for (const controller of opened.splice(0)) controller.abort();
  };
  afterEach(leave);

  it('are shared, so that one account cannot take those of another', async () => {
    const greedy = await openTenant(on.waybill, { number: false });
    const other = await openTenant(on.waybill, { number: false });
    const statuses = await Promise.all(Array.from({ length: SHARE }, () => follow(greedy)));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await follow(greedy)).to.equal(503);
    expect(await follow(other)).to.equal(200);
    leave();
    await untilTrue('the places to be free again', async () => (await follow(greedy)) === 200);
  });
});

describe('A tenant’s session of the console', () => {
  const on = useWaybill();

  it('sees nothing of another account at any address', async () => {
    const mine = await openTenant(on.waybill, { number: false });
    const other = await openTenant(on.waybill);
    const { headers } = await on.waybill.call('POST', '/console/session', {
      body: { credential: mine.apiKey },
      headers: { 'X-Waybill-Console': '1' },
    });
    const Cookie = String(headers['set-cookie']).split(';')[0]!;
    const read = (path: string) =>
      on.waybill.call('GET', path, { headers: { Cookie, 'X-Waybill-Console': '1' } });
    const { accountId, phoneNumberId, wabaId } = other;
    for (const path of ['/v1/messages', '/v1/conversations', '/v1/credits', '/v1/credits/ledger']) {
      const { status, body } = await read(`${path}?accountId=${accountId}`);
      expect([200, 400, 404], path).to.include(status);
      const text = JSON.stringify(body);
      for (const id of [phoneNumberId, wabaId]) expect(text, path).not.to.contain(id);
    }
    for (const q of [accountId, phoneNumberId]) {
      const { status, body } = await read(`/v1/find?q=${q}`);
      expect([status, body.results], q).to.deep.equal([200, []]);
    }
    for (const path of ['accounts', `accounts/${accountId}`, 'live', 'find?q=acc', 'actions']) {
      expect((await read(`/admin/v1/${path}`)).status, path).to.equal(401);
    }
  });
});
