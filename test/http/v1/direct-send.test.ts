import { expect } from 'chai';
import type { KnownEvent } from '../../../src/events/index.ts';
import { streamOfMessage } from '../../support/message-refs.ts';
import { typesOf, useTenant } from '../../support/surface.ts';
import {
  type Json,
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  providerRefuses,
  templateAnswer,
} from '../../support/waybill.ts';

const DAY_MS = 86_400_000;
const BARRED = 'PhoneDirectSendBarred';
const NOT_ONBOARDED = 'The parameter category is not available';

describe('events without a template (Direct Send)', () => {
  const on = useTenant();
  beforeEach(async () => {
    providerHasTemplates(on.tenant, templateAnswer('order_delivered'));
    const { body } = await setDirectSend('fallback');
    expect(body.limits.directSend).to.equal('fallback');
  });

  const setDirectSend = (directSend: string, of = on.tenant) =>
    on.waybill.admin('PATCH', `/accounts/${of.accountId}/limits`, { directSend });
  const call = (method: string, path: string, body?: unknown, of = on.tenant) =>
    on.waybill.call(method, path, { token: of.apiKey, ...(body !== undefined && { body }) });
  const send = (change: Json = {}, of = on.tenant) =>
    call('POST', '/v1/notifications/send', orderShipped(change), of);
  /** Those of sends: after the opening, the grant and the setting. */
  const accountEvents = async () =>
    ((await on.waybill.events(`account-${on.tenant.accountId}`)) as KnownEvent[]).slice(3);
  const phoneEvents = async ({ phoneNumberId } = on.tenant) =>
    typesOf((await on.waybill.events(`phone-${phoneNumberId}`)) as KnownEvent[]);
  const readiness = async (of = on.tenant) =>
    (await call('GET', '/v1/notifications/events?refresh=true', undefined, of)).body;
  const viaOf = async (event: string, of = on.tenant) =>
    (await readiness(of)).events.find((one: Json) => one.event === event).via;
  const healthOf = async (of = on.tenant) =>
    (await call('GET', '/v1/phones', undefined, of)).body[0].health;

  it('go out at the price of their category, and say so in answer, history and log', async () => {
    expect([await viaOf('order_shipped'), await viaOf('cart_recovery')]).to.deep.equal([
      'direct',
      null,
    ]);
    const { ids, bodies } = providerAccepts(on.tenant);
    const { status, headers, body } = await send({ allowTextFallback: true });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.include({ messageId: ids[0], channel: 'direct', template: null });
    expect(headers['x-message-category']).to.equal('UTILITY');
    expect(Number(headers['x-credits-charged'])).to.be.above(0);
    expect(bodies[0]).to.deep.include({
      type: 'text',
      category: 'utility',
      direct_send_config: { template_name: 'order_shipped' },
    });
    expect(await viaOf('order_delivered')).to.equal('template');

    const [reserved, ...more] = await accountEvents();
    if (reserved?.type !== 'ChargeReserved') throw new Error(reserved?.type);
    expect(more).to.deep.equal([]);
    expect(reserved.data.outline).to.deep.include({ event: 'order_shipped', direct: true });
    const stream = (await on.waybill.events(streamOfMessage(on.tenant, ids[0]!))) as KnownEvent[];
    expect(typesOf(stream)).to.deep.equal(['MessageSent']);
    const [shown] = (await call('GET', '/v1/messages')).body.messages;
    expect(shown.metaMessageId).to.equal(ids[0]);
    expect(shown).to.include({ messageType: 'text', category: 'UTILITY', event: 'order_shipped' });
  });

  it('are refused once the provider does, with the charge given back, and then for a day before it', async () => {
    providerRefuses(on.tenant, 100, NOT_ONBOARDED);
    const first = await send();
    expect([first.status, first.body.code]).to.deep.equal([409, 'TEMPLATE_NOT_APPROVED']);
    expect(first.advice?.hint).to.include('has not admitted');
    expect(typesOf(await accountEvents())).to.deep.equal(['ChargeReserved', 'ChargeRefunded']);
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
