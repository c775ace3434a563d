import type { KnownEvent } from '../../src/events/index.ts';
import { createSimulator, type Simulator } from '../../src/provider/simulator.ts';
import { type Client, createClient } from './faults.client.ts';
import { type Gate, openGate } from './faults.gate.ts';
import { openTenant, type TenantOptions } from './faults.tenant.ts';
import { type Caller, type RecordedAnswer, recordAnswers } from './invariants.recorder.ts';
import { type CheckOptions, checkInvariants } from './invariants.ts';
import {
  type Answer,
  APP_SECRET,
  orderShipped,
  startWaybill,
  type Tenant,
  type Waybill,
  type WaybillOptions,
} from './waybill.ts';

/** A whole service, a provider that misbehaves when asked to, and a record of all that was said. */
export interface World {
  waybill: Waybill;
  simulator: Simulator;
  gate: Gate;
  answers: RecordedAnswer[];
  call: Caller;
  admin: Client['admin'];
  tenant(options?: TenantOptions): Promise<Tenant>;
  /** One `order_shipped`. */
  send(tenant: Tenant, change?: Record<string, unknown>, signal?: AbortSignal): Promise<Answer>;
  /** What the account's log says of its charges. */
  charges(tenant: Tenant): Promise<{ reserved: number; refunded: number; sent: number }>;
  balance(tenant: Tenant): Promise<unknown>;
  /** Problems with the invariants; none are wanted. */
  problems(options?: CheckOptions): Promise<string[]>;
  close(): Promise<void>;
}

export interface WorldOptions extends WaybillOptions {
  /** Statuses come by themselves, as fast as they can; otherwise when a test says so. */
  statuses?: boolean;
}

const AT_ONCE = { sentMs: 0, deliveredMs: 0, readMs: 0 };
/** Longer than any test. */
const NEVER = { sentMs: 3_600_000, deliveredMs: 3_600_000, readMs: 3_600_000 };

export const openWorld = async (options: WorldOptions = {}): Promise<World> => {
  const { statuses = false, ...ofWaybill } = options;
  const timings = { ...(statuses ? AT_ONCE : NEVER), retryMs: [20, 50, 100, 200, 400, 800] };
  const simulator = createSimulator({ appSecret: APP_SECRET, timings });
  const gate = await openGate(await simulator.start());
  const waybill = await startWaybill({ providerUrl: gate.url, ...ofWaybill });
  simulator.configure({ webhookUrl: `${waybill.url}/api/provider/webhook` });
  const client = createClient(() => waybill.url);
  const { call, answers } = recordAnswers(client.call);

  return {
    waybill,
    simulator,
    gate,
    answers,
    call,
    admin: client.admin,
    tenant: (how) => openTenant(client.admin, simulator, how),
    send: ({ apiKey: token }, change = {}, signal) =>
      call('POST', '/v1/notifications/send', {
        token,
        body: orderShipped(change),
        ...(signal && { signal }),
      }),
    async charges({ accountId }) {
      const events = (await waybill.log()) as KnownEvent[];
      const own = events.filter(({ data }) => 'accountId' in data && data.accountId === accountId);
      const count = (type: string) => own.filter((event) => event.type === type).length;
      return {
        reserved: count('ChargeReserved'),
        refunded: count('ChargeRefunded'),
        sent: count('MessageSent'),
      };
    },
    async balance({ accountId }) {
      return (await client.admin('GET', `/accounts/${accountId}`)).balance;
    },
    problems: (how) =>
      checkInvariants(
        {
          store: waybill.store,
          views: waybill.views,
          answers,
          providerCalls: simulator.sends(),
        },
        how,
      ),
    async close() {
      await client.close();
      await waybill.stop();
      await gate.close();
      await simulator.stop();
    },
  };
};
