import type { Admission } from './edge/admission.ts';
import { setHeader } from './edge/answer.ts';
import type { ReadBody } from './edge/body.ts';
import type { Admitted, EdgeContext } from './edge/context.ts';
import { answerPreflight, isPreflight } from './edge/cors.ts';
import type { InFlight } from './edge/in-flight.ts';
import { API_PREFIX, isUnder, refuseUnrouted } from './route/mount.ts';
import type { RawRouter } from './route/raw-route.ts';

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
 * `/api/v1`. The key is looked at first, from the head alone: without a right one no body is read.
 * With a right one, a body that cannot be read is refused before the key's origin or organisation
 * is, as the contract wants it.
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
    const { who: key, refusal } = await admission.key(ctx);
    if (!key) throw refusal;
    ctx.state.accountId = key.accountId;
    const leave = inFlight.enter(key.keyId);
    try {
      const read = await readBody(ctx);
      if (read.refusal) throw read.refusal;
      if (refusal) throw refusal;
      refuseIfStopping();
      await routes(ctx, { body: read.value, bodyBytes: read.bytes, key });
    } finally {
      leave();
    }
  };

/** `/api/admin/v1`. The token is looked at first, as a key is. */
export const createAdministrationSurface =
  ({ readBody, admission, refuseIfStopping }: Steps, routes: Routes): Surface =>
  async (ctx) => {
    setHeader(ctx, 'Cache-Control', 'no-store');
    const { who: administrator, refusal } = await admission.administrator(ctx);
    if (!administrator) throw refusal;
    const read = await readBody(ctx);
    if (read.refusal) throw read.refusal;
    refuseIfStopping();
    await routes(ctx, { body: read.value, bodyBytes: read.bytes, administrator });
  };

const NOTHING_READ = { body: {}, bodyBytes: Buffer.alloc(0) };

/** Everything that needs no credential. Raw routes alone read bodies, each within its own bound. */
export const createOpenSurface =
  (
    { refuseIfStopping }: Pick<Steps, 'refuseIfStopping'>,
    rawRoutes: RawRouter,
    routes: Routes,
  ): Surface =>
  async (ctx) => {
    if (ctx.path !== LIVENESS) refuseIfStopping();
    await rawRoutes(ctx, async () => {
      if (!isUnder(ctx.path, API_PREFIX)) return refuseUnrouted(ctx);
      return routes(ctx, NOTHING_READ);
    });
  };
