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

/** A part of the service that readiness depends on. */
export interface HealthCheck {
  name: string;
  check(): Promise<Health>;
}

interface HealthOptions {
  checks: readonly HealthCheck[];
  log: Logger;
  /** A check that takes longer fails. */
  timeoutMs?: number;
  /** For tests: a clock that never goes back, in milliseconds. */
  monotonicMs?: () => number;
}

/** The checks run at most once in this time, because every caller may request them. */
const LOOK_EVERY_MS = 1_000;

const late = (): Health => ({ ok: false, detail: 'no answer in time' });

/**
 * `/health/live`: the process answers. `/health/ready`: every part works and the service is not
 * stopping. Every caller sees the status; operators also see the parts.
 */
export const healthRoutes = ({
  checks,
  log,
  timeoutMs = 2_000,
  monotonicMs,
}: HealthOptions): RawRoute[] => {
  const lookAt = async ({ name, check }: HealthCheck): Promise<[string, Health]> => {
    try {
      return [name, await withTimeout(timeoutMs, check(), late)];
    } catch (err) {
      log.warn({ err, check: name }, 'Health check failed');
      return [name, { ok: false, detail: 'the check failed' }];
    }
  };
  const lookAtAll = async () => {
    const parts = await Promise.all(checks.map(lookAt));
    return { ok: parts.every(([, { ok }]) => ok), checks: Object.fromEntries(parts) };
  };
  const look = atMostEvery(LOOK_EVERY_MS, lookAtAll, monotonicMs);
  return [
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
};
