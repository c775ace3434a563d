import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { countCharges, useTenant } from '../../support/surface.ts';
import {
  type Json,
  openTenant,
  providerAccepts,
  providerBreaks,
  providerRefuses,
} from '../../support/waybill.ts';

const variables = { orderId: 'A', awbCode: 'B', trackingLink: 'C' };
const recipients = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ to: `+9198000${10_000 + index}`, variables }));

describe('POST /v1/notifications/send/batch @long', () => {
  const on = useTenant({ templates: ['order_shipped'] });

  const send = (change: Record<string, unknown> = {}, token = on.tenant.apiKey) =>
    on.waybill.call('POST', '/v1/notifications/send/batch', {
      token,
      body: { event: 'order_shipped', recipients: recipients(3), ...change },
    });
  const chargesOf = () => countCharges(on.waybill, on.tenant);

  it('answers for each recipient in the order of the input, duplicates included', async () => {
    const { ids } = providerAccepts(on.tenant, 4);
    const list = [...recipients(3), recipients(1)[0]!];
    const { body, headers } = await answered(200, send({ recipients: list }));
    expect(body).to.deep.include({ success: true, sent: 4, failed: 0 });
    expect(body.results.map(({ to }: Json) => to)).to.deep.equal(list.map(({ to }) => to));
    for (const { to: _, messageId, ...result } of body.results) {
      expect(result).to.deep.equal({ ok: true, channel: 'template' });
      expect(ids).to.include(messageId);
    }
    expect(await chargesOf()).to.deep.equal({ reserved: 4, refunded: 0 });
    expect(headers).not.to.have.property('x-message-price');
    expect(headers).not.to.have.property('x-credits-charged');
  });

  it('counts as one request against the rate limit', async () => {
    providerAccepts(on.tenant, 3);
    const before = await on.call('GET', '/v1/phones');
    const { headers } = await send();
    const spent =
      Number(before.headers['ratelimit-remaining']) - Number(headers['ratelimit-remaining']);
    expect(spent).to.equal(1);
  });

  it('refuses no recipients, more than 500, and short ones, and sends nothing', async () => {
    for (const list of [[], recipients(501), [...recipients(2), { to: '1234' }]]) {
      const { body } = await answered(400, send({ recipients: list }));
      expect(body.error.fieldErrors).to.have.property('recipients');
    }
    expect(await chargesOf()).to.deep.equal({ reserved: 0, refunded: 0 });
  });

  it('reports an unknown event, no number and no template on each recipient', async () => {
    const codes = async (change: Record<string, unknown>) => {
      const { body } = await answered(200, send(change));
      expect(body).to.deep.include({ success: true, sent: 0, failed: 3 });
      for (const { ok, error } of body.results) {
        expect(ok).to.equal(false);
        expect(error).to.be.a('string');
      }
      return body.results.map(({ code }: Json) => code);
    };
    const thrice = (code: string) => [code, code, code];
    expect(await codes({ event: 'nothing' })).to.deep.equal(thrice('UNKNOWN_EVENT'));
    expect(await codes({ phoneNumberId: '1' })).to.deep.equal(thrice('NO_PHONE'));
    const pending = await codes({ event: 'order_delivered' });
    expect(pending).to.deep.equal(thrice('TEMPLATE_NOT_APPROVED'));
    expect(await chargesOf()).to.deep.equal({ reserved: 6, refunded: 6 });
  });

  it('reports a refusal of the provider and an unknown outcome, and refunds both', async () => {
    providerRefuses(on.tenant);
    providerBreaks(on.tenant);
    const { body } = await send({ recipients: recipients(2) });
    const codes = body.results.map(({ code }: Json) => code);
    expect(codes).to.deep.equal(['SEND_FAILED', 'SEND_FAILED']);
    const unknown = body.results.filter(({ error }: Json) => error.includes('not known'));
    expect(unknown).to.have.length(1);
    expect(await chargesOf()).to.deep.equal({ reserved: 2, refunded: 2 });
  });

  it('sends to as many as there is credit for, and tries every recipient', async () => {
    const poor = await openTenant(on.waybill, { credits: 2, templates: ['order_shipped'] });
    providerAccepts(poor, 2);
    const { body } = await send({ recipients: recipients(5) }, poor.apiKey);
    expect(body).to.deep.include({ sent: 2, failed: 3 });
    const refused = body.results.filter(({ ok }: Json) => !ok);
    const codes = refused.map(({ code }: Json) => code);
    expect(codes).to.deep.equal(new Array(3).fill('INSUFFICIENT_CREDITS'));
  });

  it('leaves the rest out once a daily cap is met, uncharged', async () => {
    await on.waybill.admin('PATCH', `/accounts/${on.tenant.accountId}/limits`, { daily: 4 });
    providerAccepts(on.tenant, 4);
    const { body } = await send({ recipients: recipients(100) });
    expect(body).to.deep.include({ sent: 4, failed: 1 });
    expect(body.results).to.have.length(5);
    // Which of the first five it is, their order in the log decides.
    const refused = body.results.filter(({ ok }: Json) => !ok);
    expect(refused.map(({ code }: Json) => code)).to.deep.equal(['LIMIT_REACHED']);
    expect(await chargesOf()).to.deep.equal({ reserved: 4, refunded: 0 });
  });

  it('has no text fallback', async () => {
    const { body } = await send({ event: 'order_delivered', allowTextFallback: true });
    expect(body.results[0].code).to.equal('TEMPLATE_NOT_APPROVED');
  });
});
