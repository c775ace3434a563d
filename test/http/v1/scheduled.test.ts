import { expect } from 'chai';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { answered, bodyOf } from '../../support/answered.ts';
import {
  accountEvents,
  customerWrites,
  notified,
  notify,
  typesOf,
  useTenant,
} from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Answer,
  type Json,
  openTenant,
  orderShipped,
  providerAccepts,
  providerRefuses,
} from '../../support/waybill.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TEXT = { to: '+919812345678', type: 'text', text: { body: 'Hi' } };

describe('sending later', () => {
  let isAnswerLost = false;
  const on = useTenant(
    { templates: ['order_shipped', 'back_in_stock'] },
    {
      bounds: { waitingMax: 12 },
      wrapStore: (store) => ({
        ...store,
        async append(stream, expected, events) {
          const isAnswer = events.some(({ type }) => type === 'RequestAnswered');
          if (isAnswer && isAnswerLost) throw new StoreUnavailable('away');
          return store.append(stream, expected, events);
        },
      }),
    },
  );

  const ahead = (ms: number) => new Date(on.waybill.clock.now() + ms).toISOString();
  const call = (method: string, path: string, body?: Json, token = on.tenant.apiKey) =>
    on.waybill.call(method, path, { token, ...(body && { body }) });
  const send = (change: Json, headers = {}) => notify(on.waybill, on.tenant, change, headers);
  const taken = async (answer: Promise<Answer>): Promise<Json> =>
    (await bodyOf(202, answer)).scheduled;
  const read = async (id: string) => (await call('GET', `/v1/scheduled/${id}`)).body;
  const batch = (recipients: Json[], timing: Json) =>
    call('POST', '/v1/notifications/send/batch', { event: 'order_shipped', recipients, ...timing });
  const { variables } = orderShipped();
  const reached = async (id: string, state: string): Promise<Json> => {
    let row: Json;
    await untilTrue(`the send is ${state}`, async () => {
      row = await read(id);
      return row.state === state;
    });
    return row;
  };
  const typesIn = async (id: string) =>
    typesOf(await on.waybill.events(`schedule-${on.tenant.accountId}.${id}`));
  const charges = () => accountEvents(on.waybill, on.tenant, 'ChargeReserved');
  const limits = (body: Json) =>
    on.waybill.admin('PATCH', `/accounts/${on.tenant.accountId}/limits`, body);

  it('answers 202 without a charge, and sends when it is due', async () => {
    const { ids } = providerAccepts(on.tenant);
    const answer = await send({ sendAt: ahead(HOUR) });
    expect(answer.headers).to.not.have.property('x-message-price');
    expect(answer.body).to.deep.equal({
      success: true,
      scheduled: {
        id: answer.body.scheduled.id,
        dueAt: ahead(HOUR),
        timeZone: 'Asia/Kolkata',
        rule: { by: 'sendAt', text: 'as asked' },
        // The mirror has read no template yet.
        problems: ['template_not_approved'],
      },
    });
    const { id } = answer.body.scheduled;
    expect(id).to.match(/^sch_/);
    expect(await charges()).to.have.length(0);
    expect(await read(id)).to.include({ state: 'waiting', to: '919812345678', chargeId: null });
    on.waybill.clock.advance(HOUR);
    const row = await reached(id, 'sent');
    expect(row).to.include({ metaMessageId: ids[0], error: null });
    const [charge] = await charges();
    expect(charge.data).to.include({ chargeId: row.chargeId });
    expect(await typesIn(id)).to.deep.equal(['SendScheduled', 'ScheduleBegun', 'ScheduleEnded']);
  });

  it('keeps what it says sealed, and takes the same request once', async () => {
    const body = { sendAt: ahead(HOUR) };
    const headers = { 'idempotency-key': 'once' };
    const first = await taken(send(body, headers));
    expect(await taken(send(body, headers))).to.deep.equal(first);
    const [stored] = await on.waybill.sealed.read(`schedule-${on.tenant.accountId}.${first.id}`);
    expect(JSON.stringify(stored)).to.not.contain('AWB').and.not.contain('919812345678');
  });

  it('refuses at once what can never be sent', async () => {
    const wrong: [Json, string][] = [
      [{ sendAt: ahead(-2 * 60_000) }, 'sendAt'],
      [{ sendAt: '2026-12-01T09:00:00' }, 'sendAt'],
      [{ deliverBetween: { from: '09:00', until: '20:00', days: [] } }, 'deliverBetween'],
      [{ quoteId: 'quote_x' }, 'quoteId'],
      [{ strict: true, variables: {} }, 'variables'],
    ];
    const refused = (change: Json) => bodyOf(400, send({ sendAt: ahead(HOUR), ...change }));
    for (const [change, field] of wrong) {
      expect((await refused(change)).error.fieldErrors, field).to.have.key(field);
    }
    expect((await refused({ event: 'no_such' })).code).to.equal('UNKNOWN_EVENT');
    const deliverBetween = { from: '9', until: '20:00', timeZone: 'Mars' };
    const window = await refused({ deliverBetween });
    expect(window.error.fieldErrors.deliverBetween).to.have.length(2);
  });

  it('changes, sends now and cancels what waits; what is over is a conflict', async () => {
    const { id } = await taken(send({ sendAt: ahead(HOUR) }));
    const path = `/v1/scheduled/${id}`;
    const moved = await call('PATCH', path, { sendAt: ahead(2 * HOUR), clientReference: 'x' });
    expect(moved.body).to.include({ dueAt: ahead(2 * HOUR), state: 'waiting' });
    const { bodies } = providerAccepts(on.tenant);
    const changed = await call('PATCH', path, { variables: { ...variables, awbCode: 'NEW' } });
    expect(changed.body.dueAt).to.equal(ahead(2 * HOUR));
    const strict = { strict: true, variabels: {} };
    const refused = await answered(400, call('PATCH', path, strict));
    expect(refused.body.error.fieldErrors).to.have.key('variabels');
    expect((await call('POST', `${path}/send-now`)).body.dueAt).to.equal(ahead(0));
    await reached(id, 'sent');
    expect(JSON.stringify(bodies)).to.contain('NEW');
    await answered(409, call('DELETE', path));
    const other = await taken(send({ sendAt: ahead(HOUR) }));
    const cancel = () => bodyOf(200, call('DELETE', `/v1/scheduled/${other.id}`));
    expect(await cancel()).to.include({ state: 'cancelled' });
    expect(await cancel()).to.include({ state: 'cancelled' });
    on.waybill.clock.advance(HOUR);
    await answered(409, call('PATCH', `/v1/scheduled/${other.id}`, {}));
  });

  it('sends now once for a key, whose repetition gets the answer after it went out', async () => {
    providerAccepts(on.tenant);
    const { id } = await taken(send({ sendAt: ahead(HOUR) }));
    const headers = { 'idempotency-key': 'now' };
    const now = () => answered(200, on.call('POST', `/v1/scheduled/${id}/send-now`, {}, headers));
    isAnswerLost = true;
    expect((await now()).body).to.include({ dueAt: ahead(0) });
    isAnswerLost = false;
    await reached(id, 'sent');
    const { body } = await now();
    expect(body).to.include({ state: 'sent', to: '919812345678' });
    const again = await now();
    expect(again.body).to.deep.equal(body);
    expect(again.headers).to.include({ 'idempotency-replayed': 'true' });
    const types = ['SendScheduled', 'ScheduleChanged', 'ScheduleBegun', 'ScheduleEnded'];
    expect(await typesIn(id)).to.deep.equal(types);
    const { events } = await on.waybill.sealed.readAll('', 1000);
    const ofAccount = events.filter(({ stream }) => stream.includes(on.tenant.accountId));
    const answers = ofAccount.filter(({ type }) => type === 'RequestAnswered');
    expect(answers).to.have.length(1);
    expect(JSON.stringify(answers)).to.not.contain('919812345678');
  });

  it('says of the template of a message too whether it is approved', async () => {
    const template = { name: 'order_shipped', language: 'en_US', components: [] };
    const body = { to: '+919812345678', type: 'template', template, sendAt: ahead(HOUR) };
    const message = () => taken(call('POST', '/v1/messages/send', body));
    expect((await message()).problems).to.deep.equal(['template_not_approved']);
    // Makes the mirror know the template.
    await notified(on.waybill, on.tenant);
    expect(await message()).to.not.have.property('problems');
  });

  it('refuses a time at which the retention of the account has destroyed the content', async () => {
    const later = () => send({ sendAt: ahead(60 * DAY) });
    await taken(later());
    const retention = `/accounts/${on.tenant.accountId}/retention`;
    await on.waybill.admin('PATCH', retention, { contentRetentionMonths: 1 });
    const { body } = await answered(400, later());
    expect(body.error.fieldErrors).to.have.key('sendAt');
    await taken(send({ sendAt: ahead(30 * DAY) }));
  });

  it('refuses what would go out after `notAfter`', async () => {
    const past = { notAfter: ahead(-1) };
    const refused = async (answer: Promise<Answer>) => {
      const { body } = await answered(400, answer);
      expect(body.error.fieldErrors).to.have.key('notAfter');
    };
    await refused(send(past));
    await refused(batch([{ to: '+919812345678', variables }], past));
    const { id } = await taken(send({ sendAt: ahead(HOUR) }));
    for (const change of [past, { sendAt: null, ...past }]) {
      await refused(call('PATCH', `/v1/scheduled/${id}`, change));
    }
  });

  it('keeps `notAfter` when it is to go out now, by default ten minutes for a code', async () => {
    const waiting = async (change: Json) => {
      const { id } = await taken(send({ sendAt: ahead(HOUR), ...change }));
      return `/v1/scheduled/${id}`;
    };
    const ends = async (answer: Promise<Answer>) => (await answered(200, answer)).body.notAfter;
    const notAfter = ahead(2 * HOUR);
    const now = { sendAt: null };
    expect(await ends(call('PATCH', await waiting({ notAfter }), now))).to.equal(notAfter);
    expect(await ends(call('POST', `${await waiting({ notAfter })}/send-now`))).to.equal(notAfter);
    const code = await waiting({ event: 'otp_verification', variables: { otp: '123456' } });
    expect(await ends(call('POST', `${code}/send-now`))).to.equal(ahead(10 * 60_000));
  });

  it('lists an account’s own, by state and contact', async () => {
    const first = await taken(send({ sendAt: ahead(HOUR) }));
    const second = await taken(send({ sendAt: ahead(DAY), to: '+919812345679' }));
    await call('DELETE', `/v1/scheduled/${first.id}`);
    const idsOf = async (query: string) =>
      (await call('GET', `/v1/scheduled?${query}`)).body.scheduled.map(({ id }: Json) => id);
    expect(await idsOf('')).to.deep.equal([second.id, first.id]);
    expect(await idsOf('state=waiting')).to.deep.equal([second.id]);
    expect(await idsOf('contact=%2B919812345679')).to.deep.equal([second.id]);
    expect(await idsOf('contact=999')).to.deep.equal([]);
    const page = (await call('GET', '/v1/scheduled?limit=1')).body;
    expect(await idsOf(`limit=1&cursor=${page.nextCursor}`)).to.deep.equal([first.id]);
    const admin = await on.waybill.admin('GET', `/accounts/${on.tenant.accountId}/scheduled`);
    expect(admin.body.scheduled).to.have.length(2);
  });

  it('shows a key the sends of its scope alone', async () => {
    await customerWrites(on.waybill, on.tenant);
    const text = call('POST', '/v1/messages/send', { ...TEXT, sendAt: ahead(HOUR) });
    const message = await taken(text);
    const notification = await taken(send({ sendAt: ahead(HOUR) }));
    const terms = { name: 'messages', scopes: ['messages:send'] };
    const path = `/accounts/${on.tenant.accountId}/keys`;
    const { body: key } = await on.waybill.admin('POST', path, terms);
    const list = await call('GET', '/v1/scheduled', undefined, key.key);
    expect(list.body.scheduled.map(({ id }: Json) => id)).to.deep.equal([message.id]);
    await answered(403, call('DELETE', `/v1/scheduled/${notification.id}`, undefined, key.key));
  });

  it('decides everything anew: what is refused then says so, and charges nothing', async () => {
    const none = await openTenant(on.waybill, { credits: 0, templates: ['order_shipped'] });
    const unpaid = await taken(notify(on.waybill, none, { sendAt: ahead(HOUR) }));
    const { id } = await taken(send({ sendAt: ahead(HOUR) }));
    providerRefuses(on.tenant);
    on.waybill.clock.advance(HOUR);
    const { error } = await reached(id, 'refused');
    expect(error).to.include({ status: 502, code: 'SEND_FAILED', providerCode: 131026 });
    const credits = (await call('GET', '/v1/credits')).body;
    expect(credits.balance).to.equal(1000);
    on.tenant = none;
    const { error: other } = await reached(unpaid.id, 'refused');
    expect(other).to.include({ status: 402, reason: 'INSUFFICIENT_CREDITS' });
  });

  it('refuses what is due while the account is paused or its organisation suspended', async () => {
    const paused = await taken(send({ sendAt: ahead(HOUR) }));
    const suspended = await taken(send({ sendAt: ahead(2 * HOUR) }));
    await limits({ paused: true });
    on.waybill.clock.advance(HOUR);
    const { error } = await reached(paused.id, 'refused');
    expect(error).to.include({ status: 429, limit: 'paused' });
    await limits({ paused: false });
    const of = `/organisations/${on.tenant.organisationId}`;
    await on.waybill.admin('POST', `${of}/suspend`, {});
    on.waybill.clock.advance(HOUR);
    await untilTrue('it is over', async () => (await typesIn(suspended.id)).length === 3);
    await on.waybill.admin('POST', `${of}/reinstate`, {});
    expect((await reached(suspended.id, 'refused')).error).to.include({ code: 'SUSPENDED' });
  });

  it('takes a free-form message only for a time within its window', async () => {
    const text = (ms: number) => call('POST', '/v1/messages/send', { ...TEXT, sendAt: ahead(ms) });
    expect((await text(HOUR)).body.error.fieldErrors).to.have.key('sendAt');
    await customerWrites(on.waybill, on.tenant);
    await answered(400, text(DAY));
    const { bodies } = providerAccepts(on.tenant);
    const { id } = await taken(text(HOUR));
    on.waybill.clock.advance(HOUR);
    await reached(id, 'sent');
    expect(bodies[0].text.body).to.equal('Hi');
  });

  it('schedules a batch for each recipient, and counts all in its results', async () => {
    const recipients = ['+919812345678', '+12125550123'].map((to) => ({ to, variables }));
    const deliverBetween = { from: '17:00', until: '18:00', timeZone: 'Asia/Kolkata' };
    const { results, ...counts } = await bodyOf(200, batch(recipients, { deliverBetween }));
    expect(counts).to.include({ sent: 2, failed: 0 });
    const rules = results.map(({ ok, scheduled }: Json) => ok && scheduled.rule.by);
    expect(rules).to.deep.equal(['deliverBetween', 'deliverBetween']);
    await answered(400, batch(recipients, { sendAt: ahead(-DAY) }));
  });

  it('holds categories in the quiet hours of the account, and no others', async () => {
    const codes = { AUTHENTICATION: { from: '21:00', until: '08:00' } };
    expect((await limits({ quietHours: codes })).body.error.fieldErrors).to.have.key('quietHours');
    expect((await limits({ timeZone: 'Nowhere/At' })).status).to.equal(400);
    const quietHours = { UTILITY: { from: '00:00', until: '23:59' } };
    const { body } = await limits({ quietHours, timeZone: 'Asia/Tokyo' });
    expect(body.limits).to.deep.include({ quietHours, timeZone: 'Asia/Tokyo' });
    const held = await taken(send({}));
    expect(held.rule.by).to.equal('quietHours');
    await notified(on.waybill, on.tenant, { ignoreQuietHours: true });
    await limits({ quietHours: null });
    await notified(on.waybill, on.tenant);
  });

  it('expires what is due for too long, and erases what waits with its contact', async () => {
    const late = await taken(send({ sendAt: ahead(HOUR), notAfter: ahead(2 * HOUR) }));
    const gone = await taken(send({ sendAt: ahead(DAY), to: '+919812345670' }));
    on.waybill.clock.advance(3 * HOUR);
    await reached(late.id, 'expired');
    const held = await on.waybill.admin('GET', '/contacts/919812345670/export');
    const [{ request }] = held.body.accounts[0].scheduled;
    expect(request.variables).to.deep.equal(variables);
    await answered(202, on.waybill.admin('POST', '/erasures', { contact: '+919812345670' }));
    expect(await reached(gone.id, 'erased')).to.include({ to: null, erased: true });
    on.waybill.clock.advance(DAY);
    await answered(409, call('POST', `/v1/scheduled/${gone.id}/send-now`));
  });

  it('is told by a dry run when it would go out, at no bound price', async () => {
    const dry = async (change: Json) => (await send({ dryRun: true, ...change })).body;
    // Makes the mirror know the template.
    await notified(on.waybill, on.tenant);
    expect((await dry({})).items[0].dueAt).to.equal(null);
    const later = await dry({ sendAt: ahead(HOUR) });
    expect(later.items[0].dueAt).to.equal(ahead(HOUR));
    expect(later).to.include({ quoteId: null, would: 'send' });
    await answered(400, send({ dryRun: true, sendAt: ahead(-HOUR) }));
  });

  it('takes so many of one batch, too', async () => {
    const recipients = Array.from({ length: 40 }, (_, at) => {
      return { to: `+9198123456${10 + at}`, variables };
    });
    const body = await bodyOf(200, batch(recipients, { sendAt: ahead(DAY) }));
    expect(body).to.include({ sent: 12, failed: 1 });
    expect((await call('GET', '/v1/scheduled?state=waiting')).body.scheduled).to.have.length(12);
  });

  it('takes so many, and says so: 429 `scheduled`', async () => {
    for (let count = 0; count < 12; count += 1) await taken(send({ sendAt: ahead(DAY) }));
    const { body } = await answered(429, send({ sendAt: ahead(DAY) }));
    expect(body).to.include({ code: 'LIMIT_REACHED', limit: 'scheduled' });
  });
});
