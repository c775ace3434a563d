import type { Logger } from '../../shared/logger.ts';
import { withTimeout } from '../../shared/timing.ts';
import { reply } from '../edge/respond.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';
import { atMostEvery } from './at-most-every.ts';

export interface Health {
  ok: boolean;
  /** Safe to show to every caller. */
  detail?: string | Record<string, unknown>;
}

/** A part of the service. */
export interface HealthCheck {
  name: string;
  /** What fails then needs somebody to look, and does not take an instance out of service. */
  isAdvisory?: true;
  check(): Promise<Health>;
}

export interface Parts {
  /** Whether all parts work that readiness depends on. */
  ok: boolean;
  checks: Record<string, Health>;
}

interface LookOptions {
  checks: readonly HealthCheck[];
  log: Pick<Logger, 'info' | 'warn'>;
  /** A check that takes longer fails. */
  timeoutMs?: number;
  /** For tests: a clock that never goes back, in milliseconds. */
  monotonicMs?: () => number;
}

/** The checks run at most once in this time, because every caller may request them. */
const LOOK_EVERY_MS = 1_000;
/** Within the time of a reading of metrics, so that one part that hangs does not hide the others. */
const TIMEOUT_MS = 1_800;

const late = (): Health => ({ ok: false, detail: 'no answer in time' });

/** Looks at all parts, and logs which of them stopped working, and which work again. */
export const createLook = (options: LookOptions): (() => Promise<Parts>) => {
  const { checks, log, timeoutMs = TIMEOUT_MS, monotonicMs } = options;
  let down: ReadonlySet<string> = new Set();
  const lookAt = async ({ name, check }: HealthCheck): Promise<[string, Health]> => {
    try {
      return [name, await withTimeout(timeoutMs, check(), late)];
    } catch (err) {
      log.warn({ err, check: name }, 'Health check failed');
      return [name, { ok: false, detail: 'the check failed' }];
    }
  };
  const logChanges = (parts: readonly [string, Health][]) => {
    for (const [part, { ok, detail }] of parts) {
      if (ok && down.has(part)) log.info({ part }, 'A part works again');
      if (!ok && !down.has(part)) log.warn({ part, detail }, 'A part does not work');
    }
    down = new Set(parts.flatMap(([part, { ok }]) => (ok ? [] : [part])));
  };
  return atMostEvery(
    LOOK_EVERY_MS,
    async () => {
      const parts = await Promise.all(checks.map(lookAt));
      logChanges(parts);
      const ok = checks.every(({ isAdvisory }, index) => isAdvisory || parts[index]![1].ok);
      return { ok, checks: Object.fromEntries(parts) };
    },
    monotonicMs,
  );
};

/**
 * `/health/live`: the process answers. `/health/ready`: the service can be called. Every caller sees the
 * status; operators also see the parts.
 */
export const healthRoutes = (look: () => Promise<Parts>): RawRoute[] => [
  defineRawRoute({
    method: 'GET',
    path: '/health/live',
    limitBytes: 0,
    handle: () => reply(200, { ok: true }),
  }),
  defineRawRoute({
    method: 'GET',
    path: '/health/ready',
    limitBytes: 0,
    async handle({ isOperator }) {
      const showsParts = await isOperator();
      const { ok, checks: parts } = await look();
      return reply(ok ? 200 : 503, showsParts ? { ok, checks: parts } : { ok });
    },
  }),
];
