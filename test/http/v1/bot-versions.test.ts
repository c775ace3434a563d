import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
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

  const call = (method: string, path: string, body?: unknown) =>
    on.call(method, `/v1/bots${path}`, body);
  const page = (query = '') => bodyOf(200, call('GET', `/${id}/versions${query}`));
  const draftOf = (path: string) => bodyOf(200, call('GET', `${path}/draft`));
  const namesOf = ({ versions }: Json) => versions.map(({ name }: Json) => name);

  it('lists what the bot was after each change, newest first', async () => {
    const { versions, nextCursor } = await page();
    expect(nextCursor).to.equal(null);
    expect(versions.map(({ version }: Json) => version)).to.deep.equal([3, 2, 1]);
    expect(namesOf({ versions })).to.deep.equal(['Three', 'Two', 'One']);
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
    expect(await draftOf(path)).to.deep.equal({ draft: null });
    await answered(404, call('POST', `${path}/publish`, {}));
    const graph = { nodes: [node('draft')], edges: [] };
    const kept = await call('PUT', `${path}/draft`, graph);
    expect(kept.body.draft).to.deep.include({ basis: 1, ...graph });
    expect((await call('GET', path)).body.nodes).to.deep.equal([node('live')]);
    expect(await draftOf(path)).to.deep.equal(kept.body);
    const published = await call('POST', `${path}/publish`, {});
    expect(published.body).to.deep.include({ name: 'Drafted', ...graph });
    expect(await draftOf(path)).to.deep.equal({ draft: null });
    const { versions } = await bodyOf(200, call('GET', `${path}/versions`));
    const ids = versions.map(({ version, nodes }: Json) => `${version} ${nodes[0].id}`);
    expect(ids).to.deep.equal(['2 draft', '1 live']);
  });

  it('goes back to an earlier version by a new one, which keeps name, number and state', async () => {
    const made = await call('POST', '', { name: 'First', nodes: [node('a')], isActive: false });
    const path = `/${made.body.id}`;
    const change = { name: 'Second', nodes: [node('b')], triggerKeywords: ['b'], isActive: true };
    await call('PATCH', path, change);
    await call('PUT', `${path}/draft`, { nodes: [node('c')], edges: [] });
    const { body } = await answered(200, call('POST', `${path}/publish`, { version: 1 }));
    expect(body).to.deep.include({ name: 'Second', isActive: true, triggerKeywords: [] });
    expect(body.nodes).to.deep.equal([node('a')]);
    expect((await draftOf(path)).draft.nodes).to.deep.equal([node('c')]);
    await answered(200, call('DELETE', `${path}/draft`));
    expect(await draftOf(path)).to.deep.equal({ draft: null });
    await answered(404, call('POST', `${path}/publish`, { version: 9 }));
  });

  it('bounds a draft as it bounds the bot', async () => {
    const nodes = [{ ...node('big'), data: { text: 'x'.repeat(260 * 1024) } }];
    const { body } = await answered(400, call('PUT', `/${id}/draft`, { nodes, edges: [] }));
    expect(JSON.stringify(body)).to.include('larger than');
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
