import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type Scenario, startWaybill } from '../bench.ts';
import { bodyFor, call } from '../loads.ts';
import { ask, measureOf, percentile } from '../support.ts';
import { openTenant, type Tenant } from '../tenant.ts';

const SENDS = 10_000;
const SECONDS = 60;
const ACCOUNTS = 5;
/** Time to schedule all of them before the first is due. */
const SETUP_MS = 90_000;
const PROVIDER_MS = 50;
const LATE_MS_MAX = 2_000;
const IDLE_MS = 10_000;
const LOOK_MS = 100;

/** Schedules the sends of each second in a batch for each account. Resolves to when each recipient's is due. */
const scheduleAll = async (url: string, tenants: readonly Tenant[]) => {
  const firstAt = Math.ceil((Date.now() + SETUP_MS) / 1000) * 1000;
  const due = new Map<string, number>();
  let index = 0;
  for (let second = 0; second < SECONDS; second += 1) {
    const dueAt = firstAt + second * 1000;
    for (const [place, { headers }] of tenants.entries()) {
      const batches = second * ACCOUNTS + place + 1;
      const until = Math.round((SENDS * batches) / (SECONDS * ACCOUNTS));
      const recipients = Array.from({ length: until - index }, (_, at) => {
        const { to, variables } = JSON.parse(bodyFor(index + at));
        due.set(to.slice(1), dueAt);
        return { to, variables };
      });
      index = until;
      const sendAt = new Date(dueAt).toISOString();
      const body = JSON.stringify({ event: 'order_shipped', recipients, sendAt });
      const path = '/api/v1/notifications/send/batch';
      await call(`${url}${path}`, headers, { method: 'POST', body });
    }
  }
  if (Date.now() > firstAt) throw new Error('the first was due before all were scheduled');
  return { due, lastAt: firstAt + SECONDS * 1000 };
};

const measure = async (bench: Bench) => {
  const { provider, waybill, tenant } = await startWaybill(bench, { latencyMs: PROVIDER_MS });
  const tenants = [tenant];
  while (tenants.length < ACCOUNTS) {
    tenants.push(await openTenant(waybill.url, tenants.length + 1));
  }
  const { due, lastAt } = await scheduleAll(waybill.url, tenants);
  const idle = await measureOf(waybill);
  await pause(IDLE_MS);
  const idleMicros = (await measureOf(waybill)).processMicros - idle.processMicros;
  const latest = lastAt + 5 * SECONDS * 1000;
  while ((await ask<number>(provider, 'messages')) < SENDS) {
    if (Date.now() > latest) throw new Error('not everything that was due went out');
    await pause(LOOK_MS);
  }
  const arrivals = await ask<[string, number][]>(provider, 'arrivals');
  const late = arrivals.map(([to, at]) => at - due.get(to)!);
  return {
    p50: percentile(late, 50),
    p99: percentile(late, 99),
    idle: idleMicros / 1000 / IDLE_MS,
  };
};

export const scheduled: Scenario = {
  name: 'scheduled',
  ids: ['L1'],
  about: `${SENDS} scheduled sends due in ${SECONDS} s, of ${ACCOUNTS} accounts`,
  async run(bench) {
    const { p50, p99, idle } = await measure(bench);
    bench.row({
      id: 'L1',
      what: 'from the due time to the call of the provider, p99',
      values: [p99 / 1000],
      unit: ' s',
      goal: { most: LATE_MS_MAX / 1000 },
    });
    bench.say(
      `  p50 ${Math.round(p50)} ms; processor while they wait ${(idle * 100).toFixed(1)} %`,
    );
  },
};
