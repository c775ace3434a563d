import type { KnownEvent } from '../../../src/events/index.ts';
import { createSimulator, type Simulator } from '../../../src/provider/simulator/simulator.ts';
import { fixedClock } from '../ambient.ts';
import { temporaryFolder } from '../folder.ts';
import type { OutsideCall } from '../invariants/accounts.ts';
import { type CheckOptions, checkInvariants } from '../invariants/invariants.ts';
import { type Caller, type RecordedAnswer, recordAnswers } from '../invariants/recorder.ts';
import { notify } from '../surface.ts';
import { untilTrue } from '../until.ts';
import {
  type Answer,
  APP_SECRET,
  type Client,
  createClient,
  startWaybill,
  statusPayload,
  type Tenant,
  type Waybill,
  type WaybillOptions,
} from '../waybill.ts';
import { type Gate, openGate } from './gate.ts';
import { openTenant, type TenantOptions } from './tenant.ts';

/** A whole service, a provider that misbehaves when asked to, and a record of all that was said. */
export interface World {
  /** The service as it runs now; another one after a restart. */
  readonly waybill: Waybill;
  simulator: Simulator;
  gate: Gate;
  answers: RecordedAnswer[];
  /** What URLs of tenants were told: for the tests that serve such URLs to fill. */
  outsideCalls: OutsideCall[];
  call: Caller;
  admin: Client['admin'];
  tenant(options?: TenantOptions): Promise<Tenant>;
  /** One `order_shipped`. */
  send(tenant: Tenant, change?: Record<string, unknown>, signal?: AbortSignal): Promise<Answer>;
  /** What the account's log says of its charges. */
  charges(tenant: Tenant): Promise<{ reserved: number; refunded: number; sent: number }>;
  /** Why charges were given back, in the order of the log. */
  refundCauses(tenant: Tenant): Promise<string[]>;
  /** The calls of the tenant's number that the provider has seen. */
  sendsOf(tenant: Tenant): ReturnType<Simulator['sends']>;
  balance(tenant: Tenant): Promise<unknown>;
  /** The provider says this of a message, later than what it said before. */
  say(tenant: Tenant, id: string, status: string, chargeId?: string): Promise<Answer>;
  /**
   * What failed so far, also of this tenant where one is given, has been looked at: a delivery that
   * fails from here on is refunded.
   */
  refundsAreDone(of?: Tenant): Promise<void>;
  /**
   * Stops the service and starts it again on the same files, so much later. `between` changes the
   * files meanwhile.
   */
  restart(laterMs: number, between?: () => void): Promise<void>;
  /** Problems with the invariants; none are wanted. */
  problems(options?: CheckOptions): Promise<string[]>;
  close(): Promise<void>;
}

export interface WorldOptions extends WaybillOptions {
  /** Statuses come by themselves, as fast as they can; otherwise when a test says so. */
  statuses?: boolean;
  /** Nothing stands between the service and the provider: a connection breaks where it breaks. */
  direct?: boolean;
}

const AT_ONCE = { sentMs: 0, deliveredMs: 0, readMs: 0 };
/** Longer than any test. */
const NEVER = { sentMs: 3_600_000, deliveredMs: 3_600_000, readMs: 3_600_000 };

export const openWorld = async (options: WorldOptions = {}): Promise<World> => {
  const { statuses = false, direct = false, ...ofWaybill } = options;
  const timings = { ...(statuses ? AT_ONCE : NEVER), retryMs: [20, 50, 100, 200, 400, 800] };
  const simulator = createSimulator({ appSecret: APP_SECRET, timings });
  const simulatorUrl = await simulator.start();
  const gate = await openGate(simulatorUrl);
  const providerUrl = direct ? simulatorUrl : gate.url;
  const folder = temporaryFolder();
  const clock = fixedClock();
  const start = async () => {
    const started = await startWaybill({
      providerUrl,
      clock,
      directory: folder.path,
      ...ofWaybill,
    });
    simulator.configure({ webhookUrl: `${started.url}/api/provider/webhook` });
    return started;
  };
  let waybill = await start();
  const client = createClient(() => waybill.url);
  const { call, answers } = recordAnswers(client.call);
  const outsideCalls: OutsideCall[] = [];
  let seconds = 1_795_262_400;

  const world: World = {
    get waybill() {
      return waybill;
    },
    simulator,
    gate,
    answers,
    outsideCalls,
    call,
    admin: client.admin,
    tenant: (how) => openTenant(client.admin, simulator, how),
    send: (tenant, change, signal) => notify({ call }, tenant, change, {}, signal),
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
    async refundCauses({ accountId }) {
      const events = (await waybill.events(`account-${accountId}`)) as KnownEvent[];
      return events.flatMap((one) => (one.type === 'ChargeRefunded' ? [one.data.cause] : []));
    },
    sendsOf: ({ phoneNumberId }) =>
      simulator.sends().filter((one) => one.phoneNumberId === phoneNumberId),
    async balance({ accountId }) {
      return (await client.admin('GET', `/accounts/${accountId}`)).balance;
    },
    async say(tenant, id, status, chargeId) {
      seconds += 1;
      const errors = [{ code: 131026, title: 'Message undeliverable' }];
      const failed = status === 'failed' && { errors };
      const update = { id, status, timestamp: String(seconds), ...failed };
      return waybill.webhook(statusPayload(tenant, { ...update, ...(chargeId && { chargeId }) }));
    },
    async refundsAreDone(of) {
      const probe = of ?? (await world.tenant());
      const { messageId } = (await world.send(probe)).body;
      await world.say(probe, messageId, 'failed');
      const { chargeId } = world.sendsOf(probe).find((one) => one.messageId === messageId)!;
      const ledger = `/accounts/${probe.accountId}/ledger?chargeId=${chargeId}`;
      await untilTrue('a later refund', async () => {
        return (await client.admin('GET', ledger)).entries.length === 2;
      });
    },
    async restart(laterMs, between) {
      await waybill.stop();
      between?.();
      clock.advance(laterMs);
      waybill = await start();
    },
    problems: (how) =>
      checkInvariants(
        {
          store: waybill.store,
          views: waybill.views,
          answers,
          providerCalls: simulator.sends(),
          outsideCalls,
        },
        how,
      ),
    async close() {
      await client.close();
      await waybill.stop();
      await gate.close();
      await simulator.stop();
      folder.remove();
    },
  };
  return world;
};
