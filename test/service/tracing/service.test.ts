import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { edge, node } from '../../commands/bots/graphs.ts';
import {
  type CollectedSpan,
  type Collector,
  callersTrace,
  SPANS_OF_SEND,
  startCollector,
  tracingSettings,
} from '../../support/collector.ts';
import { approveTemplate } from '../../support/faults/tenant.ts';
import { useRealConnections } from '../../support/network.ts';
import { makeBot, notify } from '../../support/surface.ts';
import { until } from '../../support/until.ts';
import { ADMIN_TOKEN, type Json, orderShipped } from '../../support/waybill.ts';
import { openWebhookStage, type WebhookStage } from '../../support/webhook-stage.ts';

const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;
/** The simulator refuses messages to this number. */
const REFUSED = '+15550199901';
const PROVIDER_CALLS = 'POST /api/provider/webhook';
const [SEND] = SPANS_OF_SEND;

const namesOf = (spans: readonly CollectedSpan[]) => spans.map(({ name }) => name).sort();

const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const found = spans.find((span) => span.name === name);
  if (found) return found;
  throw new Error(`no ${name} among ${spans.map((span) => span.name).join(', ')}`);
};

describe('the traces of a service @long', () => {
  useRealConnections();
  const logLines: Json[] = [];
  let collector: Collector;
  let stage: WebhookStage;

  before(async () => {
    collector = await startCollector();
    const tracing = tracingSettings({ ...collector.env, OTEL_SERVICE_NAME: 'shop messages' });
    stage = await openWebhookStage({ tracing, logLines, logLevel: 'debug' });
    approveTemplate(stage.simulator, stage.tenant.wabaId);
    await send();
  });
  after(async () => {
    await stage.close();
    await collector.close();
  });

  const api = async (method: string, path: string, body: Json, headers = {}): Promise<Json> => {
    const call = { token: stage.tenant.apiKey, body, headers };
    const answer = await stage.waybill.call(method, path, call);
    expect(answer.status, JSON.stringify(answer.body)).to.be.below(300);
    return answer.body;
  };
  const send = (headers: Record<string, string> = {}, change: Json = {}): Promise<Json> =>
    api('POST', '/v1/notifications/send', orderShipped(change), headers);
  const eventsOf = async (traceId: string) =>
    (await stage.waybill.log()).filter(({ meta }) => meta.traceparent?.includes(traceId));
  /** All that one trace has; its last span is that of a later request. */
  const whole = async (traceId: string, names: readonly string[]): Promise<CollectedSpan[]> => {
    const spans = await collector.trace(traceId, ...names);
    const later = callersTrace();
    await send(later.headers);
    await collector.trace(later.traceId, ...SPANS_OF_SEND);
    expect(namesOf(collector.spans.filter((span) => span.traceId === traceId))).to.deep.equal(
      [...names].sort(),
    );
    return spans;
  };

  it('show a send from the request to the provider and to the read models', async () => {
    const { traceId, spanId, headers } = callersTrace();
    await send(headers);
    const spans = await whole(traceId, SPANS_OF_SEND);
    const request = named(spans, SEND);
    expect(request).to.deep.include({ kind: SERVER, parentSpanId: spanId, status: 0 });
    expect(request.attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.route': '/api/v1/notifications/send',
      'http.response.status_code': 200,
      'waybill.account_id': stage.tenant.accountId,
    });
    expect(request.resource['service.name']).to.equal('shop messages');
    for (const span of spans) {
      if (span !== request) expect(span.parentSpanId, span.name).to.equal(request.spanId);
    }
    expect(named(spans, 'append account').attributes).to.deep.equal({
      'waybill.events': 1,
      'waybill.event.types': ['ChargeReserved'],
    });
    const call = named(spans, 'provider send');
    expect(call.kind).to.equal(CLIENT);
    expect(call.attributes).to.deep.equal({
      'server.address': '127.0.0.1',
      'waybill.outcome': 'accepted',
    });
    const events = await eventsOf(traceId);
    expect(events.map(({ type }) => type)).to.deep.equal(['ChargeReserved', 'MessageSent']);
    for (const { meta } of events) {
      expect(meta.traceparent).to.equal(`00-${traceId}-${request.spanId}-01`);
    }
  });

  it('begin a trace where the caller gives none, or none that can be read', async () => {
    const before = collector.spans.length;
    await send();
    await send({ traceparent: '00-zz-1' });
    const begun = () =>
      collector.spans
        .slice(before)
        .filter(({ name, parentSpanId }) => name === SEND && !parentSpanId);
    await until('two traces', () => begun().length === 2);
    const [one, other] = begun();
    expect(one!.traceId).not.to.equal(other!.traceId);
  });

  it('leave out a request whose caller does not record it', async () => {
    const { traceId, headers } = callersTrace('00');
    await send(headers);
    const events = (await stage.waybill.log()).slice(-2);
    expect(events.map(({ type }) => type)).to.deep.equal(['ChargeReserved', 'MessageSent']);
    for (const { meta } of events) expect(meta).not.to.have.property('traceparent');
    await whole(traceId, []);
  });

  it('keep sends apart that the log takes in one append', async () => {
    const callers = Array.from({ length: 12 }, () => callersTrace());
    await Promise.all(callers.map(({ headers }) => send(headers)));
    let shared = 0;
    for (const { traceId, spanId } of callers) {
      const spans = await collector.trace(traceId, ...SPANS_OF_SEND);
      expect(namesOf(spans)).to.deep.equal([...SPANS_OF_SEND].sort());
      const request = named(spans, SEND);
      expect(request.parentSpanId).to.equal(spanId);
      for (const span of spans) {
        if (span !== request) expect(span.parentSpanId, span.name).to.equal(request.spanId);
      }
      if (Number(named(spans, 'append account').attributes['waybill.events']) > 1) shared += 1;
    }
    expect(shared).to.be.greaterThan(1);
  });

  it('show the claim and the answer of a request with an Idempotency-Key', async () => {
    const { traceId, headers } = callersTrace();
    await send({ ...headers, 'idempotency-key': 'order-1' });
    const claims = ['append request', 'append request'];
    await collector.trace(traceId, ...SPANS_OF_SEND, ...claims);
  });

  it('go on from a message of a customer to the forward, the webhook and the answer of a bot', async () => {
    const { callee, tenant } = stage;
    const { webhookId } = await stage.create('/hook', ['message.received']);
    const webhookUrl = `${callee.url}/forward`;
    await api('PATCH', `/v1/phones/${tenant.phoneNumberId}/webhook`, { webhookUrl });
    const nodes = [
      node('say', 'message', { text: 'Welcome' }),
      node('ask', 'http_request', { method: 'GET', url: `${callee.url}/bot` }),
    ];
    const { waybill } = stage;
    const bot = await makeBot({ call: waybill.call, waybill }, tenant, nodes, [edge('say -> ask')]);
    await stage.waybill.settled();
    const before = collector.spans.length;
    await stage.receive('Where is my order?');
    const request = () =>
      collector.spans
        .slice(before)
        .find(({ name, attributes }) => name === PROVIDER_CALLS && attributes);
    await until('the request', () => request() !== undefined);
    const { traceId, spanId } = request()!;
    const calls = ['forward', 'webhook', 'bot request', 'provider send'];
    const appends = ['conversation', 'account', 'webhook'].map((one) => `append ${one}`);
    const shown = ['MessageReceived', 'ChargeReserved', 'MessageForwarded', 'WebhookAttempted'];
    const folds = [...shown, 'BotRunStarted'].map((type) => `project ${type}`);
    const spans = await collector.trace(traceId, ...calls, ...appends, ...folds);
    for (const span of spans) {
      if (span.spanId !== spanId) expect(span.parentSpanId, span.name).to.equal(spanId);
    }
    expect(named(spans, 'forward').attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    });
    for (const { path, headers } of callee.calls) {
      expect(headers, path).not.to.have.property('traceparent');
    }
    await api('DELETE', `/v1/bots/${bot.id}`, undefined);
    expect(webhookId).to.equal(undefined);
  });

  it('show a call of a webhook that waited in the log, in the trace of its event', async () => {
    const { callee, waybill } = stage;
    await stage.create('/later', ['message.failed']);
    await waybill.settled();
    const { messageId } = await send();
    callee.answer((response) => void response.writeHead(503, { 'retry-after': '120' }).end());
    const before = collector.spans.length;
    await stage.status(messageId, 'failed');
    await stage.bodies('/later', 1);
    callee.answer((response) => void response.end());
    const calls = () => collector.spans.slice(before).filter(({ name }) => name === 'webhook');
    await until('the first call', () => calls().length === 1);
    await waybill.settled();
    waybill.clock.advance(121_000);
    await until('the second call', () => calls().length === 2);
    const [first, second] = calls();
    expect(first!.attributes['http.response.status_code']).to.equal(503);
    expect(second!.attributes['http.response.status_code']).to.equal(200);
    expect(second).to.include({ traceId: first!.traceId, parentSpanId: first!.parentSpanId });
  });

  it('show a refusal of the provider as an error, with its code', async () => {
    const { traceId, headers } = callersTrace();
    const refused = await notify(stage.waybill, stage.tenant, { to: REFUSED }, headers);
    expect(refused.status).to.equal(502);
    const spans = await collector.trace(traceId, SEND, 'provider send');
    expect(named(spans, SEND)).to.deep.include({ status: ERROR });
    const { status, attributes } = named(spans, 'provider send');
    expect(status).to.equal(ERROR);
    expect(attributes).to.include({ 'waybill.outcome': 'refused', 'error.type': 'refused' });
    expect(attributes['waybill.provider.code']).to.be.a('number');
  });

  it('row 62: hold up no send while the collector hangs', async () => {
    const held: ServerResponse[] = [];
    collector.answer((response) => void held.push(response));
    await send();
    await until('an export that hangs', () => held.length === 1);
    const { traceId, headers } = callersTrace();
    await send(headers);
    await stage.waybill.settled();
    expect(held).to.have.length(1);
    collector.answer((response) => void response.end('{}'));
    held[0]!.end('{}');
    await collector.trace(traceId, ...SPANS_OF_SEND);
  });

  it('leave out probes, scrapes and pages', async () => {
    const before = collector.spans.length;
    for (const path of ['/health/live', '/health/ready', '/openapi.json']) {
      await stage.waybill.call('GET', path);
    }
    await whole('none', []);
    const requests = collector.spans.slice(before).filter(({ kind }) => kind === SERVER);
    expect(namesOf(requests)).to.deep.equal([SEND]);
  });

  it('name themselves in the lines of the log', async () => {
    // A log line hides other digits in a row.
    const traceId = '12345678901234567890123456789012';
    const headers = { traceparent: `00-${traceId}-1234567890123456-01` };
    logLines.length = 0;
    const refused = await notify(stage.waybill, stage.tenant, { to: 'x' }, headers);
    expect(refused.status).to.equal(400);
    const line = logLines.find(({ msg }) => msg === 'Request refused');
    expect(line).to.include({ traceId });
    expect(logLines.some((one) => 'traceId' in one && one.traceId !== traceId)).to.equal(false);
  });

  it('hold no number, name, text or token', () => {
    const bytes = Buffer.concat(collector.requests.map(({ body }) => body)).toString();
    const { apiKey, phoneNumberId } = stage.tenant;
    const said = ['Mia', 'Where is my order', 'Welcome', 'A-77', 'AWB1', 'shop.example', '/hook'];
    const ids = ['919812345678', REFUSED.slice(1), 'wamid'];
    const secrets = [apiKey, ADMIN_TOKEN, `token-of-${phoneNumberId}`];
    expect(bytes.length).to.be.greaterThan(10_000);
    for (const text of [...said, ...ids, ...secrets]) expect(bytes).not.to.include(text);
  });
});
