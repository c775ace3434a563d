import { expect } from 'chai';
import { type Callee, startCallee } from '../../support/callee.ts';
import { useRealConnections } from '../../support/network.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { customerWrites, messagesPayload } from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import {
  type Json,
  numberAnswer,
  openTenant,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../../support/waybill.ts';

const CONTACT = '919812345678';
const WORDS = ['Mia', 'Elm Street', CONTACT];

/** What the API shows of a contact who was erased, and what a later message of that person begins. */
describe('a contact who was erased', () => {
  // A stubbed connection has no peer whose address could be checked.
  useRealConnections();
  let waybill: Waybill;
  let tenant: Tenant;
  let callee: Callee;
  let provider: Callee;

  before(async () => {
    provider = await startCallee();
    let sent = 0;
    provider.answer((response, { method, path, body }) => {
      response.setHeader('content-type', 'application/json');
      if (method === 'GET') return void response.end(JSON.stringify(numberAnswer('1')));
      if (!path.endsWith('/messages')) return void response.end('{"success":true}');
      sent += 1;
      const { to } = JSON.parse(body);
      const contacts = [{ input: to, wa_id: String(to).replace('+', '') }];
      response.end(JSON.stringify({ contacts, messages: [{ id: `wamid.ERASED${sent}` }] }));
    });
    waybill = await startWaybill({ forwardAllow: ['127.0.0.1'], providerUrl: provider.url });
  });
  after(async () => {
    await waybill.stop();
    await provider.close();
  });
  beforeEach(async () => {
    tenant = await openTenant(waybill);
    callee = await startCallee();
    await api('PATCH', `/phones/${tenant.phoneNumberId}/webhook`, { webhookUrl: callee.url });
  });
  afterEach(() => callee.close());

  const call = (method: string, path: string, body?: Json) =>
    waybill.call(method, `/v1${path}`, { token: tenant.apiKey, ...(body && { body }) });
  const api = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await call(method, path, body);
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).to.be.below(300);
    return answer.body;
  };
  const bot = async () => {
    const at = { position: { x: 0, y: 0 } };
    const nodes = [
      { ...at, id: 's', type: 'start', data: {} },
      { ...at, id: 'q', type: 'question', data: { text: 'Where do you live?', saveAs: 'street' } },
      { ...at, id: 'r', type: 'question', data: { text: 'And the town?', saveAs: 'town' } },
    ];
    const edges = [
      { id: 'e1', source: 's', target: 'q' },
      { id: 'e2', source: 'q', target: 'r' },
    ];
    const { id } = await api('POST', '/bots', { name: 'Address', trigger: 'ANY_MESSAGE' });
    await api('PATCH', `/bots/${id}`, { nodes, edges, isActive: true });
    return id as string;
  };
  const runsOf = async (id: string): Promise<Json[]> => (await api('GET', `/bots/${id}/runs`)).runs;

  it('is null in conversations, runs and timelines, which say so; a file of theirs is gone', async () => {
    const id = await bot();
    const asked = await customerWrites(waybill, tenant, { name: 'Mia' });
    await untilTrue('the question', async () => (await runsOf(id))[0]?.state === 'waiting');
    await customerWrites(waybill, tenant, { name: 'Mia', body: 'Elm Street' });
    await untilTrue('the next one', async () => (await runsOf(id))[0]?.nodeId === 'r');
    const file = { id: '4711', mime_type: 'image/jpeg', caption: 'Elm Street' };
    const image = { from: CONTACT, id: 'wamid.FILE', type: 'image', image: file };
    const timestamp = String(Math.floor(waybill.clock.now() / 1000));
    await waybill.webhook(messagesPayload(tenant, { messages: [{ ...image, timestamp }] }));
    await until('the forwards', () => callee.calls.length === 3);
    await untilTrue('the end of the run', async () => (await runsOf(id))[0]?.state === 'ended');
    const [{ id: runId }] = (await runsOf(id)) as [Json];
    const paths = [
      '/conversations',
      `/messages/${asked}/timeline`,
      `/bots/${id}/runs`,
      `/bots/${id}/runs/${runId}`,
    ];
    const before = await Promise.all(paths.map((path) => api('GET', path)));
    expect(JSON.stringify(before)).to.contain('Elm Street').and.to.contain(CONTACT);
    const { found } = await eraseContact(waybill, `+${CONTACT}`, tenant.accountId);
    expect(found).to.include({ conversations: 1, runs: 1 });
    const after = await Promise.all(paths.map((path) => api('GET', path)));
    for (const word of WORDS) expect(JSON.stringify(after), word).not.to.contain(word);
    const [{ conversations }, { timeline }, { runs }, run] = after as [Json, Json, Json, Json];
    expect(conversations[0]).to.deep.include({ contact: null, erased: true });
    expect(conversations[0].lastMessage).to.include({ text: null });
    expect(conversations[0].id).to.equal((before[0] as Json).conversations[0].id);
    expect(timeline.find(({ type }: Json) => type === 'MessageReceived').data).to.include({
      erased: true,
      waId: null,
      text: null,
      message: null,
      contactName: null,
    });
    expect(runs[0]).to.deep.include({ contact: null, erased: true });
    expect(run).to.deep.include({ contact: null, erased: true, steps: [], variables: {} });
    expect(run.stepCount).to.equal((before[3] as Json).stepCount);
    expect((await api('GET', '/conversations?search=mia')).conversations).to.deep.equal([]);
    expect((await call('GET', '/media/4711')).status).to.equal(404);
    const names = (await waybill.log()).map(({ stream }) => stream);
    expect(names.filter((name) => name.includes(CONTACT))).to.deep.equal([]);
  });
});
