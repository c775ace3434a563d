import packageFile from '../../../package.json' with { type: 'json' };
import type { RunningReactor } from '../../commands/core/reactor.ts';
import { atMostEvery } from '../../http/ops/at-most-every.ts';
import type { Health, Parts } from '../../http/ops/health.ts';
import type { Metrics } from '../../http/ops/metrics.ts';
import { deadletters } from '../../projections/dead-letters.ts';
import type { Engine } from '../../projections/engine/engine.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import type { ProjectionStatus } from '../../projections/engine/status.ts';
import { isOpen, reservations } from '../../projections/reservations.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Stores } from '../stores.ts';
import type { Erasing } from '../workers/reactors.ts';
import type { Worker } from '../workers/worker.ts';

// The metrics of the state of a service.

/** What is read from the read models. */
const SAME = '; the same in every process: take the maximum';

/** Shows what waits to be settled, from the read models: every process shows the same. */
const observeOpen = (metrics: Metrics, reader: Reader, clock: Clock): void => {
  const order = { field: 'reservedAt', direction: 'ascending' } as const;
  metrics.gauge(
    'waybill_open_reservations',
    `Charges without a message or a refund, those of sends under way included${SAME}`,
    [],
    async () => [{ value: await reader.count(reservations, { where: isOpen, order }) }],
  );
  metrics.gauge(
    'waybill_oldest_reservation_seconds',
    `Age of the oldest of them; the sweep takes what is older than 15 minutes${SAME}`,
    [],
    async () => {
      const [oldest] = await reader.find(reservations, { where: isOpen, order, limit: 1 });
      const ms = oldest ? clock.now() - Date.parse(oldest.createdAt) : 0;
      return [{ value: Math.max(0, ms / 1000) }];
    },
  );
  metrics.gauge(
    'waybill_dead_letters_open',
    `Dead letters that wait for a decision${SAME}`,
    [],
    async () => {
      const newest = { field: 'order', direction: 'descending' } as const;
      return [
        { value: await reader.count(deadletters, { where: { state: 'open' }, order: newest }) },
      ];
    },
  );
};

const LOOK_EVERY_MS = 500;

/** Of each projection, and of each of its partitions. Leaves out a lag that the log cannot tell now. */
const lagsOf = (all: readonly Pick<ProjectionStatus, 'name' | 'partitions'>[]) =>
  all.flatMap(({ name, partitions }) =>
    partitions.flatMap(({ lag }, partition) =>
      lag === null
        ? []
        : [{ labels: { projection: name, partition: String(partition) }, value: lag / 1000 }],
    ),
  );

/** Shows how far the read models are behind the log, and which of them stopped. */
const observeProjections = (metrics: Metrics, engine: Pick<Engine, 'status'>): void => {
  // Both gauges of a scrape are of one look.
  const status = atMostEvery(LOOK_EVERY_MS, () => engine.status());
  metrics.gauge(
    'waybill_projection_lag_seconds',
    `Age of the oldest event that readers do not see yet${SAME}`,
    ['projection', 'partition'],
    async () => lagsOf(await status()),
  );
  metrics.gauge(
    'waybill_projection_state',
    '1 for `live`, `catching-up`, `rebuilding` or `halted`, as far as this process knows',
    ['projection', 'state'],
    async () =>
      (await status()).map(({ name, state }) => ({
        labels: { projection: name, state },
        value: 1,
      })),
  );
};

/** Shows the leases of this process. */
const observeShare = (metrics: Metrics, worker: () => Worker | undefined): void => {
  metrics.gauge(
    'waybill_worker_partitions',
    'Partitions of the read models that this process fills',
    [],
    () => [{ value: worker()?.partitions().length ?? 0 }],
  );
  metrics.gauge(
    'waybill_worker_reactor_partitions',
    'Partitions of the accounts whose reactors this process runs',
    [],
    () => [{ value: worker()?.reactorPartitions().length ?? 0 }],
  );
  metrics.gauge(
    'waybill_worker_duties',
    '1 in the one process that runs the sweeps and what falls due',
    [],
    () => [{ value: worker()?.held() ? 1 : 0 }],
  );
};

/** Shows the erasures and expired months whose files are not clean yet. */
const observeErasures = (metrics: Metrics, erasing: () => Erasing | undefined): void =>
  metrics.gauge(
    'waybill_erasures_unfinished',
    'Erasures and expired months whose files are not clean yet',
    [],
    () => [{ value: erasing()?.open() ?? 0 }],
  );

/** Shows which reactors of this process fail and try again. */
const observeReactors = (metrics: Metrics, reactors: () => readonly RunningReactor[]): void =>
  metrics.gauge(
    'waybill_reactor_failing',
    '1 while a reactor of this process fails and tries again',
    ['reactor'],
    () =>
      reactors().map(({ name, status }) => ({
        labels: { reactor: name },
        value: status().failing === null ? 0 : 1,
      })),
  );

/** Shows the parts that `/health/ready` shows. */
export const observeParts = (metrics: Metrics, look: () => Promise<Parts>): void =>
  metrics.gauge(
    'waybill_part_up',
    '1 while this part of `/health/ready` works',
    ['part'],
    async () =>
      Object.entries((await look()).checks).map(([part, { ok }]) => ({
        labels: { part },
        value: ok ? 1 : 0,
      })),
  );

/** A log line at most so often: anyone who finds the webhook can cause refusals. */
const SIGNATURES_LOGGED_EVERY_MS = 60_000;

/** Strangers cause a few; where the secret is wrong, nearly all are refused. */
const SIGNATURES_REFUSED_MAX = 2;
const SIGNATURES_LOOKED_BACK_MS = 10 * 60_000;

/** The signatures of the provider's notifications, as one process sees them. */
export interface Signatures {
  onRefused(): void;
  /** Since refusals began. */
  accepted: number;
  health(): Health;
}

/** Shows the callbacks that are refused by their signature. */
export const observeSignatures = (
  { logger, clock }: Pick<ServiceDeps, 'logger' | 'clock'>,
  metrics: Metrics,
): Signatures => {
  const count = metrics.counter(
    'waybill_webhook_signature_refused_total',
    'Notifications of the provider that were refused by their signature: strangers, or another app secret',
    [],
  );
  let loggedAt = Number.NEGATIVE_INFINITY;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let refused = 0;
  const isOver = () => Math.abs(clock.now() - refusedAt) > SIGNATURES_LOOKED_BACK_MS;
  const signatures: Signatures = {
    accepted: 0,
    onRefused() {
      count();
      if (isOver()) refused = signatures.accepted = 0;
      refused += 1;
      refusedAt = clock.now();
      if (Math.abs(refusedAt - loggedAt) < SIGNATURES_LOGGED_EVERY_MS) return;
      loggedAt = refusedAt;
      logger.warn('A notification was refused: it is not signed with WAYBILL_APP_SECRET');
    },
    health() {
      const bound = Math.max(SIGNATURES_REFUSED_MAX, signatures.accepted);
      if (isOver() || refused <= bound) return { ok: true };
      const detail = `${refused} notifications of the provider were refused: they are not signed with WAYBILL_APP_SECRET`;
      return { ok: false, detail };
    },
  };
  return signatures;
};

/** Shows what runs. */
const observeBuild = (metrics: Metrics, { worker, api = true }: Role): void => {
  const role = worker && api ? 'all' : worker ? 'worker' : 'api';
  const labels = { version: packageFile.version, node: process.version, role };
  metrics.gauge(
    'waybill_build_info',
    'The program of this process',
    ['version', 'node', 'role'],
    () => [{ labels, value: 1 }],
  );
};

interface Role {
  worker: boolean;
  api?: boolean;
}

/** What a process does beside requests, now. */
export interface Work {
  reactors: () => readonly RunningReactor[];
  worker: () => Worker | undefined;
  erasing: () => Erasing | undefined;
}

/** Shows the state of a service. */
export const observeWork = ({ settings, clock }: ServiceDeps, stores: Stores, work: Work): void => {
  const { metrics, engine, reader } = stores;
  observeBuild(metrics, settings);
  observeProjections(metrics, engine);
  observeOpen(metrics, reader, clock);
  observeShare(metrics, work.worker);
  observeReactors(metrics, work.reactors);
  observeErasures(metrics, work.erasing);
};
