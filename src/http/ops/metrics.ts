import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../../shared/errors.ts';
import { withTimeout } from '../../shared/timing.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';
import { reply } from '../route/response.ts';
import { atMostEvery } from './at-most-every.ts';

/** A reading of a gauge, one for each set of labels. Labels must not name people. */
export interface Reading {
  labels?: Record<string, string>;
  value: number;
}

/** The service's metrics; the rest of the program knows only these functions. */
export interface Metrics {
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** Calls `read` for each scrape; a failed reading is left out. */
  gauge(
    name: string,
    help: string,
    labelNames: string[],
    read: () => Iterable<Reading> | Promise<Iterable<Reading>>,
  ): void;
  /** Creates a counter and returns the function that increments it. */
  counter(
    name: string,
    help: string,
    labelNames: string[],
  ): (labels?: Record<string, string>) => void;
  text(): Promise<string>;
  contentType: string;
}

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
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    registers: [registry],
  });
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
    counter(name, help, labelNames) {
      const counter = new Counter({ name, help, labelNames, registers: [registry] });
      return (labels = {}) => counter.inc(labels);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
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
