import { expect } from 'chai';
import { type Callee, startCallee } from '../../support/callee.ts';
import { useRealConnections } from '../../support/network.ts';
import { inboundPayload, threadOf } from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import {
  type Json,
  openTenant,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../../support/waybill.ts';

const FROM = '919812345678';

let ids = 0;
const freshId = () => {
  ids += 1;
  return `wamid.IN${ids}`;
};

describe('forwarding inbound messages @long', () => {
  // A stubbed connection has no peer whose address could be checked.
  useRealConnections();
  let waybill: Waybill;
  let tenant: Tenant;
  let callee: Callee;
  /** What private names lead to now. */
  let addresses: readonly string[] = ['127.0.0.1'];
  const options = {
    forwardAllow: ['127.0.0.1'],
    resolve: async (): Promise<readonly string[]> => addresses,
  };
  before(async () => {
    waybill = await startWaybill(options);
  });
  after(async () => {
    await waybill.stop();
  });
  beforeEach(async () => {
    addresses = ['127.0.0.1'];
    tenant = await openTenant(waybill);
    callee = await startCallee();
    await setUrl(`${callee.url}/hook/s3cret`);
  });
  afterEach(() => callee.close());

  const setUrl = async (webhookUrl: string | null, of = tenant, at = waybill) => {
    const path = `/v1/phones/${of.phoneNumberId}/webhook`;
    const answer = await at.call('PATCH', path, { token: of.apiKey, body: { webhookUrl } });
    expect(answer.status).to.equal(200);
  };
  const receive = async (change: Json = {}, of = tenant, at = waybill) => {
    const id = change.id ?? freshId();
    const payload = inboundPayload(of, { at: at.clock.now(), ...change, id });
    expect((await at.webhook(payload)).status).to.equal(200);
    return id as string;
  };
  const outcomesOf = async (of = tenant, at = waybill): Promise<Json[]> => {
    const events = await at.events(await threadOf(at, of));
    return events.filter(({ type }) => type === 'MessageForwarded').map(({ data }) => data);
  };
  const outcomes = (count: number, of = tenant, at = waybill) =>
    untilTrue(`${count} outcomes`, async () => (await outcomesOf(of, at)).length >= count);

  it('posts the message with sender, content and time', async () => {
    const id = await receive({ body: 'Where is my order?', rest: { context: { id: 'wamid.A' } } });
    await until('the call', () => callee.calls.length > 0);
    const [call] = callee.calls;
    expect(call).to.include({ method: 'POST', path: '/hook/s3cret' });
    expect(call?.headers['content-type']).to.equal('application/json');
    expect(JSON.parse(call!.body)).to.deep.equal({
      phoneNumberId: tenant.phoneNumberId,
      from: FROM,
      type: 'text',
      message: {
        id,
        from: FROM,
        timestamp: String(Math.floor(waybill.clock.now() / 1000)),
        type: 'text',
        text: { body: 'Where is my order?' },
        context: { id: 'wamid.A' },
      },
      contact: { wa_id: FROM, profile: { name: 'Mia' } },
      timestamp: new Date(waybill.clock.now()).toISOString(),
    });
  });

  it('stops calling the old URL at once when a new one is saved', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await setUrl(`${callee.url}/${round}`);
      await receive();
      await outcomes(round);
      expect(callee.calls.at(-1)?.path).to.equal(`/${round}`);
    }
  });
});
