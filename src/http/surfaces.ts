import type { Admission } from './admission.ts';
import { setHeader } from './answer.ts';
import type { ReadBody } from './body.ts';
import type { Admitted, EdgeContext } from './context.ts';
import { answerPreflight, isPreflight } from './cors.ts';
import type { InFlight } from './inflight.ts';
import { API_PREFIX, isUnder, refuseUnrouted } from './mount.ts';
import type { RawRouter } from './rawroute.ts';

// What a request meets on each of the three surfaces before a handler sees it, step by step.

export interface Steps {
  readBody: (ctx: EdgeContext) => ReadBody | Promise<ReadBody>;
  admission: Admission;
  inFlight: InFlight;
  /** Throws once the service was told to stop. */
  refuseIfStopping: () => void;
}

export type Surface = (ctx: EdgeContext) => Promise<void>;
type Routes = (ctx: EdgeContext, admitted: Admitted) => Promise<void>;

/** Answers as long as the process lives, also while it is stopping. */
const LIVENESS = '/health/live';

/**
 * `/api/v1`. A body that cannot be read is refused before a key is, as the contract wants it; yet
 * the key is looked at first, because this answer too says how many requests are left.
 */
export const createProductSurface =
  ({ readBody, admission, inFlight, refuseIfStopping }: Steps, routes: Routes): Surface =>
  async (ctx) => {
    setHeader(ctx, 'Vary', 'Origin');
    setHeader(ctx, 'Cache-Control', 'no-store');
    if (isPreflight(ctx)) {
      await admission.preflight(ctx);
      answerPreflight(ctx);
      return;
    }
    const read = await readBody(ctx);
    const finding = await admission.key(ctx);
    if (read.refusal) throw read.refusal;
    if ('refusal' in finding) throw finding.refusal;
    refuseIfStopping();
    const key = finding.who;
    const leave = inFlight.enter(key.keyId);
    try {
      await routes(ctx, { body: read.value, bodyBytes: read.bytes, key });
    } finally {
      leave();
    }
  };

/** `/api/admin/v1`. */
export const createAdministrationSurface =
  ({ readBody, admission, refuseIfStopping }: Steps, routes: Routes): Surface =>
  async (ctx) => {
    setHeader(ctx, 'Cache-Control', 'no-store');
    const read = await readBody(ctx);
    if (read.refusal) throw read.refusal;
    const finding = await admission.administrator(ctx);
    if ('refusal' in finding) throw finding.refusal;
    refuseIfStopping();
    await routes(ctx, { body: read.value, bodyBytes: read.bytes, administrator: finding.who });
  };

/** Everything that needs no credential. A body is only read for a path that may want one. */
export const createOpenSurface =
  ({ readBody, refuseIfStopping }: Steps, rawRoutes: RawRouter, routes: Routes): Surface =>
  async (ctx) => {
    if (ctx.path !== LIVENESS) refuseIfStopping();
    await rawRoutes(ctx, async () => {
      if (!isUnder(ctx.path, API_PREFIX)) return refuseUnrouted(ctx);
      const read = await readBody(ctx);
      if (read.refusal) throw read.refusal;
      return routes(ctx, { body: read.value, bodyBytes: read.bytes });
    });
  };
