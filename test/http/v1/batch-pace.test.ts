import { expect } from 'chai';
import nock from 'nock';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { useWaybill } from '../../support/surface.ts';
import {
  type Json,
  openTenant,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

const variables = { orderId: 'A', awbCode: 'B', trackingLink: 'C' };
const recipients = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ to: `+9198000${10_000 + index}`, variables }));

describe('a batch on a number with a slow pace @long', () => {
  /** One call has half of this to get its slot. */
  const on = useWaybill({ providerTimeoutMs: 2000 });

  const batch = (tenant: Tenant, count: number, signal?: AbortSignal) =>
    on.waybill.call('POST', '/v1/notifications/send/batch', {
      token: tenant.apiKey,
      body: { event: 'order_shipped', recipients: recipients(count) },
      ...(signal && { signal }),
    });
  const typesOf = async ({ accountId }: Tenant) => {
    const events = await on.waybill.events(`account-${accountId}`);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    return { reserved: count('ChargeReserved'), refunded: count('ChargeRefunded') };
  };
  const slow = async (messagesPerSecond: number, credits = 1000) => {
    const tenant = await openTenant(on.waybill, { messagesPerSecond, credits });
    providerHasTemplates(tenant, templateAnswer('order_shipped'));
    return tenant;
  };

  it('sends to every recipient, though the last must wait longer than a single send may', async () => {
    const tenant = await slow(4);
    providerAccepts(tenant, 12);
    const { status, body } = await batch(tenant, 12);
    expect(status).to.equal(200);
    expect(body.results.map(({ error }: Json) => error)).to.deep.equal(
      new Array(12).fill(undefined),
    );
    expect(body).to.deep.include({ sent: 12, failed: 0 });
    expect(await typesOf(tenant)).to.deep.equal({ reserved: 12, refunded: 0 });
  });

  it('charges no recipient before its slot', async () => {
    const tenant = await slow(1);
    const { scope } = providerAccepts(tenant, 30);
    const gone = new AbortController();
    const first = new Promise((resolve) => scope.once('request', resolve));
    const answer = batch(tenant, 30, gone.signal).catch(() => undefined);
    await first;
    // Thirty could be worked on at a time; one has its slot, and one more may be on its way.
    const { reserved } = await typesOf(tenant);
    gone.abort();
    await answer;
    expect(reserved).to.be.within(1, 2);
  });

  it('spends no slots on recipients that cannot be charged', async () => {
    const tenant = await slow(1, 1);
    providerAccepts(tenant);
    const { body } = await batch(tenant, 60);
    expect(body).to.deep.include({ sent: 1, failed: 59 });
    const codes = new Set(body.results.map(({ code }: Json) => code));
    expect([...codes].filter(Boolean)).to.deep.equal(['INSUFFICIENT_CREDITS']);
  });
});

describe('a batch whose log goes away @long', () => {
  let reservations = Number.POSITIVE_INFINITY;
  const failing = (store: EventStore): EventStore => ({
    ...store,
    async append(stream, expected, events) {
      const charges = events.filter(({ type }) => type === 'ChargeReserved').length;
      if (charges > reservations) throw new StoreUnavailable('the log is away');
      reservations -= charges;
      return store.append(stream, expected, events);
    },
  });
  const on = useWaybill({ wrapStore: failing });
  afterEach(() => {
    reservations = Number.POSITIVE_INFINITY;
  });

  it('answers for those it sent to, and leaves out the rest: not charged, not sent', async () => {
    const tenant = await openTenant(on.waybill);
    providerHasTemplates(tenant, templateAnswer('order_shipped'));
    const { ids } = providerAccepts(tenant, 200);
    const send = () =>
      on.waybill.call('POST', '/v1/notifications/send/batch', {
        token: tenant.apiKey,
        headers: { 'idempotency-key': 'batch' },
        body: { event: 'order_shipped', recipients: recipients(100) },
      });
    reservations = 40;
    const { status, body } = await send();
    expect(status).to.equal(200);
    expect(body).to.deep.include({ success: true, failed: 0 });
    expect(body.results).to.have.length(body.sent);
    expect(body.sent).to.be.within(1, 40);
    expect(ids).to.have.length(body.sent);
    const reserved = async () =>
      (await on.waybill.events(`account-${tenant.accountId}`)).filter(
        ({ type }) => type === 'ChargeReserved',
      ).length;
    expect(await reserved()).to.equal(body.sent);
    // Those that were left out are sent to under the same key once the log is back, and no others.
    reservations = Number.POSITIVE_INFINITY;
    const again = await send();
    expect(again.body).to.deep.include({ sent: 100, failed: 0 });
    expect(ids).to.have.length(100);
    expect(await reserved()).to.equal(100);
  });

  it('is 200 without recipients when the log is unavailable from the start', async () => {
    const tenant = await openTenant(on.waybill);
    providerHasTemplates(tenant, templateAnswer('order_shipped'));
    const calls = nock(PROVIDER).post(`/${VERSION}/${tenant.phoneNumberId}/messages`).reply(500);
    reservations = 0;
    const { status, body } = await on.waybill.call('POST', '/v1/notifications/send/batch', {
      token: tenant.apiKey,
      body: { event: 'order_shipped', recipients: recipients(40) },
    });
    expect([status, body.results]).to.deep.equal([200, []]);
    expect(calls.isDone()).to.equal(false);
  });
});
