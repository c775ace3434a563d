import type { Admission } from './edge/admission.ts';
import type { ReadBody } from './edge/body.ts';
import type { Admitted, EdgeContext } from './edge/context.ts';
import { answerPreflight, isPreflight } from './edge/cors.ts';
import type { InFlight } from './edge/in-flight.ts';

// The three pipelines. Each runs these steps for a request before the route's handler.

export interface Steps {
  readBody: (ctx: EdgeContext) => ReadBody | Promise<ReadBody>;
  admission: Admission;
  inFlight: InFlight;
  /** Throws after `refuseNew`. */
  refuseIfStopping: () => void;
}

export type Pipeline = (ctx: EdgeContext) => Promise<void>;
type Routes = (ctx: EdgeContext, admitted: Admitted) => Promise<void>;

/** The only route that answers while the service is stopping. */
const LIVENESS = '/health/live';

/**
 * `/api/v1`. Checks the key first, from the head alone, and reads no body without a valid key. With
 * a valid key, the refusal of an unreadable body comes before that of the origin or the
 * organisation, as contract 5 orders them.
 */
export const createProductPipeline =
  ({ readBody, admission, inFlight, refuseIfStopping }: Steps, routes: Routes): Pipeline =>
  async (ctx) => {
    ctx.set({ Vary: 'Origin', 'Cache-Control': 'no-store' });
    if (isPreflight(ctx)) {
      await admission.preflight(ctx);
      answerPreflight(ctx);
      return;
    }
    const { holder: key, refusal } = await admission.key(ctx);
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

/** `/api/admin/v1`. Checks the token first, from the head alone, and reads no body without it. */
export const createAdministrationPipeline =
  ({ readBody, admission, refuseIfStopping }: Steps, routes: Routes): Pipeline =>
  async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    const { holder: administrator, refusal } = await admission.administrator(ctx);
    if (!administrator) throw refusal;
    const read = await readBody(ctx);
    if (read.refusal) throw read.refusal;
    refuseIfStopping();
    await routes(ctx, { body: read.value, bodyBytes: read.bytes, administrator });
  };

const NOTHING_READ = { body: {}, bodyBytes: Buffer.alloc(0) };

/** Requests without a credential. Only raw routes read bodies, each up to its own limit. */
export const createOpenPipeline =
  ({ refuseIfStopping }: Pick<Steps, 'refuseIfStopping'>, routes: Routes): Pipeline =>
  async (ctx) => {
    if (ctx.path !== LIVENESS) refuseIfStopping();
    await routes(ctx, NOTHING_READ);
  };
