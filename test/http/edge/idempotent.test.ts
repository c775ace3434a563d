import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { accountEvents, countCharges, notify, useTenant } from '../../support/surface.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  type Json,
  openTenant,
  orderShipped,
  providerAccepts,
  providerRefuses,
} from '../../support/waybill.ts';

describe('Idempotency-Key @long', () => {
  const on = useTenant({ templates: ['order_shipped'] });

  const post = (path: string, key: string, body: unknown, token = on.tenant.apiKey) =>
    on.waybill.call('POST', path, { token, body, headers: { 'idempotency-key': key } });
  const send = (key: string, change = {}, token = on.tenant.apiKey) =>
    post('/v1/notifications/send', key, orderShipped(change), token);
  const billing = ({ headers }: Answer) =>
    Object.fromEntries(
      Object.entries(headers).filter(([name]) => /^x-(message|credits|wallet)-/.test(name)),
    );
  const expectReplay = (again: Answer, first: Answer) => {
    expect(again.status).to.equal(first.status);
    expect(again.body).to.deep.equal(first.body);
    expect(billing(again)).to.deep.equal(billing(first));
    expect(first.headers).not.to.have.property('idempotency-replayed');
    expect(again.headers).to.have.property('idempotency-replayed', 'true');
  };

  const mustHaveCharged = async (reserved: number, refunded = 0) =>
    expect(await countCharges(on.waybill, on.tenant)).to.deep.equal({ reserved, refunded });

  describe('on a send', () => {
    it('repeats status, body and billing headers for the same request', async () => {
      const { bodies } = providerAccepts(on.tenant, 5);
      const first = await send('k-1');
      const again = await send('k-1');
      expect(first.status).to.equal(200);
      expect(Object.keys(billing(first))).to.have.length(4);
      expectReplay(again, first);
      expect(bodies).to.have.length(1);
      await mustHaveCharged(1);
    });

    it('writes two more events with the header, and none without it', async () => {
      providerAccepts(on.tenant, 3);
      await notify(on.waybill, on.tenant);
      const before = (await on.waybill.log()).length;
      await notify(on.waybill, on.tenant);
      const between = (await on.waybill.log()).length;
      await send('k-2');
      // An answer is kept once it is written; whoever gets it again has seen that.
      expect((await send('k-2')).headers).to.have.property('idempotency-replayed', 'true');
      const requests = (await on.waybill.log()).slice(between).map(({ type }) => type);
      const ofKey = requests.filter((type) => /^Request/.test(type));
      expect(ofKey).to.deep.equal(['RequestClaimed', 'RequestAnswered']);
      expect(requests.length).to.equal(between - before + 2);
    });

    it('runs one of ten concurrent requests; the others wait or get the same response', async () => {
      const { bodies } = providerAccepts(on.tenant, 10);
      const answers = await Promise.all(Array.from({ length: 10 }, () => send('k-4')));
      const served = answers.filter(({ status }) => status === 200);
      const [fresh, ...more] = served.filter(({ headers }) => !headers['idempotency-replayed']);
      expect(more).to.deep.equal([]);
      for (const answer of served) if (answer !== fresh) expectReplay(answer, fresh!);
      for (const { status, body, headers } of answers.filter((one) => !served.includes(one))) {
        expect([status, body.code]).to.deep.equal([409, 'IDEMPOTENCY_IN_PROGRESS']);
        expect(Number(headers['retry-after'])).to.be.at.least(1);
      }
      expect(bodies).to.have.length(1);
      await mustHaveCharged(1);
    });

    it('refuses another body with the same key, also while the first runs', async () => {
      providerAccepts(on.tenant, 3);
      const [one, other] = await Promise.all([send('k-5'), send('k-5', { to: '+919812300000' })]);
      expect([one.status, other.status].sort()).to.deep.equal([200, 422]);
      const { body } = await answered(422, send('k-5', { to: '+919812311111' }));
      expect(body.code).to.equal('IDEMPOTENCY_MISMATCH');
      await mustHaveCharged(1);
    });

    it('has no effect for another account or another route', async () => {
      const other = await openTenant(on.waybill, { templates: ['order_shipped'] });
      providerAccepts(other);
      providerAccepts(on.tenant, 2);
      const first = await send('k-6');
      const theirs = await answered(200, send('k-6', {}, other.apiKey));
      expect(theirs.body.messageId).not.to.equal(first.body.messageId);
      expect(theirs.headers).not.to.have.property('idempotency-replayed');
      const body = { to: '+919812345678', type: 'template', template: { name: 'order_shipped' } };
      const through = await answered(200, post('/v1/messages/send', 'k-6', body));
      expectReplay(await post('/v1/messages/send', 'k-6', body), through);
    });

    it('must be 1 to 255 printable characters', async () => {
      for (const key of ['', 'k'.repeat(256), 'schlüssel']) {
        const { body } = await answered(400, send(key));
        expect(body.error.fieldErrors).to.have.property('idempotency-key');
      }
      providerAccepts(on.tenant);
      expect((await send('k'.repeat(255))).status).to.equal(200);
      await mustHaveCharged(1);
    });
  });

  describe('on a send that was refused', () => {
    it('is free again after 400, 404, 409 and 429', async () => {
      const limits = `/accounts/${on.tenant.accountId}/limits`;
      for (const [status, change] of [
        [400, { event: 'nothing' }],
        [404, { phoneNumberId: '1' }],
        [409, { event: 'order_delivered' }],
      ] as const) {
        await answered(status, send('k-10', change));
      }
      await on.waybill.admin('PATCH', limits, { paused: true });
      expect((await send('k-10')).status).to.equal(429);
      await on.waybill.admin('PATCH', limits, { paused: false });
      providerAccepts(on.tenant);
      expect((await send('k-10')).status).to.equal(200);
    });

    it('repeats the refusal of the provider without a second call', async () => {
      providerRefuses(on.tenant);
      const first = await answered(502, send('k-11'));
      const { bodies } = providerAccepts(on.tenant);
      expectReplay(await send('k-11'), first);
      expect(bodies).to.have.length(0);
      await mustHaveCharged(1, 1);
      expect((await send('k-11-b')).status).to.equal(200);
    });
  });

  describe('on a batch', () => {
    const recipients = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ to: `+9198000${10_000 + index}` }));
    const batch = (key: string, list = recipients(3)) =>
      post('/v1/notifications/send/batch', key, { event: 'order_shipped', recipients: list });

    it('sends to the recipients that were left out, and to none twice', async () => {
      const list = [...recipients(4), recipients(1)[0]!, ...recipients(2)];
      const limits = `/accounts/${on.tenant.accountId}/limits`;
      await on.waybill.admin('PATCH', limits, { daily: 3 });
      const { ids, bodies } = providerAccepts(on.tenant, 20);
      const first = await batch('b-2', list);
      expect(first.body).to.deep.include({ sent: 3, failed: 1 });
      await on.waybill.admin('PATCH', limits, { daily: null });
      const second = await batch('b-2', list);
      expect(second.headers).not.to.have.property('idempotency-replayed');
      expect(second.body).to.deep.include({ sent: 7, failed: 0 });
      const told = second.body.results.map(({ messageId }: Json) => messageId);
      expect(told).to.have.members(ids);
      expect(new Set(told).size).to.equal(7);
      expect(bodies.map(({ to }: Json) => to)).to.have.members(list.map(({ to }) => to));
      const before = first.body.results.filter(({ ok }: Json) => ok);
      expect(told).to.include.members(before.map(({ messageId }: Json) => messageId));
      await mustHaveCharged(7);
      expectReplay(await batch('b-2', list), second);
    });
  });

  describe('on money moved by an administrator', () => {
    const admin = (path: string, key: string, body: unknown) =>
      post(`/admin/v1${path}`, key, body, ADMIN_TOKEN);

    it('grants and revokes once', async () => {
      const of = `/accounts/${on.tenant.accountId}/credits`;
      const granted = await answered(
        201,
        admin(`${of}/grant`, 'g', { amount: 7, reason: 'Welcome' }),
      );
      expectReplay(await admin(`${of}/grant`, 'g', { amount: 7, reason: 'Welcome' }), granted);
      const revoked = await admin(`${of}/revoke`, 'g', { amount: 7 });
      expectReplay(await admin(`${of}/revoke`, 'g', { amount: 7 }), revoked);
      const events = await accountEvents(on.waybill, on.tenant);
      expect(events.filter(({ data }) => 'entryId' in data)).to.have.length(3);
      expect((await admin(`${of}/grant`, 'g', { amount: 8 })).status).to.equal(422);
    });
  });
});
