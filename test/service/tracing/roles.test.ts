import { expect } from 'chai';
import { openEventStoreDb } from '../../../src/events/eventstoredb/store.ts';
import { answered } from '../../support/answered.ts';
import {
  callersTrace,
  SPANS_OF_SEND,
  startCollector,
  tracingSettings,
} from '../../support/collector.ts';
import { startInstance } from '../../support/faults/instance.ts';
import { openWorld } from '../../support/faults/world.ts';
import { startEventStoreDouble } from '../../support/grpc/eventstore.ts';
import { useRealConnections } from '../../support/network.ts';
import { notify } from '../../support/surface.ts';

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
    const tenant = await world.tenant();

    const { traceId, headers } = callersTrace();
    await answered(200, notify(api, tenant, {}, headers));
    const spans = await collector.trace(traceId, ...SPANS_OF_SEND);
    const [SEND] = SPANS_OF_SEND;
    const request = spans.find(({ name }) => name === SEND)!;
    for (const { name, parentSpanId, resource } of spans) {
      const isOfRequest = /^(POST|append|provider|read) /.test(name);
      expect(resource['service.name'], name).to.equal(isOfRequest ? 'api' : 'worker');
      if (name !== SEND) expect(parentSpanId, name).to.equal(request.spanId);
    }
  });
});
