import { expect } from 'chai';
import { useTenant } from '../../support/surface.ts';
import type { Json } from '../../support/waybill.ts';

const node = (id: string) => ({ id, type: 'end', position: { x: 1, y: 2 }, data: { kept: id } });

describe('versions of a bot over HTTP', () => {
  const on = useTenant({ once: true });
  let id: string;
  before(async () => {
    ({ id } = (await call('POST', '', { name: 'One', nodes: [node('a')] })).body);
    await call('PATCH', `/${id}`, { name: 'Two', nodes: [node('b')] });
    await call('PATCH', `/${id}`, { name: 'Two' });
    await call('PATCH', `/${id}`, { name: 'Three', isActive: false });
  });

  const call = (method: string, path: string, body?: unknown, token = on.tenant.apiKey) =>
    on.waybill.call(method, `/v1/bots${path}`, { token, ...(body !== undefined && { body }) });
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

  it('keeps a draft beside what is live, and publishes it as a new version', async () => {
    const made = await call('POST', '', { name: 'Drafted', nodes: [node('live')] });
    const path = `/${made.body.id}`;
    expect((await call('GET', `${path}/draft`)).body).to.deep.equal({ draft: null });
    expect((await call('POST', `${path}/publish`, {})).status).to.equal(404);
    const graph = { nodes: [node('draft')], edges: [] };
    const kept = await call('PUT', `${path}/draft`, graph);
    expect(kept.body.draft).to.deep.include({ basis: 1, ...graph });
    expect((await call('GET', path)).body.nodes).to.deep.equal([node('live')]);
    expect((await call('GET', `${path}/draft`)).body).to.deep.equal(kept.body);
    const published = await call('POST', `${path}/publish`, {});
    expect(published.body).to.deep.include({ name: 'Drafted', ...graph });
    expect((await call('GET', `${path}/draft`)).body).to.deep.equal({ draft: null });
    const { body } = await call('GET', `${path}/versions`);
    expect(body.versions.map(({ version, nodes }: Json) => [version, nodes[0].id])).to.deep.equal([
      [2, 'draft'],
      [1, 'live'],
    ]);
  });

  it('goes back to an earlier version by a new one, which keeps name, number and state', async () => {
    const made = await call('POST', '', { name: 'First', nodes: [node('a')], isActive: false });
    const path = `/${made.body.id}`;
    const change = { name: 'Second', nodes: [node('b')], triggerKeywords: ['b'], isActive: true };
    await call('PATCH', path, change);
    await call('PUT', `${path}/draft`, { nodes: [node('c')], edges: [] });
    const { status, body } = await call('POST', `${path}/publish`, { version: 1 });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ name: 'Second', isActive: true, triggerKeywords: [] });
    expect(body.nodes).to.deep.equal([node('a')]);
    expect((await call('GET', `${path}/draft`)).body.draft.nodes).to.deep.equal([node('c')]);
    expect((await call('DELETE', `${path}/draft`)).status).to.equal(200);
    expect((await call('GET', `${path}/draft`)).body).to.deep.equal({ draft: null });
    expect((await call('POST', `${path}/publish`, { version: 9 })).status).to.equal(404);
  });

  it('bounds a draft as it bounds the bot', async () => {
    const nodes = [{ ...node('big'), data: { text: 'x'.repeat(260 * 1024) } }];
    const { status, body } = await call('PUT', `/${id}/draft`, { nodes, edges: [] });
    expect([status, JSON.stringify(body)]).to.satisfy(
      ([code, text]: [number, string]) => code === 400 && text.includes('larger than'),
    );
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
