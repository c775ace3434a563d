import { expect } from 'chai';
import { answered, refusedWith } from '../../support/answered.ts';
import { streamOfMessage } from '../../support/message-refs.ts';
import { accountEvents, notify, typesOf, useTenant } from '../../support/surface.ts';
import { type Json, providerAccepts, providerRefuses } from '../../support/waybill.ts';

const DAY_MS = 86_400_000;
const BARRED = 'PhoneDirectSendBarred';
const NOT_ONBOARDED = 'The parameter category is not available';

describe('events without a template (Direct Send)', () => {
  const on = useTenant({ templates: ['order_delivered'] });
  beforeEach(async () => {
    const limits = `/accounts/${on.tenant.accountId}/limits`;
    const { body } = await on.waybill.admin('PATCH', limits, { directSend: 'fallback' });
    expect(body.limits.directSend).to.equal('fallback');
  });

  const send = (change?: Json) => notify(on.waybill, on.tenant, change);
  /** Those of sends: after the opening, the grant and the setting. */
  const ofSends = async () => (await accountEvents(on.waybill, on.tenant)).slice(3);
  const phoneEvents = async () =>
    typesOf(await on.waybill.events(`phone-${on.tenant.phoneNumberId}`));
  const readiness = async () =>
    (await on.call('GET', '/v1/notifications/events?refresh=true')).body;
  const viaOf = async (event: string) =>
    (await readiness()).events.find((one: Json) => one.event === event).via;
  const healthOf = async () => (await on.call('GET', '/v1/phones')).body[0].health;

  it('go out at the price of their category, and say so in answer, history and log', async () => {
    expect(await viaOf('order_shipped')).to.equal('direct');
    expect(await viaOf('cart_recovery')).to.equal(null);
    const { ids, bodies } = providerAccepts(on.tenant);
    const { headers, body } = await answered(200, send({ allowTextFallback: true }));
    expect(body).to.include({ messageId: ids[0], channel: 'direct', template: null });
    expect(headers['x-message-category']).to.equal('UTILITY');
    expect(Number(headers['x-credits-charged'])).to.be.above(0);
    expect(bodies[0]).to.deep.include({
      type: 'text',
      category: 'utility',
      direct_send_config: { template_name: 'order_shipped' },
    });
    expect(await viaOf('order_delivered')).to.equal('template');

    const events = await ofSends();
    expect(typesOf(events)).to.deep.equal(['ChargeReserved']);
    expect(events[0].data.outline).to.deep.include({ event: 'order_shipped', direct: true });
    const stream = await on.waybill.events(streamOfMessage(on.tenant, ids[0]!));
    expect(typesOf(stream)).to.deep.equal(['MessageSent']);
    const { rules } = (await on.call('GET', `/v1/messages/${ids[0]}/explain`)).body;
    const found = rules.find(({ rule }: Json) => rule === 'template' || rule === 'window');
    expect(found).to.include({ rule: 'template', value: 'none' });
    expect(found.event.type).to.equal('DirectSendSet');
    const [shown] = (await on.call('GET', '/v1/messages')).body.messages;
    expect(shown.metaMessageId).to.equal(ids[0]);
    expect(shown).to.include({ messageType: 'text', category: 'UTILITY', event: 'order_shipped' });
  });

  it('are refused once the provider does, with the charge given back, and then for a day before it', async () => {
    providerRefuses(on.tenant, 100, NOT_ONBOARDED);
    const first = await refusedWith(409, 'TEMPLATE_NOT_APPROVED', send());
    expect(first.advice?.hint).to.include('has not admitted');
    expect(typesOf(await ofSends())).to.deep.equal(['ChargeReserved', 'ChargeRefunded']);
    expect((await phoneEvents()).at(-1)).to.equal(BARRED);

    const until = new Date(on.waybill.clock.now() + DAY_MS).toISOString();
    const directSend = { state: 'not_onboarded', until };
    expect(await healthOf()).to.deep.equal({ canSend: true, blockers: [], directSend });
    expect((await readiness()).health).to.deep.equal({ canSend: true, blockers: [], directSend });
    expect(await viaOf('order_shipped')).to.equal(null);
    const second = await send();
    expect([second.status, second.advice]).to.deep.equal([409, first.advice]);
    expect((await phoneEvents()).filter((type) => type === BARRED)).to.have.length(1);

    on.waybill.clock.advance(DAY_MS);
    expect(await healthOf()).to.equal(undefined);
    expect(await viaOf('order_shipped')).to.equal('direct');
    providerAccepts(on.tenant);
    expect((await send()).body.channel).to.equal('direct');
  });
});
