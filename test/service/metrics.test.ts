import { expect } from 'chai';
import nock from 'nock';
import { createMetrics } from '../../src/http/ops/metrics.ts';
import { signatureOf } from '../../src/provider/webhook/webhook.ts';
import { answered } from '../support/answered.ts';
import { customerWrites, notify, useTenant } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import {
  openTenant,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  providerRefuses,
  templateAnswer,
  VERSION,
} from '../support/waybill.ts';

/** A port at which no program listens. */
const NOBODY = 'http://127.0.0.1:9';

describe('the metrics of a service', () => {
  const metrics = createMetrics({ ofProcess: false });
  const on = useTenant({ once: true }, { forwardAllow: ['127.0.0.1'], metrics });
  const scrape = () => metrics.text();
  /** The value of a series; 0 before its first. */
  const valueIn = (text: string, series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1) ?? 0,
    );
  const shows = (series: string, value: number) =>
    untilTrue(`${series} ${value}`, async () => valueIn(await scrape(), series) === value);
  const send = (headers = {}) => {
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    return notify(on.waybill, on.tenant, {}, headers);
  };

  it('count sends by outcome and by the code of a refusal, charges, and refunds by cause', async () => {
    const before = await scrape();
    const more = (series: string, by: number) => shows(series, valueIn(before, series) + by);
    providerAccepts(on.tenant);
    expect((await send()).status).to.equal(200);
    providerRefuses(on.tenant, 131026);
    expect((await send()).status).to.equal(502);
    await more('waybill_sends_total{outcome="accepted",code=""}', 1);
    await more('waybill_sends_total{outcome="refused",code="131026"}', 1);
    await more('waybill_charges_total', 2);
    await more('waybill_refunds_total{cause="not_sent"}', 1);
    await more('waybill_provider_send_seconds_count', 2);
    await more('waybill_refused_requests_total{code="provider.refused"}', 1);
    await shows('waybill_open_reservations', 0);
    await shows('waybill_oldest_reservation_seconds', 0);
    expect(valueIn(await scrape(), 'waybill_log_append_seconds_count')).to.be.greaterThan(3);
    expect(valueIn(await scrape(), 'waybill_log_read_seconds_count')).to.be.greaterThan(0);
  });

  it('count notifications that are refused by their signature', async () => {
    const series = 'waybill_webhook_signature_refused_total';
    expect(await scrape(), 'from the start on, so that the first one is a rise').to.include(
      `${series} 0`,
    );
    const headers = { 'x-hub-signature-256': signatureOf(Buffer.from('{}'), 'another secret') };
    const refused = await on.waybill.call('POST', '/provider/webhook', { raw: '{}', headers });
    expect(refused.status).to.equal(401);
    await shows(series, 1);
    await on.waybill.webhook({ object: 'whatsapp_business_account', entry: [] });
    await shows(series, 1);
  });

  it('count stored answers that are given again, and requests over a rate limit', async () => {
    providerAccepts(on.tenant);
    const key = { 'idempotency-key': 'order-1-shipped' };
    expect((await send(key)).status).to.equal(200);
    expect((await send(key)).headers['idempotency-replayed']).to.equal('true');
    await shows('waybill_idempotent_replays_total', 1);
    const { apiKey } = await openTenant(on.waybill, { rateLimit: 1, number: false });
    const ask = () => on.waybill.call('GET', '/v1/messages', { token: apiKey });
    expect([(await ask()).status, (await ask()).status]).to.deep.equal([200, 429]);
    await shows('waybill_refused_requests_total{code="key.rate_limited"}', 1);
  });

  it('show a charge whose outcome is open, and its age', async () => {
    const asked = Promise.withResolvers<void>();
    const mayAnswer = Promise.withResolvers<void>();
    nock(PROVIDER)
      .post(`/${VERSION}/${on.tenant.phoneNumberId}/messages`)
      .reply(200, async () => {
        asked.resolve();
        await mayAnswer.promise;
        return { contacts: [{ wa_id: '919812345678' }], messages: [{ id: 'wamid.HELD' }] };
      });
    const sending = send();
    await asked.promise;
    on.waybill.clock.advance(90_000);
    await shows('waybill_open_reservations', 1);
    await shows('waybill_oldest_reservation_seconds', 90);
    mayAnswer.resolve();
    expect((await sending).status).to.equal(200);
    await shows('waybill_open_reservations', 0);
  });

  it('count what customers write, forwards, webhooks, and runs of bots by their end', async () => {
    const forward = `/v1/phones/${on.tenant.phoneNumberId}/webhook`;
    await answered(200, on.call('PATCH', forward, { webhookUrl: NOBODY }));
    const data = { assignments: [{ name: 'x', value: '1' }] };
    const nodes = [{ id: 'a', type: 'set_variable', data }];
    const bot = { name: 'Sets', trigger: 'ANY_MESSAGE', edges: [], nodes };
    await answered(201, on.call('POST', '/v1/bots', bot));
    const webhook = { url: NOBODY, events: ['message.received'] };
    await answered(201, on.call('POST', '/v1/webhooks', webhook));
    await customerWrites(on.waybill, on.tenant);
    await shows('waybill_messages_received_total', 1);
    await shows('waybill_forwards_total{outcome="failed"}', 1);
    await shows('waybill_webhook_attempts_total{outcome="retry"}', 1);
    await shows('waybill_bot_runs_started_total', 1);
    await shows('waybill_bot_runs_ended_total{reason="completed"}', 1);
  });

  it('show the program, its leases, its parts, its reactors and its read models', async () => {
    const text = await scrape();
    expect(text).to.match(
      /^waybill_build_info\{version="[\d.]+",node="v24[\d.]+",role="all"\} 1$/m,
    );
    const series = [
      'waybill_worker_duties',
      'waybill_part_up{part="log"}',
      'waybill_part_up{part="projections"}',
      'waybill_projection_state{projection="ledger",state="live"}',
    ];
    // On a busy machine the log may have no time for a look, and a projection is not known to be live then.
    for (const one of series) await shows(one, 1);
    expect(text).to.include('waybill_reactor_failing{reactor="forwards"} 0');
    expect(text).to.include('waybill_dead_letters_open 0');
  });

  it('name nobody, and have few series', async () => {
    const lines = (await scrape()).split('\n').filter((line) => line.startsWith('waybill_'));
    expect(lines.join('\n')).to.not.match(/919812345678|acc_/);
    expect(lines.length).to.be.lessThan(400);
  });
});
