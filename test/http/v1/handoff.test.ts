import { expect } from 'chai';
import { succeeded } from '../../support/answered.ts';
import { openWorld } from '../../support/faults/world.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import {
  conversationOf,
  customerWrites,
  fieldErrorsOf,
  threadOf,
  typesOf,
} from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import type { Json, Tenant } from '../../support/waybill.ts';

const HOUR_MS = 3_600_000;

describe('a conversation taken from the bots, and given back @long', () => {
  useRealConnections();
  const world = inSuite(openWorld);
  let tenant: Tenant;
  let id: string;
  beforeEach(async () => {
    tenant = await world.tenant();
    await call('POST', '/bots', {
      name: 'Ask',
      trigger: 'ANY_MESSAGE',
      nodes: [{ id: 'q', type: 'question', data: { text: 'Which one?', saveAs: 'x' } }],
      edges: [],
    });
    world.waybill.clock.advance(1);
    await write('Hello');
    await until('the question', () => said() === 1);
    id = await conversationOf(world.waybill, tenant);
    await untilTrue('the wait', async () => (await runs())[0]?.state === 'waiting');
  });

  const ask = (method: string, path: string, body?: Json) =>
    world.waybill.call(method, `/v1${path}`, { token: tenant.apiKey, ...(body && { body }) });
  const call = (method: string, path: string, body?: Json) => succeeded(ask(method, path, body));
  const path = () => `/conversations/${encodeURIComponent(id)}/handoff`;
  const write = (body: string) => customerWrites(world.waybill, tenant, { body });
  const said = () => world.sendsOf(tenant).length;
  const runs = async (): Promise<Json[]> => {
    const [bot] = (await call('GET', '/bots')) as Json[];
    return (await call('GET', `/bots/${bot!.id}/runs`)).runs;
  };
  const shown = async () => (await call('GET', '/conversations')).conversations[0].handoff;
  const facts = async () => {
    const events = await world.waybill.events(await threadOf(world.waybill, tenant));
    return events.filter(({ type }) => type.startsWith('Bot'));
  };
  const botsHaveSeen = () =>
    untilTrue('the bots have seen it', async () => {
      const place = (await world.waybill.store.loadSnapshot('reactor-bots'))?.state;
      return typeof place === 'string' && place >= (await world.waybill.log()).at(-1)!.position;
    });

  it('ends the waiting run, keeps bots silent, and lets them answer again at once', async () => {
    expect(await shown()).to.equal(null);
    const now = world.waybill.clock.now();
    const end = new Date(now + 2 * HOUR_MS).toISOString();
    const taken = await call('POST', path(), { minutes: 120 });
    expect(taken).to.deep.equal({ success: true, until: end });
    const since = new Date(now).toISOString();
    const byPerson = { by: 'person', botId: null, person: null };
    expect(await shown()).to.deep.equal({ ...byPerson, since, until: end });
    expect((await runs())[0]).to.include({ state: 'ended', reason: 'handoff' });
    await write('the blue one');
    await botsHaveSeen();
    expect(said()).to.equal(1);

    expect(await call('DELETE', path())).to.deep.equal({ success: true });
    expect(await call('DELETE', path())).to.deep.equal({ success: true });
    expect(await shown()).to.equal(null);
    world.waybill.clock.advance(1);
    await write('And now?');
    await until('an answer', () => said() === 2);
    expect(await runs()).to.have.length(2);

    const told = (await facts()).slice(3, 6);
    expect(typesOf(told)).to.deep.equal(['BotRunEnded', 'BotsSilenced', 'BotsResumed']);
    const [ended, ...rest] = told.map(({ data }) => data);
    expect(ended).to.include({ reason: 'handoff', nodeId: 'q' });
    const { accountId, phoneNumberId } = tenant;
    const contactRef = await world.waybill.refOf(accountId, '919812345678');
    const thread = { accountId, phoneNumberId, contactRef };
    expect(rest).to.deep.equal([
      { ...thread, runId: null, botId: null, until: end },
      { ...thread, at: since },
    ]);
  });

  it('lasts a day when no end is given, and 30 days at most', async () => {
    const now = world.waybill.clock.now();
    const day = await call('POST', path());
    expect(Date.parse(day.until)).to.equal(now + 24 * HOUR_MS);
    const at = (ms: number) => ({ until: new Date(now + ms).toISOString() });
    for (const body of [{ minutes: 0 }, { minutes: 43_201 }, at(0), at(721 * HOUR_MS)]) {
      expect(fieldErrorsOf(await ask('POST', path(), body))).to.deep.equal(Object.keys(body));
    }
    expect(Date.parse((await shown()).until)).to.equal(now + 24 * HOUR_MS);
  });
});
