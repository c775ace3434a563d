import { z } from 'zod';
import { Category } from './category.ts';
import { defineEvent, type FactOf } from './define.ts';
import { ClaimedRun } from './idempotency.ts';
import { namesOthers, personal } from './personal.ts';

// A send that waits for its time, in the stream schedule-<account>.<id>. A timer is an event with its due
// time and the row that a read model makes of it.

/** Why it is due when it is. */
export const ScheduleRule = z.object({
  by: z.enum(['sendAt', 'deliverBetween', 'quietHours']).describe('Which rule set the time.'),
  text: z.string().describe('The same in words.'),
});
export type ScheduleRule = z.output<typeof ScheduleRule>;

const time = {
  dueAt: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  timeZone: z.string().nullable(),
  rule: ScheduleRule,
};

/** A send with its time, as it is to be made. */
export const ScheduledSend = z.object({
  scheduleId: z.string(),
  accountId: z.string(),
  contactRef: z.string(),
  /** By event key, or a message that the caller built. */
  kind: z.enum(['notification', 'message']),
  event: z.string().nullable(),
  /** As it was when it was taken: decides the order among those that are due. */
  category: Category,
  /** As asked for; null for the account's oldest number. */
  phoneNumberId: z.string().nullable(),
  ...time,
  /** What stood in the way of the send when it was taken. */
  problems: z.array(z.string()),
  /** The body of the request. */
  request: personal(z.record(z.string(), z.unknown())),
  ...namesOthers,
});
export type ScheduledSend = z.output<typeof ScheduledSend>;

/** Authentication goes before utility and replies, these before marketing. Sends of now have 0. */
const ranks: Readonly<Record<Category, number>> = {
  AUTHENTICATION: 1,
  UTILITY: 2,
  SERVICE: 2,
  MARKETING: 3,
};

/** What a lane is named after: sends of one account, rank and number go one behind the other. */
export interface Lane {
  accountId: string;
  category: Category;
  phoneNumberId: string | null;
}

export const laneOf = ({ accountId, category, phoneNumberId }: Lane): string =>
  `${accountId}.${ranks[category]}.${phoneNumberId ?? ''}`;

/** The account and the rank in a lane's name: the lowest rank goes first. */
export const partsOfLane = (lane: string): { accountId: string; rank: number } => {
  const [accountId, rank] = lane.split('.');
  return { accountId: accountId!, rank: Number(rank) };
};

export const SendScheduled = defineEvent('SendScheduled', ScheduledSend);

/** The send and its time after the change. */
export const ScheduleChanged = defineEvent('ScheduleChanged', ScheduledSend);

/** It was due at a time that its hours do not allow, and goes out later. */
export const ScheduleMoved = defineEvent(
  'ScheduleMoved',
  ScheduledSend.pick({
    scheduleId: true,
    accountId: true,
    category: true,
    phoneNumberId: true,
  }).extend(time),
);

/** A process begins to send it, or goes on. From here on it is neither changed nor cancelled. */
export const ScheduleBegun = defineEvent(
  'ScheduleBegun',
  z.object({
    scheduleId: z.string(),
    accountId: z.string(),
    /** Null in version 1, which claimed it in a stream of its own. */
    run: ClaimedRun.nullable(),
  }),
  [({ at: _, ...stored }) => ({ ...stored, run: null })],
);

/** The error that a send would have had. */
export const ScheduleError = z.object({
  status: z.int().describe('Status of the answer, such as 402.'),
  code: z.string().describe('The error as a code, such as `SEND_FAILED` or `WINDOW_CLOSED`.'),
  error: z.string().describe('The error as text for people.'),
  reason: z.string().optional().describe('Of 402, such as `INSUFFICIENT_CREDITS`.'),
  limit: z.string().optional().describe('Of 429: the reached cap.'),
  providerCode: z.int().nullable().optional().describe("The provider's error code."),
  providerMessage: z.string().optional().describe("The provider's words."),
});
export type ScheduleError = z.output<typeof ScheduleError>;

export const scheduleEnds = ['sent', 'refused', 'expired', 'cancelled', 'erased'] as const;

export const ScheduleEnded = defineEvent(
  'ScheduleEnded',
  z.object({
    scheduleId: z.string(),
    accountId: z.string(),
    contactRef: z.string(),
    event: z.string().nullable(),
    state: z.enum(scheduleEnds),
    at: z.iso.datetime(),
    chargeId: z.string().nullable(),
    messageId: personal(z.string()),
    error: personal(ScheduleError),
  }),
);

export const scheduleEvents = [
  SendScheduled,
  ScheduleChanged,
  ScheduleMoved,
  ScheduleBegun,
  ScheduleEnded,
] as const;
export type ScheduleFact = FactOf<(typeof scheduleEvents)[number]>;
