import type { Logger } from '../logger.ts';
import { within } from './deadline.ts';
import { defineRawRoute, type RawRoute } from './rawroute.ts';

export interface Health {
  ok: boolean;
  /** Safe to show to anybody. */
  detail?: string | Record<string, unknown>;
}

/** One part of the service that must work for it to be of use. */
export interface HealthCheck {
  name: string;
  check(): Promise<Health>;
}

export interface HealthOptions {
  checks: readonly HealthCheck[];
  log: Logger;
  /** A check that takes longer is red. */
  timeoutMs?: number;
}

const late = (): Health => ({ ok: false, detail: 'no answer in time' });

/**
 * `/health/live`: the process answers. `/health/ready`: every part works and it is not stopping.
 * Probes that come at the same time share one look.
 */
export const healthRoutes = ({ checks, log, timeoutMs = 2_000 }: HealthOptions): RawRoute[] => {
  const lookAt = async ({ name, check }: HealthCheck): Promise<[string, Health]> => {
    try {
      return [name, await within(timeoutMs, check(), late)];
    } catch (err) {
      log.warn({ err, check: name }, 'Health check failed');
      return [name, { ok: false, detail: 'the check failed' }];
    }
  };
  const lookAtAll = async () => {
    const parts = await Promise.all(checks.map(lookAt));
    return { ok: parts.every(([, { ok }]) => ok), checks: Object.fromEntries(parts) };
  };
  let looking: ReturnType<typeof lookAtAll> | undefined;
  return [
    defineRawRoute({
      method: 'GET',
      path: '/health/live',
      limitBytes: 0,
      handle: () => ({ status: 200, body: { ok: true } }),
    }),
    defineRawRoute({
      method: 'GET',
      path: '/health/ready',
      limitBytes: 0,
      async handle() {
        looking ??= lookAtAll().finally(() => {
          looking = undefined;
        });
        const body = await looking;
        return { status: body.ok ? 200 : 503, body };
      },
    }),
  ];
};
