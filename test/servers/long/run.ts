import { setTimeout as pause } from 'node:timers/promises';
import { startCallee } from '../../support/callee.ts';
import { seeded } from '../../support/faults/random.ts';
import type { RecordedAnswer } from '../../support/invariants/recorder.ts';
import { runName, testServers } from '../../support/servers.ts';
import type { Tenant } from '../../support/waybill.ts';
import { openCleaner } from '../clean.ts';
import { type Cluster, openCluster } from '../cluster.ts';
import { runFaults } from './faults.ts';
import { startLoad } from './load.ts';
import { checkOutcome } from './outcome.ts';

export interface LongPlan {
  seed: number;
  faults: number;
  /** Processes of the servers, by name, which are frozen as well. */
  serverPids: Readonly<Record<string, number>>;
  say(line: string): void;
}

export interface LongOutcome {
  /** How many faults there were of each, by kind and target. */
  counts: Map<string, number>;
  requests: number;
  sent: number;
  keys: number;
  written: number;
  longestGapMs: number;
  problems: string[];
}

const APIS = 2;
/** Over what an overloaded machine takes: the provider is not what fails here. */
const PROVIDER_TIMEOUT_MS = 15_000;
/** No time without a send that goes through is longer, whatever two of the processes do. */
const GAP_MS_MAX = 60_000;
/** Pauses of the provider before it repeats a callback: it goes on for longer than any fault lasts. */
const RETRY_MS = Array.from({ length: 300 }, () => 1_000);
const STATUS_TIMINGS = { sentMs: 20, deliveredMs: 100, readMs: 300, retryMs: RETRY_MS };

/** Accounts with credits, with a wallet, and with too few credits, each with a bot and a webhook. */
const openTenants = async (cluster: Cluster, url: string): Promise<Tenant[]> => {
  const tenants = [
    await cluster.tenant({ credits: 1_000_000 }),
    await cluster.tenant({ wallet: '1000' }),
    await cluster.tenant({ credits: 60 }),
  ];
  const create = async ({ apiKey: token }: Tenant, path: string, body: object) => {
    for (;;) {
      const { status, body: said } = await cluster.apis[0]!.call('POST', path, { token, body });
      if (status < 300) return;
      // The read models may be behind the account.
      if (status !== 503) throw new Error(`${path}: ${status} ${JSON.stringify(said)}`);
      await pause(500);
    }
  };
  for (const tenant of tenants) {
    const nodes = [{ id: 'm', type: 'message', data: { text: 'Hi' } }];
    const bot = { name: 'Helper', trigger: 'ANY_MESSAGE', nodes, edges: [] };
    await create(tenant, '/v1/bots', bot);
    await create(tenant, '/v1/webhooks', { url, events: ['message.received', 'message.failed'] });
  }
  return tenants;
};

/** Two processes of each role on both servers, under load, while some of them are killed and frozen. */
export const runLong = async ({
  seed,
  faults,
  serverPids,
  say,
}: LongPlan): Promise<LongOutcome> => {
  const servers = testServers();
  if (!servers) throw new Error('it needs EVENTSTORE_URL and MONGODB_URL, of servers for tests');
  const clean = await openCleaner(servers, runName);
  const random = seeded(seed);
  const callee = await startCallee();
  const cluster = await openCluster(servers, {
    apiCount: APIS,
    providerTimeoutMs: PROVIDER_TIMEOUT_MS,
  });
  try {
    const { simulator } = cluster;
    const tenants = await openTenants(cluster, `${callee.url}/webhook`);
    const webhookUrl = `${cluster.apis[0]!.child.url}/api/provider/webhook`;
    simulator.configure({ timings: STATUS_TIMINGS, webhookUrl });
    const load = startLoad(cluster, tenants, seed);
    const { counts, problems } = await runFaults(cluster, {
      count: faults,
      random,
      serverPids,
      answered: load.answered,
      onFault: say,
    });
    await load.stop();
    const longestGapMs = load.longestGapMs();
    problems.push(...load.problems);
    if (longestGapMs > GAP_MS_MAX) {
      problems.push(`for ${longestGapMs.toFixed(0)} ms no send was answered 200`);
    }
    problems.push(...(await checkOutcome({ cluster, load, tenants, callee })));
    const isSent = ({ path, status, headers }: RecordedAnswer) =>
      path.endsWith('/send') && status === 200 && headers['idempotency-replayed'] !== 'true';
    return {
      counts,
      requests: cluster.answers.length,
      sent: cluster.answers.filter(isSent).length,
      keys: load.keys(),
      written: load.written.size,
      longestGapMs,
      problems,
    };
  } finally {
    await cluster.close();
    await callee.close();
    await clean();
  }
};
