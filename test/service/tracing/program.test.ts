import { expect } from 'chai';
import { createSimulator, type Simulator } from '../../../src/provider/simulator/simulator.ts';
import { answered } from '../../support/answered.ts';
import {
  type Collector,
  callersTrace,
  SPANS_OF_SEND,
  startCollector,
} from '../../support/collector.ts';
import { killChildren, startChild } from '../../support/faults/child.ts';
import { openTenant } from '../../support/faults/tenant.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';
import { notify } from '../../support/surface.ts';
import { APP_SECRET, createClient } from '../../support/waybill.ts';

/** Writes the names of the modules of OpenTelemetry that a process loads. */
const LISTING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.includes('/@opentelemetry/sdk')) process.stderr.write('loads ' + url + '\\n');
      return next(url, context);
    },
  });
`)}`;

describe('the traces of the program @long', () => {
  useRealConnections();
  const folder = temporaryFolder();
  let collector: Collector;
  let simulator: Simulator;
  let providerUrl: string;

  before(async () => {
    collector = await startCollector();
    simulator = createSimulator({ appSecret: APP_SECRET });
    providerUrl = await simulator.start();
  });
  after(async () => {
    await killChildren();
    await simulator.stop();
    await collector.close();
    folder.remove();
  });

  /** Sends once in a program with these settings; the metadata of the events, and what it wrote. */
  const sendOnce = async (name: string, env: Record<string, string>) => {
    const child = await startChild({
      directory: `${folder.path}/${name}`,
      providerUrl,
      env: { ...env, NODE_OPTIONS: `--import=${LISTING}` },
    });
    const client = createClient(() => child.url);
    const tenant = await openTenant(client.admin, simulator);
    const { apiKey: token, accountId } = tenant;
    const { traceId, headers } = callersTrace();
    await answered(200, notify(client, tenant, {}, headers));
    const listed = await client.call('GET', '/v1/messages', { token, headers });
    expect(listed.body.messages).to.have.length(1);
    const { events } = await client.admin('GET', `/accounts/${accountId}/events`);
    await client.close();
    expect(await child.stop()).to.equal(0);
    return { traceId, events, output: child.output() };
  };

  it('go through the thread of the read models, and come to the collector before its end', async () => {
    const { OTEL_BSP_SCHEDULE_DELAY: _, ...env } = collector.env;
    const { traceId, events, output } = await sendOnce('on', env);
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const names = spans.map(({ name }) => name);
    expect(names).to.include.members(SPANS_OF_SEND);
    expect(JSON.stringify(events)).to.include(traceId);
    expect(output).to.include('/@opentelemetry/sdk-trace/');
    for (const { startMs, endMs, name } of spans) expect(endMs, name).to.be.at.least(startMs);
  });

  it('are off without an endpoint: no event tells of them, and the SDK is not loaded @series', async () => {
    const before = collector.requests.length;
    const { events, output } = await sendOnce('off', {});
    expect(events.length).to.be.greaterThan(0);
    expect(JSON.stringify(events)).not.to.include('traceparent');
    expect(output).not.to.include('/@opentelemetry/');
    expect(collector.requests).to.have.length(before);
  });
});
