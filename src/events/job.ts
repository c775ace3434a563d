import { z } from 'zod';
import { Category } from './category.ts';
import { defineEvent, type FactOf } from './define.ts';
import { namesOthers, personal } from './personal.ts';
import { Billing } from './price.ts';

// A job: one event of the catalog for the rows of a file. In the stream job-<account>.<job id>. Its rows lie
// sealed under a key of the job's own, and each under the keys of its recipient too, so that they go with
// either. What became of them is a few events, not one for each row.

const own = { jobId: z.string(), accountId: z.string() };
/** Of what became of its rows so far; the amount is in the account's unit. */
const sums = { sent: z.int(), refused: z.int(), amount: z.int() };

export const JobCreated = defineEvent(
  'JobCreated',
  z.object({
    ...own,
    name: z.string().nullable(),
    event: z.string(),
    languageCode: z.string().nullable(),
    phoneNumberId: z.string().nullable(),
    /** In the account's unit; null for no bound. */
    maxAmount: z.int().nullable(),
    perSecond: z.int().nullable(),
    /** Of how many of its messages may fail before it pauses: a share. */
    failedShare: z.number(),
    /** Whether it pauses at a poor quality of its number. */
    quality: z.boolean(),
    /** Before it nothing is sent; null for as soon as it is started. */
    sendAt: z.string().nullable(),
    /** Outside of these hours nothing is sent; null for at any time. */
    deliverBetween: z
      .object({
        from: z.string(),
        until: z.string(),
        days: z.array(z.int()).optional(),
        timeZone: z.string().optional(),
      })
      .nullable(),
    /** The job whose failed rows it sends again. */
    retryOf: z.string().nullable(),
    /** The pseudonym of its file, whose key seals the rows. */
    fileRef: z.string(),
    /** The most bytes that its file may have. */
    bytesMax: z.int(),
  }),
);

/** A row that can be sent. */
const Row = z.object({
  to: z.string(),
  clientReference: z.string().optional(),
  /** In the order of the event's variables. */
  values: z.array(z.string()),
});
export type JobRow = z.output<typeof Row>;

/** A row that cannot be sent; the first row after the head of the file is 1. */
const Flaw = z.object({
  row: z.int(),
  state: z.enum(['bad', 'duplicate']),
  problem: z.string(),
});
export type JobFlaw = z.output<typeof Flaw>;

/** Some rows of the file, in their order. */
export const JobRowsAdded = defineEvent(
  'JobRowsAdded',
  z.object({
    ...own,
    /** The pseudonym of the file. */
    contactRef: z.string(),
    /** The numbers of `rows`. */
    numbers: z.array(z.int()),
    /** Null where the recipient was erased. */
    rows: personal(z.array(Row.nullable())),
    flaws: z.array(Flaw),
    /** What the account writes with them, before they are sealed. */
    bytes: z.int(),
    ...namesOthers,
  }),
);

/** What the file costs. */
const Plan = z.object({
  rows: z.int(),
  good: z.int(),
  bad: z.int(),
  duplicates: z.int(),
  billing: Billing,
  currency: z.string(),
  amount: z.int(),
  totals: z.array(
    z.object({
      category: Category,
      market: z.string(),
      count: z.int(),
      unitPrice: z.int(),
      amount: z.int(),
    }),
  ),
});
export type JobPlan = z.output<typeof Plan>;

/** The file was read to its end. */
export const JobChecked = defineEvent(
  'JobChecked',
  z.object({
    ...own,
    plan: Plan,
    /** Of all its events of rows. */
    bytes: z.int(),
    /** Of the form that it was made of, where it came under an idempotency key. */
    fingerprint: z.string().optional(),
  }),
);
/** The file cannot be used. */
export const JobUnusable = defineEvent('JobUnusable', z.object({ ...own, reason: z.string() }));
/** Asked for by its owner. It begins when fewer than two of the account run. */
export const JobStarted = defineEvent('JobStarted', z.object(own));
export const JobBegun = defineEvent('JobBegun', z.object(own));
export const JobPaused = defineEvent(
  'JobPaused',
  z.object({
    ...own,
    /** Why the service paused it; null where its owner did. */
    reason: z.string().nullable(),
    ...sums,
  }),
);
export const JobCancelled = defineEvent('JobCancelled', z.object(own));
export const JobFinished = defineEvent('JobFinished', z.object({ ...own, ...sums }));
/** The key of its file is destroyed: its rows name nobody any more. */
export const JobFileDestroyed = defineEvent('JobFileDestroyed', z.object(own));

/** What became of some rows of one event of rows. */
export const JobRowsSettled = defineEvent(
  'JobRowsSettled',
  z.object({
    ...own,
    /** The place of the event of rows among them, from 0. */
    part: z.int(),
    /** Rows that were sent, with their charges. */
    sent: z.array(z.tuple([z.int(), z.string()])),
    /** Rows that were refused, with the code. */
    refused: z.array(z.tuple([z.int(), z.string()])),
    /** What was taken for them, in the account's unit. */
    amount: z.int(),
    /** Whether some of its rows wait on; `unclear` where one of these may have gone out. */
    left: z.enum(['none', 'waiting', 'unclear']),
  }),
);

export const jobEvents = [
  JobCreated,
  JobRowsAdded,
  JobChecked,
  JobUnusable,
  JobStarted,
  JobBegun,
  JobPaused,
  JobCancelled,
  JobFinished,
  JobRowsSettled,
  JobFileDestroyed,
] as const;
export type JobFact = FactOf<(typeof jobEvents)[number]>;
