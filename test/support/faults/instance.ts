import { openSqliteScratch } from '../../../src/events/sqlite/scratch.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { createMemoryRateLimiter } from '../../../src/http/edge/limits.ts';
import { listen } from '../../../src/http/edge/server.ts';
import { createMetrics } from '../../../src/http/ops/metrics.ts';
import {
  type Coordination,
  createAlone,
  type ProcessLeases,
} from '../../../src/projections/coordination.ts';
import { createGraphProvider } from '../../../src/provider/graph/graph.ts';
import { createService } from '../../../src/service/service.ts';
import { fixedKey, type InstallationKey } from '../../../src/shared/installation-key.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { systemIds } from '../../../src/shared/system.ts';
import type { Tracing } from '../../../src/shared/tracing.ts';
import { type Caller, recordAnswers } from '../invariants/recorder.ts';
import { ADMIN_TOKEN, APP_SECRET, PROVIDER_TIMEOUT_MS, VERIFY_TOKEN, VERSION } from '../waybill.ts';
import { createClient } from './client.ts';
import type { World } from './world.ts';

export interface Instance {
  call: Caller;
  /** As after a signal. Stopping twice is once. */
  stop(): Promise<void>;
}

export interface InstanceOptions {
  /** A connection of its own to the log; the world's unless given. */
  store?: EventStore;
  providerTimeoutMs?: number;
  /** With it, the instance is a worker too and shares the work with others. */
  coordination?: Coordination;
  tracing?: Tracing | undefined;
  /** The key that its secret opens; that of the world when absent. */
  installationKey?: InstallationKey;
  /** Leases that it shares with other instances. */
  processes?: ProcessLeases;
}

/** Pause between two renewals of a lease. */
const RENEW_EVERY_MS = 10;

/** A further instance on the world's log and views, as a server of its own; it is no worker unless told. */
export const startInstance = async (
  { waybill, gate, answers }: World,
  {
    store = waybill.sealed,
    providerTimeoutMs: timeoutMs = PROVIDER_TIMEOUT_MS,
    coordination,
    tracing,
    installationKey = fixedKey(Buffer.alloc(32, 7)),
    processes,
  }: InstanceOptions = {},
): Promise<Instance> => {
  const provider = createGraphProvider({ baseUrl: gate.url, version: VERSION, timeoutMs });
  const service = createService({
    store: { ...store, soleWriter: false },
    views: waybill.views,
    keys: waybill.keys,
    openScratch: openSqliteScratch,
    coordination: { ...(coordination ?? createAlone()), ...(processes && { processes }) },
    provider,
    clock: waybill.clock,
    ids: systemIds,
    logger: createLogger({ level: 'silent' }),
    installationKey,
    extendKey: () => Promise.reject(new Error('no key is changed here')),
    metrics: createMetrics({ ofProcess: false }),
    tracing,
    keyLimits: createMemoryRateLimiter(),
    addressLimits: createMemoryRateLimiter(),
    settings: {
      adminTokens: [ADMIN_TOKEN],
      appSecrets: [APP_SECRET],
      verifyTokens: [VERIFY_TOKEN],
      providerTimeoutMs: timeoutMs,
      trustProxyHops: 0,
      worker: coordination !== undefined,
    },
    checkResponses: true,
    bounds: { leaseRenewEveryMs: RENEW_EVERY_MS },
  });
  await service.start();
  const server = await listen(service.app, {
    host: '127.0.0.1',
    port: 0,
    keepAliveTimeoutMs: 5000,
    drainTimeoutMs: 30_000,
    connectionsMax: 1000,
    idleGraceMs: 0,
  });
  const client = createClient(() => `http://127.0.0.1:${server.port}`);
  const stop = async () => {
    // The client's connections end with it, once the answers on them are read.
    await server.stop();
    await service.stop();
    await provider.close();
  };
  let stopping: Promise<void> | undefined;
  return {
    call: recordAnswers(client.call, answers).call,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
};
