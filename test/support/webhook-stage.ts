import { expect } from 'chai';
import { createSimulator, type Simulator } from '../../src/provider/simulator/simulator.ts';
import { fixedClock } from './ambient.ts';
import { type Called, type Callee, startCallee } from './callee.ts';
import { customerWrites } from './surface.ts';
import { until } from './until.ts';
import {
  type Answer,
  APP_SECRET,
  type Json,
  openTenant,
  startWaybill,
  statusPayload,
  type Tenant,
  type Waybill,
  type WaybillOptions,
} from './waybill.ts';

export interface WebhookStage {
  waybill: Waybill;
  simulator: Simulator;
  callee: Callee;
  tenant: Tenant;
  api(method: string, path: string, body?: unknown, of?: Tenant): Promise<Answer>;
  /** Creates a webhook to a path of the callee; its id and secret. */
  create(path: string, events: readonly string[], change?: Json): Promise<Json>;
  callsTo(path: string): Called[];
  /** Waits for so many calls, and gives the bodies of all. */
  bodies(path: string, count: number): Promise<Json[]>;
  deliveries(id: string, query?: string): Promise<Json[]>;
  /** A message of a customer; its text tells it from others. */
  receive(text: string, from?: string, of?: Tenant): Promise<void>;
  /** Sends a text to a customer who has written; its id. */
  send(text: string, to?: string): Promise<string>;
  status(id: string, status: string, change?: Json): Promise<void>;
  close(): Promise<void>;
}

/** A service whose provider is the simulator, an account, and somebody who receives its events. */
export const openWebhookStage = async (options: WaybillOptions = {}): Promise<WebhookStage> => {
  const clock = options.clock ?? fixedClock();
  const simulator = createSimulator({ appSecret: APP_SECRET, clock });
  const providerUrl = await simulator.start();
  const waybill = await startWaybill({
    clock,
    providerUrl,
    forwardAllow: ['127.0.0.1'],
    ...options,
  });
  const callee = await startCallee();
  const tenant = await openTenant(waybill);
  const api: WebhookStage['api'] = (method, path, body, of = tenant) =>
    waybill.call(method, `/v1/webhooks${path}`, {
      token: of.apiKey,
      ...(body !== undefined && { body }),
    });
  const callsTo = (path: string) => callee.calls.filter((one) => one.path === path);
  return {
    waybill,
    simulator,
    callee,
    tenant,
    api,
    callsTo,
    async create(path, events, change = {}) {
      const made = await api('POST', '', { url: `${callee.url}${path}`, events, ...change });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      return made.body;
    },
    async bodies(path, count) {
      await until(`${count} calls to ${path}`, () => callsTo(path).length >= count);
      return callsTo(path).map(({ body }) => JSON.parse(body));
    },
    async deliveries(id, query = '') {
      return (await api('GET', `/${id}/deliveries${query}`)).body.deliveries;
    },
    async receive(body, from = '919812345678', of = tenant) {
      await customerWrites(waybill, of, { from, body });
    },
    async send(text, to = '919812345678') {
      const body = { to, type: 'text', text: { body: text } };
      const sent = await waybill.call('POST', '/v1/messages/send', { token: tenant.apiKey, body });
      expect(sent.status, JSON.stringify(sent.body)).to.equal(200);
      return sent.body.messageId;
    },
    async status(id, status, change = {}) {
      const payload = statusPayload(tenant, { id, status, ...change });
      expect((await waybill.webhook(payload)).status).to.equal(200);
    },
    async close() {
      await waybill.stop();
      await simulator.stop();
      await callee.close();
    },
  };
};
