import { expect } from 'chai';
import type { KnownEvent } from '../../../src/events/index.ts';
import { streamOfMessage } from '../../support/message-refs.ts';
import { customerWrites, typesOf, useWaybill } from '../../support/surface.ts';
import {
  openTenant,
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
} from '../../support/waybill.ts';

const DAY_MS = 86_400_000;

describe('a notification inside the window of 24 hours', () => {
  const on = useWaybill();
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await openTenant(on.waybill);
    providerHasTemplates(tenant, templateAnswer('order_shipped'));
  });

  const send = (change: Record<string, unknown> = {}) =>
    on.waybill.call('POST', '/v1/notifications/send', {
      token: tenant.apiKey,
      body: orderShipped({ event: 'order_delivered', allowTextFallback: true, ...change }),
    });
  const accountEvents = async () =>
    (await on.waybill.events(`account-${tenant.accountId}`)).slice(2) as KnownEvent[];

  it('goes out as text where its template is not approved, free of charge', async () => {
    await customerWrites(on.waybill, tenant);
    const { ids, bodies } = providerAccepts(tenant);
    const { status, headers, body } = await send({ variables: { orderId: 'A-77' } });
    expect(status).to.equal(200);
    expect(body).to.include({
      messageId: ids[0],
      channel: 'text',
      event: 'order_delivered',
      template: null,
    });
    expect(headers).to.include({ 'x-message-category': 'SERVICE', 'x-credits-charged': '0' });
    expect(bodies[0]).to.include({ type: 'text' });
    expect(bodies[0].text.body).to.contain('A-77');
    const [sent] = (await on.waybill.events(streamOfMessage(tenant, ids[0]!))) as KnownEvent[];
    if (sent?.type !== 'MessageSent') throw new Error(sent?.type);
    const { phoneNumberId } = tenant;
    expect(sent.data).to.include({ phoneNumberId });
    const [reserved] = await accountEvents();
    if (reserved?.type !== 'ChargeReserved') throw new Error(reserved?.type);
    expect(reserved.data.outline).to.include({
      phoneNumberId,
      source: 'notification',
      event: 'order_delivered',
    });
  });

  it('is refused once the window has closed, to the millisecond', async () => {
    await customerWrites(on.waybill, tenant);
    on.waybill.clock.advance(DAY_MS - 1);
    providerAccepts(tenant);
    expect((await send()).body.channel).to.equal('text');
    on.waybill.clock.advance(1);
    expect((await send()).status).to.equal(409);
    expect(typesOf(await accountEvents())).to.deep.equal([
      ...['ChargeReserved', 'ChargeReserved', 'ChargeRefunded'],
    ]);
  });
});
