import type { RunningReactor } from '../../commands/core/reactor.ts';
import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import type { Health, HealthCheck } from '../../http/ops/health.ts';
import type { KeyStore } from '../../keys/key-store.ts';
import type { Engine } from '../../projections/engine/engine.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import type { ProjectionStatus } from '../../projections/engine/status.ts';
import { keys as keysModel } from '../../projections/keys.ts';
import type { ViewsReader } from '../../projections/views.ts';
import type { Heard } from '../../provider/provider.ts';
import { type Clock, SKEW_MAX_MS } from '../../shared/clock.ts';
import type { SealingStatus } from '../books/seal-status.ts';
import { awaitLog, type LookupCache } from '../lookups/lookup-cache.ts';
import { MARKER } from '../privacy/secret.ts';
import type { Backups } from '../workers/backups.ts';
import type { Erasing } from '../workers/reactors.ts';
import type { Worker } from '../workers/worker.ts';
import type { Certificates } from './certificates.ts';
import type { Signatures } from './observe.ts';

// The state of the parts of a service, for its health.

/** Whether the store of keys serves, and is the one that served when it was first asked. */
const createKeysHealth = (keys: Pick<KeyStore, 'health' | 'subjects'>) => {
  let known: string | undefined;
  return async () => {
    const health = await keys.health();
    if (!health.ok) return health;
    const [marker] = await keys.subjects([MARKER]);
    known ??= marker?.ref;
    if (marker?.ref === known) return health;
    return { ok: false, detail: 'the data keys are gone: stop, and put a backup of them there' };
  };
};

/**
 * Whether this process can look up who calls, without which it serves nothing: from what it has kept, or
 * in read models that come up to date in the time that a caller waits for them. `look` rejects where they
 * do not.
 */
const createLookupsHealth = (keepsKeys: () => boolean, look: () => Promise<unknown>) => {
  let known: Health | undefined;
  let looking: Promise<void> | undefined;
  const lookNow = async () => {
    known = await look().then(
      () => ({ ok: true }),
      (error) => {
        if (error instanceof StoreUnavailable) return { ok: false, detail: error.message };
        throw error;
      },
    );
  };
  return async (): Promise<Health> => {
    if (keepsKeys()) return { ok: true };
    looking ??= lookNow().finally(() => {
      looking = undefined;
    });
    // A wait may be longer than a probe's: meanwhile the last result counts.
    if (known === undefined) await looking;
    else looking.catch(() => undefined);
    return known!;
  };
};

const dutiesDetail = (worker: Worker | undefined) => {
  if (!worker) return 'not done by this process';
  return worker.held() ? 'done by this process' : 'done by another process, or not yet';
};

/** Whether all partitions have a worker: without one nothing fails, and the read models stand. */
const partitionsHealth = (
  worker: Worker | undefined,
  holders: readonly (string | null)[],
): Health => {
  const free = holders.filter((holder) => holder === null).length;
  if (free === 0) return { ok: true, detail: partitionsDetail(worker) };
  return { ok: false, detail: `no worker has ${free} of the ${holders.length} partitions` };
};

/** The worker of this process, what of the read models it folds, and whose reactors it runs. */
const partitionsDetail = (worker: Worker | undefined) => {
  if (!worker) return 'not done by this process';
  const { name, partitions, reactorPartitions } = worker;
  return { worker: name, partitions: partitions(), reactors: reactorPartitions() };
};

const erasureHealth = (erasing: Erasing | undefined) => {
  const reason = erasing?.unclean() ?? null;
  return reason === null
    ? { ok: true }
    : { ok: false, detail: `files with erased data cannot be cleaned: ${reason}` };
};

/** One that has halted in another process takes only that one out of service. */
const projectionHealth = (all: readonly ProjectionStatus[]) => {
  const lags = all.map(({ name, state, lag }) => [name, { state, lag }] as const);
  return { ok: !all.some(({ isHaltedHere }) => isHaltedHere), detail: Object.fromEntries(lags) };
};

const reactorHealth = (reactors: readonly RunningReactor[]) => {
  const failing = reactors.flatMap(({ name, status }) => {
    const { failing: reason } = status();
    return reason === null ? [] : [name];
  });
  return failing.length === 0 ? { ok: true } : { ok: false, detail: `failing: ${failing}` };
};

/** Windows, months and expiries are counted by a clock that must be right. */
const clockHealth = (now: number, told: number | undefined): Health => {
  const aheadMs = told === undefined ? 0 : now - told;
  if (Math.abs(aheadMs) <= SKEW_MAX_MS) return { ok: true };
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return {
    ok: false,
    detail: `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the provider's`,
  };
};

/** One call without an answer may be bad luck. */
const MISSED_MAX = 2;

/** Whether the provider is away, which is another thing than its refusals. */
const providerHealth = (missed: Heard['missed']): Health =>
  missed && missed.count > MISSED_MAX
    ? { ok: false, detail: `no answer to the last ${missed.count} calls: ${missed.reason}` }
    : { ok: true };

/** One for each part. Reactors and worker change while the service runs: the lease may move. */
export const healthChecks = (parts: {
  store: EventReader;
  views: ViewsReader;
  keys: Pick<KeyStore, 'health' | 'subjects'>;
  engine: Pick<Engine, 'status'>;
  reactors: () => readonly RunningReactor[];
  worker: () => Worker | undefined;
  erasing: () => Erasing | undefined;
  seals: () => SealingStatus;
  cache: Pick<LookupCache, 'keeps'>;
  reader: Reader;
  clock: Clock;
  heard: () => Heard;
  signatures: Pick<Signatures, 'health'>;
  backups: Pick<Backups, 'health'> | null;
  certificates: Pick<Certificates, 'health'> | undefined;
  /** Which process has each partition; rejects while that is not known. */
  partitionHolders: () => Promise<readonly (string | null)[]>;
  /** Whether the process answers callers. */
  answers: boolean;
}): HealthCheck[] => {
  const { store, views, keys, engine, reactors, worker, erasing, seals, cache, answers } = parts;
  const { clock, heard, signatures, backups, certificates, partitionHolders } = parts;
  const advisory = (name: string, part: { health(): Health } | null | undefined): HealthCheck[] =>
    part ? [{ name, isAdvisory: true, check: async () => part.health() }] : [];
  const checkLookups = createLookupsHealth(
    () => !answers || cache.keeps(keysModel),
    () => awaitLog(parts, keysModel),
  );
  return [
    { name: 'log', check: () => store.health() },
    { name: 'views', check: () => views.health() },
    { name: 'keys', check: createKeysHealth(keys) },
    { name: 'lookups', check: checkLookups },
    { name: 'projections', check: async () => projectionHealth(await engine.status()) },
    { name: 'reactors', check: async () => reactorHealth(reactors()) },
    { name: 'erasures', check: async () => erasureHealth(erasing()) },
    {
      name: 'partitions',
      isAdvisory: true,
      check: async () => partitionsHealth(worker(), await partitionHolders()),
    },
    {
      name: 'clock',
      isAdvisory: true,
      check: async () => clockHealth(clock.now(), heard().time),
    },
    {
      name: 'provider',
      isAdvisory: true,
      check: async () => providerHealth(heard().missed),
    },
    ...advisory('callbacks', signatures),
    ...advisory('backups', backups),
    ...advisory('certificates', certificates),
    // Sends go on without seals, so these do not take an instance out of service.
    { name: 'seals', check: async () => ({ ok: true, detail: { ...seals() } }) },
    { name: 'duties', check: async () => ({ ok: true, detail: dutiesDetail(worker()) }) },
  ];
};
