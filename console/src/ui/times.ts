// One convention of times: the zone of the account where it has one, else the viewer's; a word for
// today and yesterday, an ISO day for the rest; UTC in the title.

let zone: string | undefined;

const forms = new Map<string, Intl.DateTimeFormat>();

const formOf = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = JSON.stringify(options);
  const form =
    forms.get(key) ??
    // Swedish dates are ISO days.
    new Intl.DateTimeFormat('sv-SE', { ...options, ...(zone !== undefined && { timeZone: zone }) });
  forms.set(key, form);
  return form;
};

/** Shows all further times in this zone; undefined is the viewer's. */
export const showTimesIn = (name: string | undefined): void => {
  if (name === zone) return;
  zone = name;
  forms.clear();
};

const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
const minutes = { hour: '2-digit', minute: '2-digit' } as const;

const dayOf = (time: number): string => formOf(day).format(time);

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** `today 14:03`, `yesterday 09:12`, `2026-11-20 14:03`. */
export const dayTime = (iso: string, now: number, withSeconds = false): string => {
  const time = Date.parse(iso);
  const own = dayOf(time);
  const word = own === dayOf(now) ? 'today' : own === dayOf(now - DAY_MS) ? 'yesterday' : own;
  const clock = formOf(withSeconds ? { ...minutes, second: '2-digit' } : minutes);
  return `${word} ${clock.format(time)}`;
};

/** `14:00`, and the day at midnight. */
export const hourOf = (time: number): string => {
  const clock = formOf(minutes).format(time);
  return clock === '00:00' ? dayOf(time).slice(5) : clock;
};

const agoForm = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `5 min. ago`, `in 2 hr.` */
export const relative = (iso: string, now: number): string => {
  const time = Date.parse(iso);
  const [unit, ms] = steps.find(([, length]) => Math.abs(now - time) >= length) ?? steps[3];
  return agoForm.format(Math.round((time - now) / ms), unit);
};

/** A moment as a field for date and time wants it, in the zone of all times. */
export const localOf = (time: number): string =>
  formOf({ ...day, ...minutes })
    .format(time)
    .replace(' ', 'T');

/** How far the zone is from UTC then. */
const offsetAt = (time: number): number => {
  const minute = Math.floor(time / MINUTE_MS) * MINUTE_MS;
  return Date.parse(`${localOf(minute)}Z`) - minute;
};

/** The moment that a field for date and time holds, ISO 8601. */
export const momentOf = (local: string): string => {
  const clock = Date.parse(`${local}Z`);
  // The offset at nearly that moment is the one at it, but within hours of a change of the clock.
  return new Date(clock - offsetAt(clock - offsetAt(clock))).toISOString();
};

/** UTC to the second: what stands in the log. */
export const utcOf = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
