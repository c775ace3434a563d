import { getCountry } from 'countries-and-timezones';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { QuietHours } from '../../events/account.ts';
import type { Category } from '../../events/category.ts';
import type { ScheduleRule } from '../../events/schedule.ts';
import { isoTime } from '../../shared/clock.ts';
import { invalidFields } from '../../shared/errors.ts';
import {
  clockMinutes,
  type DailyWindow,
  isTimeZone,
  offsetAt,
  openFrom,
  outsideFrom,
} from '../../shared/time-zones.ts';
import { placeOf } from '../pricing/market.ts';
import { expiresAt } from '../privacy/retention.ts';

// When a send goes out: as its body asks, and not in the quiet hours of its account. Rules of the clock:
// a time that a change of the clock skips is the first moment after it, one that comes twice is its first.

const clockTime = z
  .string()
  .max(5)
  .refine((text) => clockMinutes(text) !== null, 'must be a time of day, such as 09:00');

/** A window that begins when it ends is never open. */
const neverEmpty = ({ from, until }: { from: string; until: string }) => from !== until;
const EMPTY = 'must not end at the time at which it begins';

export const hoursOfDay = z
  .object({
    from: clockTime.describe('When they begin, such as `21:00`.'),
    until: clockTime.describe('When they end, such as `08:00`; this moment is not in them.'),
  })
  .refine(neverEmpty, EMPTY);

export const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be the IANA name of a time zone, such as Asia/Kolkata');

const offsetTime = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString());

/** The fields of a body that say when it is to be sent. */
export const timingFields = {
  sendAt: offsetTime
    .optional()
    .describe(
      'Sends it then instead of now: ISO 8601 with `Z` or an offset, at most 90 days ahead. The answer is 202.',
    ),
  deliverBetween: z
    .object({
      from: clockTime.describe('When the window opens, such as `09:00`.'),
      until: clockTime.describe(
        'When it closes, such as `20:00`; before `from` it is on the next day.',
      ),
      days: z
        .array(z.int().min(1).max(7))
        .min(1)
        .max(7)
        .optional()
        .describe('Days on which it opens, 1 is Monday; every day by default.'),
      timeZone: timeZone
        .optional()
        .describe(
          "IANA name. By default that of the recipient's country, in a country of several zones all of them, else that of the account.",
        ),
    })
    .refine(neverEmpty, EMPTY)
    .optional()
    .describe(
      'Sends it at the first moment, from `sendAt` or now on, at which this window is open.',
    ),
  notAfter: offsetTime
    .optional()
    .describe(
      'Not sent after this time. By default 24 hours after it is due, 10 minutes for the category AUTHENTICATION.',
    ),
  ignoreQuietHours: z
    .boolean()
    .optional()
    .describe('Sends it in the quiet hours of the account too, unless it is MARKETING.'),
};

export type Timing = z.output<z.ZodObject<typeof timingFields>>;

/** Whether a body is to be sent later, whatever the account's quiet hours are. */
export const isTimed = ({ sendAt, deliverBetween }: Timing): boolean =>
  sendAt !== undefined || deliverBetween !== undefined;

/** What an account sets for all of its sends. */
export interface AccountHours {
  quietHours: QuietHours | null;
  timeZone: string;
  /** For how long it keeps personal data; null or absent for ever. */
  contentRetentionMonths?: number | null;
}

export interface Planned {
  dueAt: string;
  notAfter: string;
  /** Null where the hours of several zones were kept. */
  timeZone: string | null;
  rule: ScheduleRule;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const AHEAD_MS_MAX = 90 * DAY_MS;
/** A time that has passed by less is now. */
const LATE_MS_MAX = MINUTE_MS;
/** A send goes out so late at most, where its body does not say it. */
const KEPT_MS = DAY_MS;
const CODE_KEPT_MS = 10 * MINUTE_MS;
/** Rounds in which windows of several zones come to a moment at which all are open. */
const ROUNDS_MAX = 1000;

/** The first moment from then on that a rule allows; undefined where there is none. */
type Rule = (at: number) => number | undefined;

/** The first moment that all rules allow. */
const firstMoment = (from: number, rules: readonly Rule[]): number | undefined => {
  let at = from;
  for (let round = 0; round < ROUNDS_MAX && at <= from + AHEAD_MS_MAX; round += 1) {
    let next: number | undefined = at;
    for (const rule of rules) if (next !== undefined) next = rule(next);
    if (next === undefined || next === at) return next;
    at = next;
  }
  return undefined;
};

const windowOf = ({ from, until }: { from: string; until: string }): DailyWindow => ({
  from: clockMinutes(from)!,
  until: clockMinutes(until)!,
});

const inZones = (zones: readonly string[]): string => {
  const [first, ...others] = zones;
  return others.length === 0 ? `in ${first}` : `in all ${zones.length} time zones of the country`;
};

/** Zones that show the same time on all of these days ahead count as one. */
const COMPARED_DAYS = 370;
/** Between two changes of a clock lie more days. */
const STEP_DAYS = 5;

/** By country and month: rules change, seldom. */
const known = new LRUCache<string, readonly string[]>({ max: 500 });

/** The zones of a country whose clocks differ, each by its first name; none of an unknown country. */
export const zonesOfCountry = (country: string, now: number): readonly string[] => {
  const key = `${country} ${Math.floor(now / (30 * DAY_MS))}`;
  const before = known.get(key);
  if (before) return before;
  const byOffsets = new Map<string, string>();
  for (const zone of getCountry(country)?.timezones ?? []) {
    const offsets: number[] = [];
    for (let day = 0; day <= COMPARED_DAYS; day += STEP_DAYS) {
      offsets.push(offsetAt(zone, now + day * DAY_MS));
    }
    const shown = offsets.join();
    if (!byOffsets.has(shown)) byOffsets.set(shown, zone);
  }
  const zones = [...byOffsets.values()];
  known.set(key, zones);
  return zones;
};

/** The zones of the country of a number or a user id. */
const zonesOf = (to: string, now: number): readonly string[] =>
  zonesOfCountry(placeOf(to).countryCode, now);

interface Asked {
  timing: Timing;
  /** A number or a user id. */
  to: string;
  category: Category;
  account: AccountHours;
  now: number;
}

/** The quiet hours that hold a send; undefined where none do. */
const quietOf = ({ timing, category, account }: Asked) => {
  if (category !== 'MARKETING' && category !== 'UTILITY') return undefined;
  if (timing.ignoreQuietHours && category !== 'MARKETING') return undefined;
  return account.quietHours?.[category];
};

/** Refuses a send that would be due after its end. */
export const mustEndAfter = ({ notAfter }: Timing, due: number): void => {
  if (notAfter === undefined || Date.parse(notAfter) >= due) return;
  throw invalidFields({ notAfter: [`is before ${isoTime(due)}, when it is due`] });
};

/** Until when a send goes out at the latest. */
export const endOf = ({ notAfter }: Timing, category: Category, due: number): number => {
  if (notAfter !== undefined) return Date.parse(notAfter);
  return due + (category === 'AUTHENTICATION' ? CODE_KEPT_MS : KEPT_MS);
};

/** Refuses a time that has passed, or is too far. */
export const mustBeInTime = (timing: Timing, now: number): void => {
  mustEndAfter(timing, now);
  const { sendAt } = timing;
  if (sendAt === undefined) return;
  const at = Date.parse(sendAt);
  if (at < now - LATE_MS_MAX)
    throw invalidFields({ sendAt: ['has passed: leave it out to send now'] });
  if (at > now + AHEAD_MS_MAX) throw invalidFields({ sendAt: ['must be within 90 days'] });
};

/** Refuses a send whose content would be destroyed before it is due. */
const mustBeKept = (
  { contentRetentionMonths: months = null }: AccountHours,
  due: number,
  now: number,
): void => {
  if (months === null || due < expiresAt(now, months)) return;
  const until = isoTime(expiresAt(now, months));
  const problem = `must be before ${until}, when the retention of the account destroys what is stored now`;
  throw invalidFields({ sendAt: [problem] });
};

/** The zones whose clocks count: those of the body, of the recipient's country, of the account. */
const zonesFor = (
  { deliverBetween }: Timing,
  to: string,
  account: AccountHours,
  now: number,
): readonly string[] => {
  if (deliverBetween?.timeZone !== undefined) return [deliverBetween.timeZone];
  const zones = zonesOf(to, now);
  return zones.length > 0 ? zones : [account.timeZone];
};

/**
 * The time of a send; undefined for now. Throws for times at which it cannot be sent, unless it was
 * `isTaken` before: then times that have passed are now.
 */
export const planSend = (asked: Asked, isTaken = false): Planned | undefined => {
  const { timing, to, category, account, now } = asked;
  const { sendAt, deliverBetween } = timing;
  if (!isTaken) mustBeInTime(timing, now);
  const zones = zonesFor(timing, to, account, now);
  const quiet = quietOf(asked);
  const begin = Math.max(now, sendAt === undefined ? now : Date.parse(sendAt));
  const open: Rule[] = deliverBetween
    ? zones.map((zone) => {
        const window = { ...windowOf(deliverBetween), days: deliverBetween.days };
        return (at) => openFrom(zone, window, at);
      })
    : [];
  const loud: Rule[] = quiet
    ? zones.map((zone) => (at) => outsideFrom(zone, windowOf(quiet), at))
    : [];
  const opens = firstMoment(begin, open);
  const due = firstMoment(begin, [...open, ...loud]);
  if (opens === undefined || due === undefined) {
    const problem = `never opens ${inZones(zones)}${quiet ? ' outside of the quiet hours' : ''}`;
    throw invalidFields({ deliverBetween: [problem] });
  }
  if (!isTimed(timing) && due === begin) return undefined;
  if (!isTaken) {
    mustEndAfter(timing, due);
    mustBeKept(account, due, now);
  }
  return {
    dueAt: isoTime(due),
    notAfter: isoTime(endOf(timing, category, due)),
    timeZone: zones.length > 1 ? null : zones[0]!,
    rule: ruleOf(asked, { opens, due, begin }, zones),
  };
};

/** Which rule sets the moment: the last one that moved it. */
const ruleOf = (
  { timing: { sendAt, deliverBetween }, category, account }: Asked,
  { opens, due, begin }: { opens: number; due: number; begin: number },
  zones: readonly string[],
): ScheduleRule => {
  if (due !== opens) {
    const { from, until } = account.quietHours![category as 'MARKETING' | 'UTILITY']!;
    const text = `the quiet hours of ${category}, ${from} to ${until} ${inZones(zones)}, end`;
    return { by: 'quietHours', text };
  }
  if (deliverBetween && (opens !== begin || sendAt === undefined)) {
    const { from, until } = deliverBetween;
    const text = `the window ${from} to ${until} ${inZones(zones)} is open`;
    return { by: 'deliverBetween', text };
  }
  return { by: 'sendAt', text: 'as asked' };
};
