import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, CONNECTIONS, type Scenario, startWaybill } from '../bench.ts';
import { bodyFor, call, latencies, throughput } from '../loads.ts';
import { ask, measureOf, megabytesOf, percentile, ratios, timed } from '../support.ts';
import { openTenant, sendsOf, type Tenant } from '../tenant.ts';

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

const measureScheduled = async (bench: Bench) => {
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

const ROWS = 100_000;
/** Until then the memory of a new process grows under any load. */
const ROWS_BEFORE = 50_000;
const CHECK_MS_MAX = 20_000;
/** The pace of a number that pays nothing for more. */
const NUMBER_PER_SECOND = 80;
const LIVE_SENDS = 200;
/** Recipients of live sends come before these. */
const FIRST_ROW = 1_000;

interface Job {
  id: string;
  state: string;
}

/** Uploads a file of so many rows. Resolves when they are checked. */
const makeJob = async (url: string, { headers }: Tenant, rows: number): Promise<Job> => {
  const names = Object.keys(JSON.parse(bodyFor(0)).variables);
  const lines = [['to', ...names].join(',')];
  for (let at = 0; at < rows; at += 1) {
    const { to, variables } = JSON.parse(bodyFor(FIRST_ROW + at));
    lines.push([to, ...Object.values(variables)].join(','));
  }
  const columns = { to: 'to', variables: Object.fromEntries(names.map((name) => [name, name])) };
  const form = new FormData();
  form.set('spec', JSON.stringify({ event: 'order_shipped', columns }));
  form.set('file', new Blob([lines.join('\n')]), 'rows.csv');
  const { authorization } = headers as { authorization: string };
  const made = await fetch(`${url}/api/v1/jobs`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  let job = (await made.json()) as Job;
  if (made.status !== 201) throw new Error(`a job was refused: ${JSON.stringify(job)}`);
  while (job.state === 'checking') {
    await pause(LOOK_MS);
    job = await call<Job>(`${url}/api/v1/jobs/${job.id}`, headers);
  }
  return job;
};

const measureJobs = async (bench: Bench) => {
  const { waybill, tenant: fast } = await startWaybill(bench, { latencyMs: PROVIDER_MS });
  const { url } = waybill;
  const tenant = await openTenant(url, 2, NUMBER_PER_SECOND);
  const live = async () => (await latencies([sendsOf(url, tenant)], LIVE_SENDS))[0]!;
  const micros = async () => (await measureOf(waybill)).processMicros;

  const { seconds } = bench.options;
  const beforeSends = await micros();
  const rate = await throughput(sendsOf(url, fast), CONNECTIONS, seconds);
  const sendMicros = ((await micros()) - beforeSends) / (rate * seconds);
  await makeJob(url, tenant, ROWS_BEFORE);
  const megabytes = await megabytesOf(waybill);
  const beforeCheck = await micros();
  const { ms, value: job } = await timed(() => makeJob(url, tenant, ROWS));
  const { processMicros, loopP99Ms, rssBytes } = await measureOf(waybill);

  const alone = [await live()];
  const verb = (name: string) =>
    call(`${url}/api/v1/jobs/${job.id}/${name}`, tenant.headers, { method: 'POST', body: '{}' });
  await verb('start');
  const beside = [await live()];
  await verb('cancel');
  alone.push(await live());
  return {
    ms,
    cpu: (processMicros - beforeCheck) / ROWS / sendMicros,
    memory: rssBytes / 1024 / 1024 / megabytes,
    loopP99Ms,
    live: ratios(beside, [(alone[0]! + alone[1]!) / 2]),
  };
};

export const scheduled: Scenario = {
  name: 'scheduled',
  ids: ['T1', 'T2'],
  about: `${SENDS} scheduled sends due in ${SECONDS} s, of ${ACCOUNTS} accounts; a job of ${ROWS} rows`,
  async run(bench) {
    const job = await measureJobs(bench);
    const row = (what: string, value: number, most: number, unit = '') =>
      bench.row({ id: 'T2', what, values: [value], unit, goal: { most } });
    row(`checking ${ROWS} rows`, job.ms / 1000, CHECK_MS_MAX / 1000, ' s');
    row('CPU of a checked row relative to that of a send', job.cpu, 0.5);
    row('memory after the check relative to after half as many rows', job.memory, 1.1);
    row('delay of the loop while it checks, p99', job.loopP99Ms, 20, ' ms');
    row('live send beside a job of its number: p50 relative to alone', job.live[0]!, 1.2);
    const { p50, p99, idle } = await measureScheduled(bench);
    bench.row({
      id: 'T1',
      what: `${SENDS} due in ${SECONDS} s: from the due time to the call of the provider, p99`,
      values: [p99 / 1000],
      unit: ' s',
      goal: { most: LATE_MS_MAX / 1000 },
    });
    bench.say(
      `  p50 ${Math.round(p50)} ms; processor while they wait ${(idle * 100).toFixed(1)} %`,
    );
  },
};
