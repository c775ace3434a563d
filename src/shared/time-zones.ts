import { LRUCache } from 'lru-cache';

// Clocks of places, by Node's own table of time zones.

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

const MINUTES_OF_DAY = 24 * 60;

/** Minutes since midnight of a time such as "09:30"; null when it is none. "24:00" ends a day. */
export const clockMinutes = (text: string): number | null => {
  const parts = /^(\d{2}):(\d{2})$/.exec(text);
  const [hours, minutes] = [Number(parts?.[1]), Number(parts?.[2])];
  const total = hours * 60 + minutes;
  return minutes < 60 && total <= MINUTES_OF_DAY ? total : null;
};

/** More than there are zones: callers may write a name in several ways. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1000 });

/** Throws for a name that is no time zone. */
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
};

/** Whether it is the name of a time zone, such as `Asia/Kolkata`. */
export const isTimeZone = (name: string): boolean => {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
};

/** What the clock of the place shows at a moment, as the milliseconds since 1970 at which the clock of UTC shows it. */
export const wallClock = (timeZone: string, at: number): number => {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = Number(value);
  const { year, month, day, hour, minute, second } = parts;
  const seconds = Date.UTC(year!, month! - 1, day, hour, minute, second);
  return seconds + (((at % 1000) + 1000) % 1000);
};

/** By how many milliseconds the clock of the place is ahead of UTC. */
export const offsetAt = (timeZone: string, at: number): number => wallClock(timeZone, at) - at;

/** The first moment, to the minute, of a change of the clock between two moments. */
const changeBetween = (timeZone: string, from: number, to: number): number => {
  const before = offsetAt(timeZone, from);
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timeZone, middle * MINUTE_MS) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
};

/**
 * The moment at which the clock of the place shows this (as `wallClock` gives it). A time that a change
 * of the clock skips is the first moment after it; of one that comes twice it is the first.
 */
export const momentOf = (timeZone: string, wall: number): number => {
  const offsets = [offsetAt(timeZone, wall - DAY_MS), offsetAt(timeZone, wall + DAY_MS)];
  const [first, last] = offsets.map((offset) => wall - offset).sort((a, b) => a - b);
  if (first === last) return first!;
  if (wallClock(timeZone, first!) === wall) return first!;
  if (wallClock(timeZone, last!) === wall) return last!;
  return changeBetween(timeZone, first!, last!);
};

/** Hours of the day on the clock of a place. */
export interface DailyWindow {
  /** Minutes since midnight. An end before the begin is on the next day. */
  from: number;
  until: number;
  /** On which days it begins, 1 for Monday to 7 for Sunday; every day when absent. */
  days?: readonly number[] | undefined;
}

/** Days that are looked at: a window of one day of the week comes once in eight of them. */
const LOOK_DAYS = 9;

/** The stretches of a window that end after a moment, in their order. A change of the clock may skip one whole. */
function* stretches(timeZone: string, { from, until, days }: DailyWindow, after: number) {
  const today = Math.floor(wallClock(timeZone, after) / DAY_MS) * DAY_MS;
  for (let ahead = -1; ahead < LOOK_DAYS; ahead += 1) {
    const day = today + ahead * DAY_MS;
    // 1 January 1970 was a Thursday.
    const weekday = ((((day / DAY_MS + 3) % 7) + 7) % 7) + 1;
    if (days && !days.includes(weekday)) continue;
    const begins = momentOf(timeZone, day + from * MINUTE_MS);
    const ends = momentOf(timeZone, (until > from ? day : day + DAY_MS) + until * MINUTE_MS);
    if (ends > after && ends > begins) yield { begins, ends };
  }
}

/** The first moment from then on at which the window is open; undefined where there is none. */
export const openFrom = (timeZone: string, window: DailyWindow, at: number): number | undefined => {
  for (const { begins } of stretches(timeZone, window, at)) return Math.max(begins, at);
  return undefined;
};

/** The first moment from then on that is outside of the window. */
export const outsideFrom = (timeZone: string, window: DailyWindow, at: number): number => {
  for (const { begins, ends } of stretches(timeZone, window, at)) return begins <= at ? ends : at;
  return at;
};
