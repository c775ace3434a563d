import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { inboundPayload, threadOf } from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import { openWebhookStage } from '../../support/webhook-stage.ts';

const FROM = '919812345678';
const ANOTHER = '447700900123';

describe('forwarding inbound messages @long', () => {
  useRealConnections();
  const stage = inSuite(openWebhookStage);

  const setUrl = async (path: string) => {
    const { waybill, tenant, callee } = stage;
    const how = { token: tenant.apiKey, body: { webhookUrl: `${callee.url}${path}` } };
    const target = `/v1/phones/${tenant.phoneNumberId}/webhook`;
    await answered(200, waybill.call('PATCH', target, how));
  };

  it('posts the message with sender, content and time', async () => {
    const { waybill, tenant, callee } = stage;
    await setUrl('/hook/s3cret');
    const at = waybill.clock.now();
    const body = 'Where is my order?';
    const rest = { context: { id: 'wamid.A' } };
    const payload = inboundPayload(tenant, { id: 'wamid.IN', at, body, rest });
    expect((await waybill.webhook(payload)).status).to.equal(200);
    await until('the call', () => callee.calls.length > 0);
    const [call] = callee.calls;
    expect(call).to.include({ method: 'POST', path: '/hook/s3cret' });
    expect(call?.headers['content-type']).to.equal('application/json');
    expect(JSON.parse(call!.body)).to.deep.equal({
      phoneNumberId: tenant.phoneNumberId,
      from: FROM,
      type: 'text',
      message: {
        id: 'wamid.IN',
        from: FROM,
        timestamp: String(Math.floor(at / 1000)),
        type: 'text',
        text: { body },
        ...rest,
      },
      contact: { wa_id: FROM, profile: { name: 'Mia' } },
      timestamp: new Date(at).toISOString(),
    });
  });

  it('stops calling the old URL at once when a new one is saved', async () => {
    const { waybill, tenant, callee } = stage;
    const outcomes = async () => {
      const events = await waybill.events(await threadOf(waybill, tenant, ANOTHER));
      return events.filter(({ type }) => type === 'MessageForwarded').length;
    };
    for (let round = 1; round <= 5; round += 1) {
      await setUrl(`/${round}`);
      await stage.receive(`round ${round}`, ANOTHER);
      await untilTrue(`${round} outcomes`, async () => (await outcomes()) >= round);
      expect(callee.calls.at(-1)?.path).to.equal(`/${round}`);
    }
  });
});
