/** From one time on and until before another, both ISO 8601 in UTC with milliseconds. */
export interface Period {
  from: string;
  to: string;
}

/** A period as a caller names it: a month, or its two ends as times. */
export interface NamedPeriod {
  /** Such as `2026-11`. */
  month?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const MONTH = /^(2[01]\d\d)-(0[1-9]|1[0-2])$/;
/** Times beyond these years have other forms as texts, which do not compare. */
const [EARLIEST, LATEST] = ['2000-01-01T00:00:00.000Z', '2201-01-01T00:00:00.000Z'];

/** The UTC month, or undefined for a text that names none. */
const periodOfMonth = (text: string): Period | undefined => {
  const [, year, month] = MONTH.exec(text) ?? [];
  if (year === undefined || month === undefined) return undefined;
  const startOf = (months: number) =>
    new Date(Date.UTC(Number(year), Number(month) - 1 + months)).toISOString();
  return { from: startOf(0), to: startOf(1) };
};

/** The period, or what is wrong with it: the field and a sentence. */
export const periodOf = ({
  month,
  from,
  to,
}: NamedPeriod): Period | { field: keyof NamedPeriod; problem: string } => {
  if (month !== undefined) {
    if (from !== undefined || to !== undefined) {
      return { field: 'month', problem: 'excludes from and to: give a month, or both ends' };
    }
    const period = periodOfMonth(month);
    return period ?? { field: 'month', problem: 'must be a month such as 2026-11' };
  }
  if (from === undefined && to === undefined) {
    return { field: 'month', problem: 'is required, such as 2026-11, or from and to' };
  }
  if (from === undefined) return { field: 'from', problem: 'is required with to' };
  if (to === undefined) return { field: 'to', problem: 'is required with from' };
  if (from < EARLIEST) return { field: 'from', problem: 'must be in the year 2000 or later' };
  if (to > LATEST) return { field: 'to', problem: 'must be in the year 2200 or earlier' };
  if (from >= to) return { field: 'to', problem: 'must be later than from' };
  return { from, to };
};
