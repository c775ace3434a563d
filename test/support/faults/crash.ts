import { createSimulator, type Simulator } from '../../../src/provider/simulator/simulator.ts';
import { fixedClock } from '../ambient.ts';
import { temporaryFolder } from '../folder.ts';
import { type CheckOptions, checkInvariants } from '../invariants/invariants.ts';
import { type Caller, type RecordedAnswer, recordAnswers } from '../invariants/recorder.ts';
import { keepSecretAsKeyIn } from '../secret-as-key.ts';
import {
  APP_SECRET,
  type Client,
  createClient,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../waybill.ts';
import { type Child, type ChildOptions, killChildren, startChild } from './child.ts';
import { type Gate, openGate } from './gate.ts';
import { openTenant, type TenantOptions } from './tenant.ts';

/** Minutes until the sweep takes a reservation back, and one more. */
export const SWEPT_AFTER_MS = 16 * 60_000;

/** A data directory, a provider beside it, and a service process that comes and goes. */
export interface Crashes {
  directory: string;
  simulator: Simulator;
  gate: Gate;
  answers: RecordedAnswer[];
  /** How many requests have been answered so far. */
  answered(): number;
  call: Caller;
  admin: Client['admin'];
  start(how?: Partial<ChildOptions>): Promise<Child>;
  tenant(options?: TenantOptions): Promise<Tenant>;
  /** The calls of the tenant's number that the provider has seen. */
  sendsOf(tenant: Tenant): ReturnType<Simulator['sends']>;
  /** What callers are shown of its balance. */
  balance(tenant: Tenant): Promise<unknown>;
  /**
   * Opens the directory in this process, with the clock set on, lets `look` at it, and tells what
   * is wrong with the invariants after that.
   */
  inspect(
    clockOffsetMs: number,
    look?: (waybill: Waybill) => Promise<void>,
    options?: CheckOptions,
  ): Promise<string[]>;
  /** Also kills the processes that still run. */
  close(): Promise<void>;
}

export const openCrashes = async ({ statuses = false } = {}): Promise<Crashes> => {
  const folder = temporaryFolder();
  const soon = { sentMs: 0, deliveredMs: 20, readMs: 40 };
  const never = { sentMs: 3_600_000, deliveredMs: 3_600_000, readMs: 3_600_000 };
  const simulator = createSimulator({
    appSecret: APP_SECRET,
    // A webhook waits until the service is there again.
    timings: { ...(statuses ? soon : never), retryMs: new Array(50).fill(200) },
  });
  await keepSecretAsKeyIn(folder.path);
  const gate = await openGate(await simulator.start());
  let url = '';
  const client = createClient(() => url);
  const { call, answers } = recordAnswers(client.call);
  const serveAt = (address: string) => {
    url = address;
    simulator.configure({ webhookUrl: `${address}/api/provider/webhook` });
  };

  return {
    directory: folder.path,
    simulator,
    gate,
    answers,
    answered: () => answers.filter(({ status }) => status !== null).length,
    call,
    admin: client.admin,
    async start(how = {}) {
      const child = await startChild({ directory: folder.path, providerUrl: gate.url, ...how });
      serveAt(child.url);
      return child;
    },
    tenant: (options) => openTenant(client.admin, simulator, options),
    sendsOf: ({ phoneNumberId }) =>
      simulator.sends().filter((one) => one.phoneNumberId === phoneNumberId),
    async balance({ apiKey: token }) {
      return (await call('GET', '/v1/credits', { token })).body.balance;
    },
    async inspect(clockOffsetMs, look = async () => undefined, options = {}) {
      const waybill = await startWaybill({
        directory: folder.path,
        providerUrl: gate.url,
        clock: fixedClock(Date.now() + clockOffsetMs),
      });
      try {
        serveAt(waybill.url);
        await look(waybill);
        const { store, views } = waybill;
        const providerCalls = simulator.sends();
        return await checkInvariants({ store, views, answers, providerCalls }, options);
      } finally {
        await waybill.stop();
      }
    },
    async close() {
      await killChildren();
      await client.close();
      await gate.close();
      await simulator.stop();
      folder.remove();
    },
  };
};
