import { type EventStoreDbOptions, openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { type EventStore, START } from '../../src/events/store.ts';
import { keysOver } from '../../src/keys/mongodb/keys.ts';
import { openConnection } from '../../src/projections/mongodb/connection.ts';
import { viewsOver } from '../../src/projections/mongodb/views.ts';
import type { Views } from '../../src/projections/views.ts';
import { createSimulator, type Simulator } from '../../src/provider/simulator/simulator.ts';
import {
  type Child,
  type ChildOptions,
  killChildren,
  startChild,
} from '../support/faults/child.ts';
import { openTenant, type TenantOptions } from '../support/faults/tenant.ts';
import { type Relay, startRelay } from '../support/grpc/relay.ts';
import { checkInvariants } from '../support/invariants/invariants.ts';
import { readLog } from '../support/invariants/log.ts';
import { type Caller, type RecordedAnswer, recordAnswers } from '../support/invariants/recorder.ts';
import { openedAnew } from '../support/opened-anew.ts';
import { partOfLog } from '../support/part-of-log.ts';
import { keepSecretAsKey } from '../support/secret-as-key.ts';
import { type Servers, withDatabase } from '../support/servers.ts';
import { newPart } from '../support/stores.ts';
import { notify } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import {
  type Answer,
  APP_SECRET,
  type Client,
  createClient,
  type Tenant,
  untilCaughtUp,
} from '../support/waybill.ts';

export interface Node {
  role: 'api' | 'worker';
  child: Child;
  call: Caller;
  admin: Client['admin'];
  /** What its probe says. */
  ready(): Promise<Answer>;
}

/** Workers of a cluster. */
export const workerCount = Number(process.env.WORKERS ?? 2);

/** Some instances of the api, and some workers, on both servers, as processes. */
export interface Cluster {
  apis: Node[];
  workers: Node[];
  simulator: Simulator;
  /** What callers of its nodes asked, and what came back. */
  answers: readonly RecordedAnswer[];
  /** Between all of them and the log. */
  logWire: Relay;
  viewsWire: Relay;
  /** Past the wire. */
  store: EventStore;
  /** The log with personal data in clear. */
  opened: EventStore;
  /** Its read models, past the wire. */
  views: Views;
  viewsUrl: string;
  /** Asks again while the service is behind its log. */
  tenant(options?: TenantOptions): Promise<Tenant>;
  send(node: Node, tenant: Tenant, headers?: Record<string, string>): Promise<Answer>;
  /** One that is there from now on. */
  startNode(
    role: Node['role'],
    how?: Pick<ChildOptions, 'clockOffsetMs'> & { settings?: Record<string, string> },
  ): Promise<Node>;
  /** The worker that does the duties. */
  holder(): Promise<Node>;
  /** Charges may be open where a process died in a send: the sweep gives them back later. */
  problems(options?: { mayBeOpen: boolean }): Promise<string[]>;
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** Instances of the api. */
  apiCount?: number;
  providerTimeoutMs?: number;
  /** Limits of the instances' calls of the log; the service's own when absent. */
  log?: Pick<EventStoreDbOptions, 'timeoutMs' | 'silenceMs'>;
}

const NEVER = { sentMs: 3_600_000, deliveredMs: 3_600_000, readMs: 3_600_000 };

/** What is refused while the read models lag, as it is on a busy machine. */
const untilAnswered = async <T>(ask: () => Promise<T>): Promise<T> => {
  let answer: { is: T } | undefined;
  await untilTrue('it is answered', async () => {
    answer = await ask().then(
      (is) => ({ is }),
      () => undefined,
    );
    return answer !== undefined;
  });
  return answer!.is;
};

const portOf = (url: string): number => Number(/:(\d+)/.exec(url.replace(/^.*?\/\//, ''))?.[1]);
const throughPort = (url: string, port: number): string =>
  url.replace(/\/\/[^/?]+/, `//127.0.0.1:${port}`);

/**
 * Over what a busy machine takes: for tests in which neither the log nor the provider is slow. A stop
 * waits for calls of the log, of the duties, then of the reactors, then of its closing, and has 40 s.
 */
export const PATIENT: ClusterOptions = {
  providerTimeoutMs: 60_000,
  log: { timeoutMs: 10_000, silenceMs: 60_000 },
};

export const openCluster = async (
  { eventStoreUrl, mongoUrl }: Servers,
  { apiCount = 3, providerTimeoutMs = 2_000, log = {} }: ClusterOptions = {},
): Promise<Cluster> => {
  const simulator = createSimulator({ appSecret: APP_SECRET, timings: NEVER });
  const providerUrl = await simulator.start();
  const logWire = await startRelay(portOf(eventStoreUrl));
  const viewsWire = await startRelay(portOf(mongoUrl));
  const answers: RecordedAnswer[] = [];
  const clients: Client[] = [];
  const nodes: Node[] = [];
  // Who checks waits for the log, whatever the instances do.
  const whole = await openEventStoreDb({ url: eventStoreUrl, ...PATIENT.log });
  const { prefix, base, database } = await newPart(whole);
  const part = partOfLog(whole, { prefix, base });
  // What others write meanwhile is no news of ours.
  const store: EventStore = {
    ...part,
    head: async () => (await readLog(part)).at(-1)?.position ?? START,
  };
  const connection = await openConnection(withDatabase(mongoUrl, database));
  const views = viewsOver(connection);
  const keys = keysOver(connection);
  await keepSecretAsKey(keys);
  const opened = openedAnew(store, keys);

  const startNode: Cluster['startNode'] = async (role, { clockOffsetMs, settings } = {}) => {
    const child = await startChild({
      directory: '/nonexistent',
      providerUrl,
      ...(clockOffsetMs !== undefined && { clockOffsetMs }),
      env: {
        NODE_OPTIONS: `--import=${import.meta.resolve('./part.ts')}`,
        TEST_LOG_PREFIX: prefix,
        TEST_LOG_BASE: base,
        TEST_LOG_LIMITS: JSON.stringify(log),
        WAYBILL_ROLE: role,
        EVENTSTORE_URL: throughPort(eventStoreUrl, logWire.port),
        MONGODB_URL: withDatabase(throughPort(mongoUrl, viewsWire.port), database),
        WAYBILL_PROVIDER_TIMEOUT_MS: `${providerTimeoutMs}`,
        WAYBILL_FORWARD_ALLOW: '127.0.0.1',
        LOG_LEVEL: 'info',
        ...settings,
      },
    });
    const client = createClient(() => child.url);
    clients.push(client);
    const node: Node = {
      role,
      child,
      call: recordAnswers(client.call, answers).call,
      admin: client.admin,
      ready: () => client.call('GET', '/../health/ready'),
    };
    nodes.push(node);
    return node;
  };

  const workers: Node[] = [];
  while (workers.length < workerCount) workers.push(await startNode('worker'));
  const apis: Node[] = [];
  while (apis.length < apiCount) apis.push(await startNode('api'));

  const isHolder = async (node: Node): Promise<boolean> => {
    const { body } = await node.ready();
    return body.checks.duties.detail === 'done by this process';
  };

  return {
    apis,
    workers,
    simulator,
    answers,
    logWire,
    viewsWire,
    store,
    opened,
    views,
    viewsUrl: withDatabase(mongoUrl, database),
    tenant: (options) => untilAnswered(() => openTenant(apis[0]!.admin, simulator, options)),
    send: (node, tenant, headers) => notify(node, tenant, {}, headers),
    startNode,
    async holder() {
      let found: Node | undefined;
      await untilTrue('somebody does the duties', async () => {
        for (const node of nodes.filter(({ role }) => role === 'worker')) {
          if (node.child.process.exitCode !== null || node.child.process.killed) continue;
          if (await isHolder(node)) found = node;
        }
        return found !== undefined;
      });
      return found!;
    },
    async problems({ mayBeOpen } = { mayBeOpen: false }) {
      await untilCaughtUp(store, views);
      return checkInvariants(
        { store: opened, views, answers, providerCalls: simulator.sends() },
        { positions: 'ascending', mayBeOpen },
      );
    },
    async close() {
      await killChildren();
      for (const client of clients) await client.close();
      await simulator.stop();
      await views.close();
      await store.close();
      await logWire.down();
      await viewsWire.down();
    },
  };
};
