import { hash } from 'node:crypto';
import type { ClaimedRun } from '../../events/idempotency.ts';
import type { Claim } from '../../events/store.ts';
import { type Ids, isoTime } from '../../shared/clock.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { canonicalJson } from '../account/chain.ts';
import { bytesOf, type FreeWrites } from '../account/free-writes.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { ExecuteOptions, Writer } from '../core/execute.ts';
import {
  type Clocks,
  elapsedFromNow,
  type Leases,
  SILENT_AFTER_MS,
  type Term,
} from '../core/lease.ts';
import type { ClaimedRuns } from './claimed-runs.ts';
import {
  type Claiming,
  erased,
  type Held,
  idempotencyKeyDecider,
  inProgress,
  type Settlement,
  type StoredAnswer,
} from './idempotency-key.ts';

/** A run begins nothing new after this: 120 s for a batch, and the preparation of one send. */
export const BEGINS_NOTHING_AFTER_MS = 150_000;
/**
 * A process no longer works on what it claimed longer ago, whatever is known of its lease.
 * The 30 s above the previous limit cover clocks that differ and an append that had to wait.
 */
export const ABANDONED_AFTER_MS = 180_000;
/** Later than every clock. */
const ALWAYS = '9999-12-31T23:59:59.999Z';

/** A request with an Idempotency-Key. */
export interface Asked {
  /** The account or the administrator. Several owners may use the same key. */
  ownerId: string;
  /** Method and path, with the names of the parameters. */
  route: string;
  /** Method and path, with the values of the parameters. */
  target: string;
  key: string;
  body: unknown;
  /** Whether it sends one message. */
  isSend: boolean;
  /** Whether the key belongs to its first request for good, and not for 24 hours. */
  lasts?: boolean;
}

export type ClaimResult =
  | { kind: 'answered'; answer: StoredAnswer }
  /** The caller must do the work under `claim`, and settle. */
  | {
      kind: 'claimed';
      claim: Claim;
      resumed: boolean;
      settle(how: Settlement): Promise<void>;
      /** Ends the work without a settlement, where what it came to is recorded elsewhere. */
      leave(): void;
    };

/** A run that this process wants to begin. The append of its claim decides whether it does. */
interface Attempt {
  claiming: Claiming;
  /** The log holds the claim. `resumed` says that an earlier run may have done some of the work. */
  begin(work: { id: string; stream: string; resumed: boolean }): void;
  /** The run is over, or does not begin. */
  leave(): void;
}

export type Attempts = (work: Pick<Asked, 'isSend'>) => Attempt;

export interface Idempotency {
  /** For work that is claimed in a stream of its own. */
  attempt: Attempts;
  /** Throws `idempotency.in_progress`, `idempotency.mismatch` and `resource.erased`. */
  claim(asked: Asked, context: CommandContext): Promise<ClaimResult>;
}

interface Deps extends Clocks {
  writer: Writer;
  runs: ClaimedRuns;
  secrets: Pick<Secrets, 'fingerprint'>;
  subjects: Pick<Subjects, 'of'>;
  leases: Leases;
  ids: Ids;
  /** Whether no other process writes to the log: claims of other processes are then abandoned. */
  soleWriter: boolean;
  freeWrites: Pick<FreeWrites, 'count' | 'usedUp' | 'left'>;
  /** Called for each repeated request that gets the stored answer. */
  onReplayed?: () => void;
  /** Receives why a claim could not be settled. A repeated request continues from its events. */
  onUnsettled: (error: unknown) => void;
}

/**
 * Makes attempts at work that one process may do at a time. `isSend`: the work is one message, whose
 * process looks at its lease once more when the log holds the reservation, so that another one may begin
 * as soon as the lease has ended.
 */
const createAttempts = (deps: Deps): Attempts => {
  const { runs, leases, clock, ids, soleWriter } = deps;
  const instanceId = ids.uuid();
  const running = new Set<string>();

  /** Whether the process of a claim has ended, and that for so long. */
  const hasEnded = ({ leaseId }: ClaimedRun, forMs: number): boolean =>
    leaseId !== undefined && (leases.endedForMs(leaseId) ?? -1) >= forMs;
  /** Whether a claim's process writes nothing more for it. */
  const isSilent = (earlier: ClaimedRun): boolean =>
    earlier.instanceId === instanceId
      ? !running.has(earlier.claimId)
      : soleWriter || hasEnded(earlier, SILENT_AFTER_MS);

  return ({ isSend }) => {
    const claimId = ids.uuid();
    const now = clock.now();
    const lease = leases.current();
    const elapsedMs = elapsedFromNow(deps);
    const isInTime = () => soleWriter || elapsedMs() <= BEGINS_NOTHING_AFTER_MS;
    const term: Term = {
      mayBegin: () => isInTime() && (lease?.isHeld() ?? true),
      mayRecord: () => lease?.mayRecord() ?? true,
    };
    let workId = claimId;
    let end: (() => void) | undefined;
    running.add(claimId);
    return {
      claiming: {
        claimId,
        instanceId,
        at: isoTime(now),
        ...(lease && { leaseId: lease.id }),
        running,
        abandonedBefore: soleWriter ? ALWAYS : isoTime(now - ABANDONED_AFTER_MS),
        hasEnded: (earlier) => hasEnded(earlier, isSend ? 0 : SILENT_AFTER_MS),
      },
      begin({ id, stream, resumed }) {
        end = runs.begin(id, { claimId, stream, resumed, term, isSilent });
        workId = id;
        running.add(id);
      },
      leave() {
        running.delete(claimId);
        running.delete(workId);
        end?.();
      },
    };
  };
};

/** The claim of a key, which was written before its request came to nothing. */
const CLAIM_BYTES = 800;
/** The subject of a contact and its data key of a month, beside the log. */
const KEY_BYTES = 400;

/**
 * Bytes that a settlement counts for, with its claim; 0 where something was paid. Asked before an answer
 * is sealed: its stored event does not tell what it says.
 */
const freeBytesOf = (settlement: Settlement, contacts: number): number => {
  if (settlement.kind !== 'answered') return bytesOf(null) + CLAIM_BYTES;
  const { status, body } = settlement;
  return status >= 400 || (body as { sent?: unknown } | null)?.sent === 0
    ? bytesOf(body ?? null) + CLAIM_BYTES + contacts * KEY_BYTES
    : 0;
};

/** Settles a claim once, on the state that the claim left; `leave` ends the work on it. */
const settleAs =
  (
    deps: Deps,
    asked: Asked,
    { claimId, workId }: Held,
    claimed: ExecuteOptions['after'],
    context: CommandContext,
    leave: () => void,
  ) =>
  async (settlement: Settlement): Promise<void> => {
    const { writer, runs, subjects, onUnsettled } = deps;
    try {
      // A request that continues must find the refund in the log.
      if (settlement.kind === 'interrupted') await runs.reversed(workId);
      const named = settlement.kind === 'answered' ? settlement.contacts : [];
      const owners = await Promise.all(named.map((one) => subjects.of(asked.ownerId, one)));
      const contactRefs = owners.map(({ ref }) => ref);
      const command = { type: 'Settle' as const, claimId, settlement, contactRefs };
      const on = { ...context, subjects: owners };
      const options = { after: claimed };
      const { facts } = await writer.execute(
        idempotencyKeyDecider,
        requestIdOf(asked),
        command,
        on,
        options,
      );
      if (facts.length > 0 && context.accountId !== undefined) {
        const bytes = freeBytesOf(settlement, owners.length);
        if (bytes > 0) deps.freeWrites.count(context.accountId, bytes);
      }
    } catch (error) {
      onUnsettled(error);
    } finally {
      leave();
    }
  };

/**
 * Runs each request with an idempotency key once over all instances: a claim is an append that only
 * one request wins. Its events carry the id of its work, so a repeated request can continue after a
 * crash.
 */
export const createIdempotency = (deps: Deps): Idempotency => {
  const { writer, secrets, freeWrites } = deps;
  const attempt = createAttempts(deps);
  /** Requests whose answers are being written: data keys may have to be loaded for that. */
  const settling = new Map<string, Promise<void>>();

  const noting =
    (id: string, settle: (how: Settlement) => Promise<void>) =>
    (how: Settlement): Promise<void> => {
      if (how.kind !== 'answered') return settle(how);
      const settled = settle(how).finally(() => {
        if (settling.get(id) === settled) settling.delete(id);
      });
      settling.set(id, settled);
      return settled;
    };

  return {
    attempt,
    async claim(asked, by) {
      // The settlement shows whether anything was paid.
      const context = { ...by, countsAsFree: false };
      const id = requestIdOf(asked);
      const settled = settling.get(id);
      if (settled) await settled;
      const { ownerId, route, target, body } = asked;
      // Keyed, because a body may hold a one-time code that could be guessed from a plain hash.
      const fingerprint = secrets.fingerprint(`request ${target}\n${canonicalJson(body)}`);
      const lasts = asked.lasts ?? false;
      const { accountId } = by;
      // A job, which keeps its key for good, pauses by itself.
      const mayBeUsedUp = !lasts && accountId !== undefined && freeWrites.usedUp.has(accountId);
      const isUsedUp = mayBeUsedUp && (await freeWrites.left(accountId)) <= 0;
      const { claiming, begin, leave } = attempt(asked);
      const { claimId } = claiming;
      const terms = { ownerId, route, fingerprint, lasts, isUsedUp };
      const command = { type: 'Claim' as const, ...terms, ...claiming };
      try {
        const options = { assumeNew: true };
        const claimed = await writer.execute(idempotencyKeyDecider, id, command, context, options);
        const { held, answer } = claimed.state;
        if (answer === 'erased') throw erased();
        if (answer) {
          leave();
          deps.onReplayed?.();
          return { kind: 'answered', answer };
        }
        if (held?.claimId !== claimId) throw inProgress(1);
        const { workId } = held;
        const resumed = workId !== claimId;
        begin({ id: workId, stream: `${idempotencyKeyDecider.category}-${id}`, resumed });
        const settle = noting(id, settleAs(deps, asked, held, claimed, context, leave));
        return { kind: 'claimed', claim: { id: workId }, resumed, settle, leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
};

const requestIdOf = ({ ownerId, route, key }: Asked): string =>
  `${ownerId}.${hash('sha256', `${ownerId}\n${route}\n${key}`, 'hex')}`;
