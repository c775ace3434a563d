import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** A request with an Idempotency-Key is worked on. Only one claim at a time can win its stream. */
export const RequestClaimed = defineEvent(
  'RequestClaimed',
  z.object({
    claimId: z.string(),
    /**
     * What the request does is done under this id, which its events carry. A claim that goes on
     * where an earlier one was broken off keeps the earlier one's; its own otherwise.
     */
    workId: z.string(),
    /** The account, or the administrator. */
    ownerId: z.string(),
    /** Method and path, parameters by their names. */
    route: z.string(),
    /** Keyed hash of method, path and body. */
    fingerprint: z.string(),
    /** The process that works on it. */
    instanceId: z.string(),
    at: z.iso.datetime(),
  }),
);

/** The answer stands: whoever asks again gets it. */
export const RequestAnswered = defineEvent(
  'RequestAnswered',
  z.object({
    claimId: z.string(),
    status: z.int(),
    body: z.unknown(),
    headers: z.record(z.string(), z.string()),
  }),
);

/** Refused before anything was done: the key is as good as new. */
export const RequestFreed = defineEvent('RequestFreed', z.object({ claimId: z.string() }));

/** Broken off with something done, or perhaps: whoever asks again goes on from there. */
export const RequestInterrupted = defineEvent(
  'RequestInterrupted',
  z.object({ claimId: z.string() }),
);

export const requestEvents = [
  RequestClaimed,
  RequestAnswered,
  RequestFreed,
  RequestInterrupted,
] as const;
export type RequestFact = FactOf<(typeof requestEvents)[number]>;
