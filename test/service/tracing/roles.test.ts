import { expect } from 'chai';
import { openEventStoreDb } from '../../../src/events/eventstoredb/store.ts';
import { callersTrace, startCollector, tracingSettings } from '../../support/collector.ts';
import { startInstance } from '../../support/faults/instance.ts';
import { openWorld } from '../../support/faults/world.ts';
import { startEventStoreDouble } from '../../support/grpc/eventstore.ts';
import { useRealConnections } from '../../support/network.ts';
import { orderShipped } from '../../support/waybill.ts';

describe('the traces of several processes @long', () => {
  useRealConnections();
  const closing: (() => Promise<unknown>)[] = [];
  const opened = <T extends { close(): Promise<unknown> }>(one: T): T => {
    closing.unshift(() => one.close());
    return one;
  };
  after(async () => {
    for (const close of closing) await close();
  });

  it('go on from the one that answers to the one that fills the read models', async () => {
    const collector = opened(await startCollector());
    const tracingOf = (name: string) =>
      tracingSettings({ ...collector.env, OTEL_SERVICE_NAME: name });
    const double = opened(await startEventStoreDouble());
    const open = async () => opened(await openEventStoreDb({ url: double.url }));
    const [ofWorker, ofApi] = [await open(), await open()];
    const tracing = tracingOf('worker');
    const world = opened(await openWorld({ wrapStore: () => ofWorker, tracing }));
    const api = await startInstance(world, { store: ofApi, tracing: tracingOf('api') });
    closing.unshift(() => api.stop());
    const { apiKey: token } = await world.tenant();

    const { traceId, headers } = callersTrace();
    const call = { token, body: orderShipped(), headers };
    const sent = await api.call('POST', '/v1/notifications/send', call);
    expect(sent.status, JSON.stringify(sent.body)).to.equal(200);
    const SEND = 'POST /api/v1/notifications/send';
    const ofRequest = [SEND, 'append account', 'provider send', 'append message'];
    const ofReadModels = ['project ChargeReserved', 'project MessageSent'];
    const spans = await collector.trace(traceId, ...ofRequest, ...ofReadModels);
    const request = spans.find(({ name }) => name === SEND)!;
    for (const { name, parentSpanId, resource } of spans) {
      const isOfRequest = /^(POST|append|provider|read) /.test(name);
      expect(resource['service.name'], name).to.equal(isOfRequest ? 'api' : 'worker');
      if (name !== SEND) expect(parentSpanId, name).to.equal(request.spanId);
    }
  });
});
