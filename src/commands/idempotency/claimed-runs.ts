import type { ReservedCharge } from '../../events/completed.ts';
import type { ClaimedRun } from '../../events/idempotency.ts';
import type { KnownEvent } from '../../events/index.ts';
import { type Claim, type EventReader, StoreUnavailable } from '../../events/store.ts';
import { AppError } from '../../shared/errors.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Term } from '../core/lease.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Transmitted } from '../sending/transmitted.ts';
import {
  type EarlierCharge,
  findRecovered,
  isSettled,
  type Runs,
  readEarlierCharges,
  readEarlierEvents,
  readRuns,
  transmittedOf,
} from './earlier-runs.ts';
import { erased, inProgress } from './idempotency-key.ts';

/** A request that this process has claimed. */
interface ClaimedRequest {
  claimId: string;
  /** The stream of its claims. */
  stream: string;
  /** Whether it continues an earlier run that was interrupted. */
  resumed: boolean;
  term: Term;
  /** Whether the process of an earlier claim writes nothing more for it. */
  isSilent: (earlier: ClaimedRun) => boolean;
}

interface Running extends ClaimedRequest {
  /** Resolves when the reversal of its charge is over, if one has begun. */
  reversed?: () => Promise<void>;
  runs?: Promise<Runs>;
  earlier?: Promise<readonly KnownEvent[]>;
  charges?: Promise<readonly EarlierCharge[]>;
}

/** The request of an account. */
type OfAccount = CommandContext & { accountId: string };

export interface ClaimedRuns {
  /**
   * Marks the request as being worked on until the returned function is called. Throws while an earlier run of
   * it, which another process may have overtaken, has not ended here: it would take the term of this one for its own.
   */
  begin(workId: string, request: ClaimedRequest): () => void;
  /**
   * The message that an earlier run of this request, or of this part of it, sent. Undefined when it
   * sent none: the message may be sent now. Throws while the outcome is unknown. `leavesOpen` gives no open
   * charge back, where nobody waits for an answer: a status or the sweep decides on it.
   */
  sentEarlier(
    claim: Claim,
    context: OfAccount,
    how?: { leavesOpen: boolean },
  ): Promise<Transmitted | undefined>;
  /** What the run of a request may still do; undefined where this process does not work on it. */
  termOf(claim: Claim): Term | undefined;
  /** Says that a hang-up during this run reverses a charge. */
  reversible(claim: Claim, reversed: () => Promise<void>): void;
  /** Resolves when the log holds the refund of a hang-up during this run. */
  reversed(workId: string): Promise<void>;
  /** Id of the ledger row that an earlier run wrote; undefined when it wrote none. */
  movedEarlier(claim: Claim, accountId: string): Promise<string | undefined>;
  /** Whether an earlier run wrote to this short stream. */
  wroteEarlier(claim: Claim, stream: string): Promise<boolean>;
}

/**
 * Whether a run may still begin what is to happen once: false where another process may have taken its
 * request up. A request without a claim is nobody else's.
 */
export const isOwn = (runs: Pick<ClaimedRuns, 'termOf'>, claim: Claim | undefined): boolean =>
  !claim || (runs.termOf(claim)?.mayBegin() ?? false);

const RETRY_AFTER_SECONDS = 10;
/** While an open charge is left to the sweep, which may need 16 minutes. */
const LEFT_RETRY_AFTER_SECONDS = 30;

interface Deps {
  store: EventReader;
  lookups: Pick<Lookups, 'messageOfCharge'>;
  /**
   * Refunds an open charge where it is known that its send is over, or is said to be. False where
   * it has a message, or that is not known yet.
   */
  refundOpen: (charge: ReservedCharge, context: OfAccount, isOver: boolean) => Promise<boolean>;
}

/** The message of these charges; undefined when a new send may begin. */
const sentBefore = (charges: readonly EarlierCharge[]): Transmitted | undefined => {
  const isErased = ({ reserved, sent }: EarlierCharge) =>
    reserved.isErased || (sent && (sent.isErased || sent.data.messageId === null));
  if (charges.some(isErased)) throw erased();
  const done = charges.find((charge) => charge.sent);
  if (done) return transmittedOf(done);
  if (charges.every(isSettled)) return undefined;
  throw new AppError(
    'provider.unknown_outcome',
    'Whether an earlier attempt went out is not known: nothing was sent again',
  );
};

const isOpen = ({ refunded, sent }: EarlierCharge): boolean => !refunded && !sent;

export const createClaimedRuns = (deps: Deps): ClaimedRuns => {
  const { store } = deps;
  const byWork = new Map<string, Running>();

  const runningOf = (workId: string): Running => {
    const running = byWork.get(workId);
    if (!running?.term.mayBegin()) throw tookTooLong();
    return running;
  };

  const runsOf = (running: Running, { id }: Claim) => {
    running.runs ??= readRuns(store, { id, claims: running.stream });
    return running.runs;
  };

  const readEvents = async (running: Running, claim: Claim, accountId: string) => {
    const { claimed } = await runsOf(running, claim);
    return readEarlierEvents(store, { id: claim.id, claimed, accountId });
  };

  const eventsOf = (running: Running, claim: Claim, accountId: string) => {
    running.earlier ??= readEvents(running, claim, accountId);
    return running.earlier;
  };

  const ofPart = (charges: readonly EarlierCharge[], { part }: Claim) =>
    charges.filter(({ reserved }) => reserved.meta.claim?.part === part);

  const chargesOf = async (running: Running, claim: Claim, accountId: string) => {
    running.charges ??= eventsOf(running, claim, accountId).then((events) =>
      readEarlierCharges(store, events),
    );
    return ofPart(await running.charges, claim);
  };

  /** Whether no earlier run of the work can write anything more. */
  const areOver = async (running: Running, claim: Claim): Promise<boolean> => {
    const { open } = await runsOf(running, claim);
    return open.every((run) => run.claimId === running.claimId || running.isSilent(run));
  };

  return {
    begin(workId, request) {
      if (byWork.has(workId)) throw inProgress(1);
      const running = { ...request };
      byWork.set(workId, running);
      return () => {
        byWork.delete(workId);
      };
    },

    async sentEarlier(claim, context, { leavesOpen } = { leavesOpen: false }) {
      const running = runningOf(claim.id);
      if (!running.resumed) return undefined;
      const { accountId } = context;
      const charges = await chargesOf(running, claim, accountId);
      const open = charges.filter(isOpen);
      if (open.length === 0) return sentBefore(charges);
      let now = charges;
      if (!leavesOpen) {
        const isOver = await areOver(running, claim);
        let isUnknown = false;
        for (const { reserved } of open) {
          const on = { ...context, cause: reserved.id };
          if (!(await deps.refundOpen(reserved, on, isOver))) isUnknown = true;
        }
        if (!isUnknown) return sentBefore(charges);
        const events = await readEvents(running, claim, accountId);
        now = ofPart(await readEarlierCharges(store, events), claim);
      }
      await findRecovered(store, deps.lookups, now.filter(isOpen));
      if (now.some(isOpen)) {
        throw inProgress(leavesOpen ? LEFT_RETRY_AFTER_SECONDS : RETRY_AFTER_SECONDS);
      }
      return sentBefore(now);
    },

    termOf: (claim) => byWork.get(claim.id)?.term,

    reversible(claim, reversed) {
      const running = byWork.get(claim.id);
      if (running) running.reversed = reversed;
    },

    async reversed(workId) {
      await byWork.get(workId)?.reversed?.();
    },

    async movedEarlier(claim, accountId) {
      const running = runningOf(claim.id);
      if (!running.resumed) return undefined;
      const [event] = await eventsOf(running, claim, accountId);
      return event && 'entryId' in event.data ? event.data.entryId : undefined;
    },

    async wroteEarlier(claim, stream) {
      if (!runningOf(claim.id).resumed) return false;
      const events = await store.read(stream);
      return events.some(({ meta }) => meta.claim?.id === claim.id);
    },
  };
};

/** Another instance may continue the request, and so may this one, under another claim. */
const tookTooLong = () =>
  new StoreUnavailable('the request took too long, or its lease has ended: nothing more was begun');
