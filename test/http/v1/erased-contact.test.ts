import { expect } from 'chai';
import { succeeded } from '../../support/answered.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { customerWrites, messagesPayload } from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import type { Json } from '../../support/waybill.ts';
import { openWebhookStage } from '../../support/webhook-stage.ts';

const CONTACT = '919812345678';
const WORDS = ['Mia', 'Elm Street', CONTACT];

/** What the API shows of a contact who was erased, and what a later message of that person begins. */
describe('a contact who was erased', () => {
  useRealConnections();
  const stage = inSuite(openWebhookStage);

  const call = (method: string, path: string, body?: Json) =>
    stage.waybill.call(method, `/v1${path}`, {
      token: stage.tenant.apiKey,
      ...(body && { body }),
    });
  const api = (method: string, path: string, body?: Json) =>
    succeeded(call(method, path, body), path);
  const runsOf = async (id: string): Promise<Json[]> => (await api('GET', `/bots/${id}/runs`)).runs;

  it('is null in conversations, runs and timelines, which say so; a file of theirs is gone', async () => {
    const { waybill, tenant, callee } = stage;
    await api('PATCH', `/phones/${tenant.phoneNumberId}/webhook`, { webhookUrl: callee.url });
    const { id } = await api('POST', '/bots', {
      name: 'Address',
      trigger: 'ANY_MESSAGE',
      nodes: [
        { id: 'q', type: 'question', data: { text: 'Where do you live?', saveAs: 'street' } },
        { id: 'r', type: 'question', data: { text: 'And the town?', saveAs: 'town' } },
      ],
      edges: [{ id: 'e', source: 'q', target: 'r' }],
    });
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
    const paths = ['/conversations', `/messages/${asked}/timeline`];
    paths.push(`/bots/${id}/runs`, `/bots/${id}/runs/${runId}`);
    const readAll = () => Promise.all(paths.map((path) => api('GET', path)));
    const before = await readAll();
    expect(JSON.stringify(before)).to.contain('Elm Street').and.to.contain(CONTACT);
    const { found } = await eraseContact(waybill, `+${CONTACT}`, tenant.accountId);
    expect(found).to.include({ conversations: 1, runs: 1 });
    const after = await readAll();
    for (const word of WORDS) expect(JSON.stringify(after), word).not.to.contain(word);
    const [{ conversations }, { timeline }, { runs }, run] = after as [Json, Json, Json, Json];
    expect(conversations[0]).to.deep.include({ contact: null, erased: true });
    expect(conversations[0].lastMessage).to.include({ text: null });
    expect(conversations[0].id).to.equal((before[0] as Json).conversations[0].id);
    const { data } = timeline.find(({ type }: Json) => type === 'MessageReceived');
    const nothing = { waId: null, text: null, message: null, contactName: null };
    expect(data).to.include({ erased: true, ...nothing });
    expect(runs[0]).to.deep.include({ contact: null, erased: true });
    expect(run).to.deep.include({ contact: null, erased: true, steps: [], variables: {} });
    expect(run.stepCount).to.equal((before[3] as Json).stepCount);
    expect((await api('GET', '/conversations?search=mia')).conversations).to.deep.equal([]);
    expect((await call('GET', '/media/4711')).status).to.equal(404);
    const names = (await waybill.log()).map(({ stream }) => stream);
    expect(names.filter((name) => name.includes(CONTACT))).to.deep.equal([]);
  });
});
