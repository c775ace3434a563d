import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';
import { personal } from './personal.ts';

/** A run of some work, as the claim that gave it to one process tells of it. */
export const ClaimedRun = z.object({
  claimId: z.string(),
  /** The process that works on it. */
  instanceId: z.string(),
  /** Its lease: once that has ended, the process begins nothing more for the claim. Absent without one. */
  leaseId: z.string().optional(),
  at: z.iso.datetime(),
});
export type ClaimedRun = z.output<typeof ClaimedRun>;

/** A process claims a request with an Idempotency-Key. Only one claim at a time can win. */
export const RequestClaimed = defineEvent(
  'RequestClaimed',
  ClaimedRun.extend({
    /**
     * The id in the events of the request's work. A claim that continues an interrupted one keeps its
     * id; otherwise it is the claim's own id.
     */
    workId: z.string(),
    /** The account, or the administrator. */
    ownerId: z.string(),
    /** Method and path, parameters by their names. */
    route: z.string(),
    /** Keyed hash of method, path and body. */
    fingerprint: z.string(),
  }),
);

/** The final answer, also for repetitions. */
export const RequestAnswered = defineEvent(
  'RequestAnswered',
  z.object({
    claimId: z.string(),
    status: z.int(),
    /** The contacts that the answer names; none for an answer about grants, plans and the like. */
    contactRefs: z.array(z.string()),
    /** The answer of a request about contacts. */
    body: personal(z.unknown()),
    /** Any other answer. */
    clearBody: z.unknown().optional(),
    headers: z.record(z.string(), z.string()),
  }),
  [({ body, ...stored }) => ({ ...stored, contactRefs: [], body: null, clearBody: body })],
);

/** The request was refused before any work: the key can be used again. */
export const RequestFreed = defineEvent('RequestFreed', z.object({ claimId: z.string() }));

/** The request was interrupted, perhaps after some work. A repetition continues it. */
export const RequestInterrupted = defineEvent(
  'RequestInterrupted',
  z.object({ claimId: z.string() }),
);

export const idempotencyEvents = [
  RequestClaimed,
  RequestAnswered,
  RequestFreed,
  RequestInterrupted,
] as const;
export type RequestFact = FactOf<(typeof idempotencyEvents)[number]>;
