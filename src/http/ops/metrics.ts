import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../../shared/errors.ts';
import { withTimeout } from '../../shared/timing.ts';
import { reply } from '../edge/respond.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';
import { atMostEvery } from './at-most-every.ts';

/** A reading of a gauge, one for each set of labels. Labels must not name people. */
export interface Reading {
  labels?: Record<string, string>;
  value: number;
}

/** The service's metrics; the rest of the program knows only these functions. */
export interface Metrics {
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** Counts a request that was answered with an error. */
  countRefusal(code: string): void;
  /** Calls `read` for each scrape; a failed reading is left out. */
  gauge(
    name: string,
    help: string,
    labelNames: string[],
    read: () => Iterable<Reading> | Promise<Iterable<Reading>>,
  ): void;
  /**
   * Creates a counter and returns the function that increments it. Values of labels must be few: a
   * counter keeps COUNTED_MAX sets of labels, and counts further ones as `other`. The `known` ones begin
   * at 0: Prometheus sees no increase in a series that begins with 1.
   */
  counter(
    name: string,
    help: string,
    labelNames: string[],
    known?: readonly Record<string, string>[],
  ): (labels?: Record<string, string>) => void;
  /** Creates a histogram of seconds and returns the function that adds to it. */
  histogram(name: string, help: string): (seconds: number) => void;
  text(): Promise<string>;
  contentType: string;
  /** What the service itself declared, by name. */
  declared(): readonly Declared[];
}

export interface Declared {
  name: string;
  help: string;
  type: string;
  labelNames: readonly string[];
}

/** Seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The longest wait for one reading, so that a scrape succeeds while a part fails. */
const READ_TIMEOUT_MS = 2_000;

const readSafely = async (read: Parameters<Metrics['gauge']>[3]): Promise<Iterable<Reading>> => {
  try {
    return await read();
  } catch {
    return [];
  }
};

/** Sets of labels of one counter. */
const COUNTED_MAX = 200;

interface Cell {
  labels: Record<string, string>;
  value: number;
}

/**
 * Counts in a map, from which a scrape fills the library's counter: the library itself checks and
 * hashes the labels at every increment.
 */
const createCells = (labelNames: readonly string[], known: readonly Record<string, string>[]) => {
  const cells = new Map<string, Cell>();
  const rest: Cell = {
    labels: Object.fromEntries(labelNames.map((name) => [name, 'other'])),
    value: 0,
  };
  const make = (key: string, labels: Record<string, string>): Cell => {
    if (cells.size >= COUNTED_MAX) return rest;
    const cell = { labels, value: 0 };
    cells.set(key, cell);
    return cell;
  };
  const count = (labels: Record<string, string> = {}, by = 1): void => {
    let key = '';
    for (const name of labelNames) key += `\n${labels[name]}`;
    const cell = cells.get(key) ?? make(key, labels);
    cell.value += by;
  };
  if (labelNames.length === 0) count({}, 0);
  for (const labels of known) count(labels, 0);
  return {
    count,
    fill(counter: Counter): void {
      counter.reset();
      for (const { labels, value } of cells.values()) counter.inc(labels, value);
      if (rest.value > 0) counter.inc(rest.labels, rest.value);
    },
  };
};

interface MetricsOptions {
  /** Includes the process metrics: memory, event loop, garbage collection. */
  ofProcess?: boolean;
}

export const createMetrics = ({ ofProcess = true }: MetricsOptions = {}): Metrics => {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to its answer, by route template',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const counter: Metrics['counter'] = (name, help, labelNames, known = []) => {
    const cells = createCells(labelNames, known);
    const counted: Counter = new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: () => cells.fill(counted),
    });
    return cells.count;
  };
  const refusals = counter(
    'waybill_refused_requests_total',
    'Requests that were answered with an error, by its code; `fault` is a fault of the program',
    ['code'],
    // Those of alerts.
    [{ code: 'fault' }, { code: 'account.insufficient' }],
  );
  return {
    observeRequest: (method, route, status, seconds) =>
      // Callers can invent methods; the label must stay bounded.
      requests.observe({ method: METHODS.has(method) ? method : 'other', route, status }, seconds),
    gauge(name, help, labelNames, read) {
      const gauge = new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        async collect() {
          const readings = await withTimeout(READ_TIMEOUT_MS, readSafely(read), () => []);
          gauge.reset();
          for (const { labels = {}, value } of readings) gauge.set(labels, value);
        },
      });
    },
    countRefusal: (code) => refusals({ code }),
    counter,
    histogram(name, help) {
      const histogram = new Histogram({ name, help, buckets: BUCKETS, registers: [registry] });
      return histogram.observe.bind(histogram) as (seconds: number) => void;
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    declared: () =>
      // The library's type lacks the labels.
      (registry.getMetricsAsArray() as unknown as Declared[])
        .filter(({ name }) => /^(?:waybill|http)_/.test(name))
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
  };
};

/** Serialising all metrics is expensive, so it runs at most once in this time. */
const WRITE_EVERY_MS = 1_000;

const forOperators = () =>
  new AppError(
    'administrator.invalid',
    'Metrics are shown to administrators (Authorization: Bearer), on this machine and on WAYBILL_OPS_PORT',
  );

export const metricsRoute = (metrics: Metrics, monotonicMs?: () => number): RawRoute => {
  const write = atMostEvery(WRITE_EVERY_MS, metrics.text, monotonicMs);
  return defineRawRoute({
    method: 'GET',
    path: '/metrics',
    limitBytes: 0,
    async handle({ isOperator }) {
      if (!(await isOperator())) throw forOperators();
      return reply(200, await write(), { 'Content-Type': metrics.contentType });
    },
  });
};
