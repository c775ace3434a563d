import type { FactOf } from '../../events/define.ts';
import {
  type ClaimedRun,
  RequestAnswered,
  RequestClaimed,
  type RequestFact,
  RequestFreed,
  RequestInterrupted,
} from '../../events/idempotency.ts';
import { AppError } from '../../shared/errors.ts';
import { freeWritesUsedUp } from '../account/movements.ts';
import type { Decider } from '../core/decider.ts';

/** A key belongs to its first request for 24 hours. */
const KEY_KEPT_MS = 24 * 60 * 60_000;

/** The latest claim of a key. */
export type Held = FactOf<typeof RequestClaimed>['data'];

/** The response that a repeated request receives. */
export interface StoredAnswer {
  status: number;
  body: unknown;
  headers: Readonly<Record<string, string>>;
}

/** How a claim ended. */
export type Settlement =
  | ({
      kind: 'answered';
      /** Numbers and user ids of the contacts that the answer names, in the owner's account. */
      contacts: readonly string[];
    } & StoredAnswer)
  | { kind: 'freed' | 'interrupted' };

interface RequestState {
  /** Null when no claim holds the key. */
  held: Held | null;
  /** `erased`: there was one, and the data of a contact in it were erased. */
  answer: StoredAnswer | 'erased' | null;
  interrupted: boolean;
}

/** A claim to be made, and what its process knows of earlier ones. */
export interface Claiming extends ClaimedRun {
  /** Claims, and works, that this process works on. */
  running: ReadonlySet<string>;
  /** Claims of other processes before this time are abandoned. */
  abandonedBefore: string;
  /** Whether the process of a claim can begin nothing more for it. */
  hasEnded: (earlier: ClaimedRun) => boolean;
}

/** Whether the run of an earlier claim may still begin something. */
export const isWorkedOn = (
  earlier: ClaimedRun,
  { instanceId, running, abandonedBefore, hasEnded }: Claiming,
): boolean =>
  earlier.instanceId === instanceId
    ? running.has(earlier.claimId)
    : earlier.at >= abandonedBefore && !hasEnded(earlier);

type RequestCommand =
  | (Claiming &
      Pick<Held, 'ownerId' | 'route' | 'fingerprint'> & {
        type: 'Claim';
        /** Whether its account may write no more for free today: only stored answers are given. */
        isUsedUp: boolean;
        /** Whether the key belongs to its first request for good. */
        lasts: boolean;
      })
  | {
      type: 'Settle';
      claimId: string;
      settlement: Settlement;
      /** The contacts that an answer names. */
      contactRefs: readonly string[];
    };

/** One idempotency key of one owner on one route. */
export const idempotencyKeyDecider: Decider<RequestState, RequestCommand, RequestFact> = {
  category: 'request',
  initial: { held: null, answer: null, interrupted: false },
  evolve(state, fact) {
    switch (fact.type) {
      case 'RequestClaimed':
        return { held: fact.data, answer: null, interrupted: false };
      case 'RequestAnswered':
        return { ...state, answer: answerOf(fact.data) };
      case 'RequestInterrupted':
        return { ...state, answer: null, interrupted: true };
      case 'RequestFreed':
        return idempotencyKeyDecider.initial;
    }
  },
  decide: (command, state) =>
    command.type === 'Claim' ? claim(command, state) : settle(command, state),
};

const answerOf = (data: FactOf<typeof RequestAnswered>['data']): StoredAnswer | 'erased' => {
  const { status, contactRefs, body, clearBody, headers } = data;
  if (contactRefs.length === 0) return { status, body: clearBody, headers };
  return body === null ? 'erased' : { status, body, headers };
};

const claim = (
  command: Extract<RequestCommand, { type: 'Claim' }>,
  { held, answer, interrupted }: RequestState,
): readonly RequestFact[] => {
  const { claimId, at, fingerprint, lasts, isUsedUp } = command;
  const isYoung = held !== null && Date.parse(held.at) + KEY_KEPT_MS > Date.parse(at);
  const kept = held !== null && (lasts || isYoung);
  if (kept) {
    if (held.fingerprint !== fingerprint) throw mismatch();
    if (answer) return [];
    const isUnderWay =
      command.running.has(held.workId) || (!interrupted && isWorkedOn(held, command));
    if (isUnderWay) throw inProgress(1);
  }
  if (isUsedUp) throw freeWritesUsedUp(Date.parse(at));
  return [RequestClaimed.of({ ...command, workId: kept ? held.workId : claimId })];
};

const settle = (
  { claimId, settlement, contactRefs }: Extract<RequestCommand, { type: 'Settle' }>,
  { held, answer, interrupted }: RequestState,
): readonly RequestFact[] => {
  // Another claim holds the key by now: this outcome no longer counts.
  if (held?.claimId !== claimId || interrupted) return [];
  // An answer may be withdrawn, but not replaced.
  if (answer && settlement.kind !== 'interrupted') return [];
  switch (settlement.kind) {
    case 'freed':
      return [RequestFreed.of({ claimId })];
    case 'interrupted':
      return [RequestInterrupted.of({ claimId })];
    case 'answered': {
      const { status, body, headers } = settlement;
      const bodies = contactRefs.length === 0 ? { body: null, clearBody: body } : { body };
      const answered = { claimId, status, contactRefs: [...contactRefs], ...bodies };
      return [RequestAnswered.of({ ...answered, headers: { ...headers } })];
    }
  }
};

/** The key still belongs to its request, so that nothing is sent again. */
export const erased = () =>
  new AppError(
    'resource.erased',
    'The data of a contact in this request were erased, and its answer with them: nothing was sent again',
  );

export const mismatch = () =>
  new AppError(
    'idempotency.mismatch',
    'This Idempotency-Key was used with another request: use a new key',
  );

export const inProgress = (retryAfterSeconds: number) =>
  new AppError('idempotency.in_progress', 'The request with this key is still in progress', {
    retryAfterSeconds,
  });
