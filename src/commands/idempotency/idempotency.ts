import { hash } from 'node:crypto';
import type { Claim } from '../../events/store.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { canonicalJson } from '../account/chain.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { IdempotencyRecovery } from './recovery.ts';
import {
  type Held,
  inProgress,
  requestDecider,
  type Settlement,
  type StoredAnswer,
} from './request.ts';

/** After this a request begins nothing new: the 120 s of a batch, and what one send prepares. */
export const BEGINS_NOTHING_AFTER_MS = 150_000;
/**
 * Another process that claimed a request longer ago than this works on it no longer. The rest over
 * the limit above is for clocks that differ and for an append that had to wait.
 */
export const ABANDONED_AFTER_MS = 180_000;
/** In the future for every clock. */
const ALWAYS = '9999-12-31T23:59:59.999Z';

/** A request with an Idempotency-Key. */
export interface Asked {
  /** The account, or the administrator: keys of one mean nothing to another. */
  ownerId: string;
  /** Method and path, parameters by their names. */
  route: string;
  /** The same with their values. */
  target: string;
  key: string;
  body: unknown;
}

export type Taken =
  | { kind: 'answered'; answer: StoredAnswer }
  /** The caller must do the work under `claim`, and settle. */
  | { kind: 'mine'; claim: Claim; resumed: boolean; settle(how: Settlement): Promise<void> };

export interface Claims {
  /** Throws `idempotency.in_progress` and `idempotency.mismatch`. */
  take(asked: Asked, context: CommandContext): Promise<Taken>;
}

/**
 * Lets one request with an idempotency key do its work once, on whichever instance: the claim is
 * an append that only one can win. What it did is found again by the id that its events carry, so
 * a claim whose process died can be gone on with.
 */
export const createClaims = (deps: {
  writer: Writer;
  recovery: IdempotencyRecovery;
  secrets: Pick<Secrets, 'hashToken'>;
  clock: Clock;
  ids: Ids;
  /** A clock that never goes back, in milliseconds. */
  monotonicMs: () => number;
  /** Whether no other process can write to the log: then whatever another one claimed is over. */
  soleWriter: boolean;
  /** A claim that could not be settled; whoever asks again goes on from what it did. */
  onUnsettled: (error: unknown) => void;
}): Claims => {
  const { writer, recovery, secrets, clock, ids, monotonicMs } = deps;
  const instanceId = ids.uuid();
  const running = new Set<string>();

  const settleAs =
    (id: string, { claimId, workId }: Held, context: CommandContext, leave: () => void) =>
    async (settlement: Settlement) => {
      try {
        // Whoever goes on from there must see that the charge was given back.
        if (settlement.kind === 'interrupted') await recovery.reversed(workId);
        const command = { type: 'Settle' as const, claimId, settlement };
        await writer.execute(requestDecider, id, command, context);
      } catch (error) {
        deps.onUnsettled(error);
      } finally {
        leave();
      }
    };

  return {
    async take({ ownerId, route, target, key, body }, context) {
      const id = `${ownerId}.${hash('sha256', `${ownerId}\n${route}\n${key}`, 'hex')}`;
      // Keyed, because a body may hold a one-time code that could be guessed from a plain hash.
      const fingerprint = secrets.hashToken(`request ${target}\n${canonicalJson(body)}`);
      const claimId = ids.uuid();
      const now = clock.now();
      running.add(claimId);
      const leave = () => running.delete(claimId);
      try {
        const command = {
          type: 'Claim' as const,
          ...{ claimId, ownerId, route, fingerprint, instanceId, running, at: isoTime(now) },
          abandonedBefore: deps.soleWriter ? ALWAYS : isoTime(now - ABANDONED_AFTER_MS),
        };
        const assumeNew = { assumeNew: true };
        const taken = await writer.execute(requestDecider, id, command, context, assumeNew);
        const { held, answer } = taken.state;
        if (answer) {
          leave();
          return { kind: 'answered', answer };
        }
        if (held?.claimId !== claimId) throw inProgress(1);
        const { workId } = held;
        const resumed = workId !== claimId;
        const end = recovery.begin(workId, {
          stream: `${requestDecider.category}-${id}`,
          resumed,
          beginsNothingAfterMs: monotonicMs() + BEGINS_NOTHING_AFTER_MS,
        });
        const settle = settleAs(id, held, context, () => {
          leave();
          end();
        });
        return { kind: 'mine', claim: { id: workId }, resumed, settle };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
};
