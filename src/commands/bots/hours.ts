import { clockMinutes, wallClock } from '../../shared/time-zones.ts';

/** As business hours name them, in the order in which they follow each other. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Weekday = (typeof weekdays)[number];

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

interface BusinessHours {
  timezone: string;
  /** From and to, the latter not included. One that ends before it begins goes over midnight. */
  days: Partial<Record<Weekday, readonly (readonly [string, string])[]>>;
}

/** Whether it is open at that moment, by the clock of the place. */
export const isOpen = ({ timezone, days }: BusinessHours, now: number): boolean => {
  const clock = Math.floor(wallClock(timezone, now) / MINUTE_MS);
  const minutes = clock % DAY_MINUTES;
  // 1 January 1970 was a Thursday.
  const today = (Math.floor(clock / DAY_MINUTES) + 3) % 7;
  const intervalsOf = (day: number) =>
    (days[weekdays[day]!] ?? []).map(([from, to]) => ({
      from: clockMinutes(from)!,
      to: clockMinutes(to)!,
    }));
  const begunToday = intervalsOf(today).some(
    ({ from, to }) => minutes >= from && (minutes < to || to < from),
  );
  const begunYesterday = intervalsOf((today + 6) % 7).some(
    ({ from, to }) => to < from && minutes < to,
  );
  return begunToday || begunYesterday;
};
