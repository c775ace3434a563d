import { expect } from 'chai';
import nock from 'nock';
import {
  type Json,
  onlyLoopback,
  openTenant,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../../support/waybill.ts';

const node = (id: string) => ({ id, type: 'end', position: { x: 1, y: 2 }, data: { kept: id } });

describe('versions of a bot over HTTP', () => {
  let waybill: Waybill;
  let tenant: Tenant;
  let id: string;
  before(async () => {
    onlyLoopback();
    waybill = await startWaybill();
    tenant = await openTenant(waybill);
    ({ id } = (await call('POST', '', { name: 'One', nodes: [node('a')] })).body);
    await call('PATCH', `/${id}`, { name: 'Two', nodes: [node('b')] });
    await call('PATCH', `/${id}`, { name: 'Two' });
    await call('PATCH', `/${id}`, { name: 'Three', isActive: false });
  });
  after(async () => {
    await waybill.stop();
    nock.cleanAll();
    nock.enableNetConnect();
  });

  const call = (method: string, path: string, body?: unknown, token = tenant.apiKey) =>
    waybill.call(method, `/v1/bots${path}`, { token, ...(body !== undefined && { body }) });
  const page = async (query = ''): Promise<Json> => {
    const { status, body } = await call('GET', `/${id}/versions${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const namesOf = ({ versions }: Json) => versions.map(({ name }: Json) => name);

  it('lists what the bot was after each change, newest first', async () => {
    const { versions, nextCursor } = await page();
    expect(nextCursor).to.equal(null);
    expect(versions.map(({ version, name }: Json) => [version, name])).to.deep.equal([
      [3, 'Three'],
      [2, 'Two'],
      [1, 'One'],
    ]);
    expect(versions[2]).to.deep.include({ nodes: [node('a')], edges: [], isActive: true });
    expect(versions[0]).to.deep.include({ nodes: [node('b')], isActive: false });
  });

  it('goes on where a page ended, even if the bot has changed since', async () => {
    const first = await page('?limit=1');
    expect(namesOf(first)).to.deep.equal(['Three']);
    const second = await page(`?limit=1&cursor=${first.nextCursor}`);
    expect(namesOf(second)).to.deep.equal(['Two']);
    const last = await page(`?limit=1&cursor=${second.nextCursor}`);
    expect([namesOf(last), last.nextCursor]).to.deep.equal([['One'], null]);
  });

  it('ends a page when its graphs are large', async () => {
    const large = (text: string) => [{ ...node('big'), data: { text: text.repeat(200_000) } }];
    const made = await call('POST', '', { name: 'Large', nodes: large('0') });
    for (const text of '123456') {
      await call('PATCH', `/${made.body.id}`, { nodes: large(text) });
    }
    const { body } = await call('GET', `/${made.body.id}/versions`);
    expect(body.versions).to.have.length(6);
    const rest = await call('GET', `/${made.body.id}/versions?cursor=${body.nextCursor}`);
    expect(rest.body.versions.map(({ version }: Json) => version)).to.deep.equal([1]);
  });
});
