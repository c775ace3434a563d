import { expect } from 'chai';
import { createMetrics } from '../../../src/http/ops/metrics.ts';
import { openTracing } from '../../../src/service/tracing/tracing.ts';
import type { Tracing } from '../../../src/shared/tracing.ts';
import { type Collector, startCollector, tracingSettings } from '../../support/collector.ts';
import { useRealConnections } from '../../support/network.ts';
import { until, untilTrue } from '../../support/until.ts';

/** A port at which no program listens. */
const NOBODY = 'http://127.0.0.1:9';

describe('the exporter of traces', () => {
  useRealConnections();
  const opened: { close(): Promise<void> }[] = [];
  let collector: Collector;
  let warnings: object[];
  let metrics: ReturnType<typeof createMetrics>;

  beforeEach(async () => {
    collector = await startCollector();
    warnings = [];
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await collector.close();
  });

  /** Counts anew from here. */
  const open = async (env: Record<string, string> = {}): Promise<Tracing> => {
    metrics = createMetrics({ ofProcess: false });
    const logger = { warn: (fields: object) => void warnings.push(fields) };
    const tracing = (await openTracing(tracingSettings({ ...collector.env, ...env }), {
      logger,
      metrics,
    }))!;
    opened.push(tracing);
    return tracing;
  };
  const record = (tracing: Tracing, spans: number) => {
    for (let count = 0; count < spans; count += 1) tracing.request('GET', undefined)?.end();
  };
  const counts = async (outcome: string, spans: number) => {
    const line = `waybill_spans_total{outcome="${outcome}"} ${spans}`;
    await untilTrue(line, async () => (await metrics.text()).split('\n').includes(line));
  };

  it('sends spans as JSON or protobuf, with the headers of the settings', async () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x,x-tenant=shop' };
    record(await open(headers), 3);
    await counts('exported', 3);
    record(await open({ ...headers, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }), 2);
    await counts('exported', 2);
    expect(collector.spans).to.have.length(3);
    for (const { path, headers: sent } of collector.requests) {
      expect(path).to.equal('/v1/traces');
      expect(sent).to.include({ authorization: 'Bearer x', 'x-tenant': 'shop' });
    }
    const types = collector.requests.map(({ headers: sent }) => sent['content-type']);
    expect(types).to.deep.equal(['application/json', 'application/x-protobuf']);
  });

  it('row 62: counts the spans that a collector that is away does not get, and warns once', async () => {
    const tracing = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    });
    record(tracing, 2);
    await counts('failed', 2);
    record(tracing, 2);
    await counts('failed', 4);
    expect(warnings).to.have.length(1);
    expect(JSON.stringify(warnings)).to.include('ECONNREFUSED');
  });

  it('row 62: holds a bounded number of spans for a collector that hangs, and stops in time', async () => {
    collector.answer(() => undefined);
    const tracing = await open({ OTEL_EXPORTER_OTLP_TIMEOUT: '60000' });
    record(tracing, 5000);
    await counts('dropped', 5000 - 4096);
    expect(warnings).to.have.length(1);
    await tracing.close();
    await counts('failed', 4096);
  });

  it('sends a batch again that the collector cannot take now, and no batch that it refuses', async () => {
    const statuses = [503, 400];
    collector.answer((response) => void response.writeHead(statuses.shift() ?? 200).end());
    const tracing = await open();
    record(tracing, 1);
    await until('the second attempt', () => collector.requests.length === 2);
    await counts('failed', 1);
    record(tracing, 1);
    await counts('exported', 1);
    expect(collector.requests).to.have.length(3);
  });

  it('sends what waits when it is closed', async () => {
    const tracing = await open({ OTEL_BSP_SCHEDULE_DELAY: '60000' });
    record(tracing, 700);
    await tracing.close();
    expect(collector.spans).to.have.length(700);
  });

  it('records as the sampler says', async () => {
    const none = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    const recorded = none.replace(/00$/, '01');
    for (const [sampler, ofNone, ofRecorded, ofItself] of [
      ['parentbased_always_on', false, true, true],
      ['parentbased_always_off', false, true, false],
      ['parentbased_traceidratio', false, true, false],
      ['traceidratio', false, false, false],
      ['always_on', true, true, true],
      ['always_off', false, false, false],
    ] as const) {
      const tracing = await open({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0' });
      const is = (callers?: string) => tracing.request('GET', callers) !== undefined;
      expect([is(none), is(recorded), is()], sampler).to.deep.equal([ofNone, ofRecorded, ofItself]);
    }
  });

  it('lets callers out of it without the propagator', async () => {
    const callers = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const traceOf = async (propagators: string) =>
      (await open({ OTEL_PROPAGATORS: propagators })).request('GET', callers)!.traceparent;
    expect(await traceOf('none')).not.to.include('0af7651916cd43dd8448eb211c80319c');
    expect(await traceOf('tracecontext,baggage')).to.include('0af7651916cd43dd8448eb211c80319c');
  });
});
