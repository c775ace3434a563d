import { expect } from 'chai';
import type { Views } from '../../../src/projections/views.ts';
import { answered, bodyOf } from '../../support/answered.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { accountEvents, notified, notify, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Json,
  nextMessage,
  openTenant,
  orderShipped,
  providerBreaks,
  providerRefuses,
  statusPayload,
} from '../../support/waybill.ts';

const TO = '919812345678';

describe('GET /v1/sends @long', () => {
  let scanned = async (_collection: string): Promise<void> => undefined;
  const watched = (views: Views): Views => ({
    ...views,
    async scan(collection, scan, signal) {
      const page = await views.scan<never>(collection, scan, signal);
      await scanned(collection);
      return page;
    },
  });
  const on = useTenant({ templates: ['order_shipped'], credits: 100 }, { wrapViews: watched });

  const get = (path: string, token = on.tenant.apiKey) => on.waybill.call('GET', path, { token });
  const list = (query = '') => bodyOf(200, get(`/v1/sends${query}`));
  const sends = async (query = ''): Promise<Json[]> => (await list(query)).sends;
  const accepted = (change: Json = {}, headers = {}) =>
    notified(on.waybill, on.tenant, change, headers);
  const acceptedAs = (id: string) => ({ contacts: [{ wa_id: TO }], messages: [{ id }] });
  const refundsIn = () => accountEvents(on.waybill, on.tenant, 'ChargeRefunded');

  it('shows an accepted one with every field', async () => {
    const { body, headers } = await accepted({ clientReference: 'A-1' });
    const [row, ...others] = await sends();
    expect(others).to.deep.equal([]);
    const [charge] = (await get('/v1/credits')).body.transactions;
    const { tookMs, ...shown } = row;
    expect(tookMs).to.be.a('number');
    expect(shown).to.deep.equal({
      id: JSON.parse(charge.metadata).chargeId,
      requestId: headers['x-request-id'],
      at: new Date(on.waybill.clock.now()).toISOString(),
      to: TO,
      contactUserId: null,
      phoneNumberId: on.tenant.phoneNumberId,
      source: 'notification',
      event: 'order_shipped',
      templateName: 'order_shipped',
      channel: 'template',
      category: 'UTILITY',
      price: '0.00168',
      currency: 'USD',
      state: 'accepted',
      metaMessageId: body.messageId,
      error: null,
      charged: 1,
      refunded: 0,
    });
  });

  it('shows what the provider refused by its code and title, which the log keeps without its words', async () => {
    providerRefuses(on.tenant, 131026, `not on WhatsApp: ${TO}`);
    await answered(502, notify(on.waybill, on.tenant));
    const [row] = await sends();
    expect(row).to.deep.include({ state: 'refused', metaMessageId: null, charged: 1, refunded: 1 });
    const { hint, ...error } = row.error;
    expect(hint).to.match(/not on WhatsApp/);
    const known = { code: 'SEND_FAILED', providerCode: 131026, title: 'Message undeliverable' };
    expect(error).to.deep.equal({ ...known, docUrl: '/docs/errors#131026' });
    const [refund] = await refundsIn();
    expect(JSON.stringify(refund)).to.not.include(TO);
    const { tookMs: _, ...failure } = refund.data.failure;
    expect(failure).to.deep.equal(known);
  });

  it('tells a provider that is out of reach from one that refuses', async () => {
    providerBreaks(on.tenant, { code: 'ECONNREFUSED', times: 2 });
    const { body } = await answered(502, notify(on.waybill, on.tenant));
    expect(body.code).to.equal('SEND_FAILED');
    expect(body.details).to.include({ code: 'PROVIDER_UNREACHABLE', providerCode: null });
    expect(await sends()).to.have.nested.property('[0].error.code', 'PROVIDER_UNREACHABLE');
    expect(await sends('?state=unreachable')).to.have.length(1);
    expect(await sends('?state=refused')).to.deep.equal([]);
  });

  it('turns an unknown outcome that a status proves into an accepted one', async () => {
    providerBreaks(on.tenant);
    await answered(504, notify(on.waybill, on.tenant));
    const [unknown] = await sends();
    expect(unknown).to.include({ state: 'unknown', refunded: 1 });
    expect(unknown.error.code).to.equal('OUTCOME_UNKNOWN');
    const id = 'wamid.PROVEN';
    const proof = statusPayload(on.tenant, { id, status: 'delivered', chargeId: unknown.id });
    await on.waybill.webhook(proof);
    await untilTrue('its record', async () => (await sends('?state=accepted')).length === 1);
    const proven = await sends();
    expect(proven).to.have.length(1);
    expect(proven[0]).to.include({ id: unknown.id, metaMessageId: id, refunded: 1 });
  });

  it('filters by contact, event, state, reference, request and time, page by page', async () => {
    await accepted({ clientReference: 'A' }, { 'x-request-id': 'req-one' });
    providerRefuses(on.tenant);
    const second = { to: '919812345679', clientReference: 'B' };
    await notify(on.waybill, on.tenant, second, { 'x-request-id': 'req-two' });
    const both = await sends();
    expect(both.map(({ state }) => state)).to.deep.equal(['refused', 'accepted']);
    const found = async (query: string) => (await sends(query)).map(({ requestId }) => requestId);
    expect(await found('?contact=%2B919812345678')).to.deep.equal(['req-one']);
    expect(await found('?contact=919812345679')).to.deep.equal(['req-two']);
    expect(await found('?contact=919812345670')).to.deep.equal([]);
    expect(await found('?event=order_shipped')).to.deep.equal(['req-two', 'req-one']);
    expect(await found('?event=order_delivered')).to.deep.equal([]);
    expect(await found('?state=refused')).to.deep.equal(['req-two']);
    expect(await found('?state=accepted')).to.deep.equal(['req-one']);
    expect(await found('?state=pending')).to.deep.equal([]);
    expect(await found('?clientReference=A')).to.deep.equal(['req-one']);
    expect(await found('?requestId=req-two')).to.deep.equal(['req-two']);
    expect(await found('?requestId=req-two&state=accepted')).to.deep.equal([]);
    expect(await found('?until=2020-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await found('?since=2020-01-01T00:00:00Z')).to.have.length(2);
    const page = await list('?limit=1');
    expect(page.sends[0].requestId).to.equal('req-two');
    expect(await found(`?limit=1&cursor=${page.nextCursor}`)).to.deep.equal(['req-one']);
    await answered(400, get('/v1/sends?state=lost'));
  });

  it('counts one by the time of its reservation, though it is recorded in the next period', async () => {
    const { clock } = on.waybill;
    const reservedAt = new Date(clock.now()).toISOString();
    nextMessage(on.tenant).reply(() => {
      clock.advance(400);
      return [200, acceptedAs('wamid.MIDNIGHT')];
    });
    const midnight = new Date(clock.now() + 100).toISOString();
    await answered(200, notify(on.waybill, on.tenant));
    const [row, ...others] = await sends(`?until=${midnight}`);
    expect(others).to.deep.equal([]);
    expect(row).to.include({ at: reservedAt, state: 'accepted' });
    expect(await sends(`?since=${midnight}`)).to.deep.equal([]);
    expect(await sends('?until=9999-12-31T23:59:59Z')).to.have.length(1);
  });

  it('shows one that is recorded while the list is read', async () => {
    const asked = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    nextMessage(on.tenant).reply(async () => {
      asked.resolve();
      await read.promise;
      return [200, acceptedAs('wamid.MEANWHILE')];
    });
    const sent = notify(on.waybill, on.tenant);
    await asked.promise;
    scanned = async (collection) => {
      if (!/^(messages|reservations)_/.test(collection)) return;
      scanned = async () => undefined;
      read.resolve();
      await sent;
      await on.waybill.settled();
    };
    expect((await sends()).map(({ state }) => state)).to.deep.equal(['accepted']);
  });

  it('shows a caller that hung up', async () => {
    const gone = new AbortController();
    nextMessage(on.tenant).reply(async () => {
      gone.abort();
      // A whole request later the service has seen that the caller is gone.
      await get('/v1/credits');
      return [200, acceptedAs(`wamid.GONE${on.tenant.accountId}`)];
    });
    const { signal } = gone;
    const how = { token: on.tenant.apiKey, body: orderShipped(), signal };
    await on.waybill.call('POST', '/v1/notifications/send', how).catch(() => undefined);
    await untilTrue('the refund', async () => (await refundsIn()).length === 1);
    await untilTrue('the message', async () => (await sends())[0].metaMessageId !== null);
    const rows = await sends('?state=disconnected');
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ state: 'disconnected', charged: 1, refunded: 1, error: null });
    expect(await sends()).to.have.length(1);
    expect(await sends('?state=accepted')).to.deep.equal([]);
  });

  it('keeps the row of an erased contact, and names nobody', async () => {
    providerRefuses(on.tenant);
    await notify(on.waybill, on.tenant);
    await accepted({ to: '919812345679' });
    for (const contact of [TO, '919812345679']) await eraseContact(on.waybill, contact);
    const [second, first] = await sends();
    expect(second).to.include({ to: null, state: 'accepted' });
    expect(first).to.include({ to: null, state: 'refused' });
    expect(await sends(`?contact=${TO}`)).to.deep.equal([]);
  });

  it('shows nobody the attempts of another account', async () => {
    await accepted();
    const other = await openTenant(on.waybill);
    expect((await get('/v1/sends', other.apiKey)).body.sends).to.deep.equal([]);
  });

  it('shows administrators the attempts of one account, and of all', async () => {
    const other = await openTenant(on.waybill, { templates: ['order_shipped'], credits: 100 });
    const [first, second] = [on.tenant.accountId, other.accountId];
    await accepted({ clientReference: 'A' }, { 'x-request-id': 'req-one' });
    providerRefuses(other);
    await notify(on.waybill, other, {}, { 'x-request-id': 'req-two' });
    const third = { to: '919812345679', clientReference: 'A' };
    await notified(on.waybill, other, third, { 'x-request-id': 'req-three' });
    const page = async (query: string) => (await on.waybill.admin('GET', `/sends?${query}`)).body;
    // Other tests have accounts in the same service.
    const found = async (query: string) =>
      (await page(query)).sends
        .map(({ requestId, accountId }: Json) => [requestId, accountId])
        .filter(([, accountId]: string[]) => [first, second].includes(accountId!));
    const rows = [
      ['req-three', second],
      ['req-two', second],
      ['req-one', first],
    ];
    expect(await found('')).to.deep.equal(rows);
    expect(await found(`accountId=${first}`)).to.deep.equal([rows[2]]);
    expect(await found(`contact=${TO}`)).to.deep.equal([rows[1], rows[2]]);
    expect(await found('contact=919812345670')).to.deep.equal([]);
    expect(await found('clientReference=A')).to.deep.equal([rows[0], rows[2]]);
    expect(await found('state=refused')).to.deep.equal([rows[1]]);
    expect(await found('state=disconnected')).to.deep.equal([]);
    expect(await found('requestId=req-one')).to.deep.equal([rows[2]]);
    const { nextCursor } = await page('limit=2');
    expect(await found(`limit=2&cursor=${nextCursor}`)).to.deep.equal([rows[2]]);
  });
});
