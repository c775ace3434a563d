/** As business hours name them, in the order in which they follow each other. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Weekday = (typeof weekdays)[number];

const MINUTES_OF_DAY = 24 * 60;

/** Minutes since midnight of a time such as "09:30"; null when it is none. "24:00" ends a day. */
export const clockMinutes = (text: string): number | null => {
  const parts = /^(\d{2}):(\d{2})$/.exec(text);
  const [hours, minutes] = [Number(parts?.[1]), Number(parts?.[2])];
  const total = hours * 60 + minutes;
  return minutes < 60 && total <= MINUTES_OF_DAY ? total : null;
};

const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

export const isTimeZone = (name: string): boolean => {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
};

interface BusinessHours {
  timezone: string;
  /** From and to, the latter not included. One that ends before it begins goes over midnight. */
  days: Partial<Record<Weekday, readonly (readonly [string, string])[]>>;
}

/** Whether it is open at that moment, by the clock of the place. */
export const isOpen = ({ timezone, days }: BusinessHours, now: number): boolean => {
  const parts = formatOf(timezone).formatToParts(now);
  const { weekday, hour, minute } = Object.fromEntries(
    parts.map(({ type, value }) => [type, value]),
  );
  const today = weekdays.indexOf(weekday!.toLowerCase() as Weekday);
  const minutes = Number(hour) * 60 + Number(minute);
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
