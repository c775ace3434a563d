import { Button } from '../../ui/button.tsx';

const DAYS = [
  ['mon', 'Monday'],
  ['tue', 'Tuesday'],
  ['wed', 'Wednesday'],
  ['thu', 'Thursday'],
  ['fri', 'Friday'],
  ['sat', 'Saturday'],
  ['sun', 'Sunday'],
] as const;

type Interval = readonly [string, string];

const intervalsOf = (value: unknown): readonly Interval[] =>
  Array.isArray(value)
    ? value.map((one) =>
        Array.isArray(one) ? [String(one[0] ?? ''), String(one[1] ?? '')] : ['', ''],
      )
    : [];

const Day = ({
  day,
  value,
  change,
}: {
  day: string;
  value: unknown;
  change: (intervals: readonly Interval[]) => void;
}) => {
  const intervals = intervalsOf(value);
  const set = (index: number, to: Interval) =>
    change(intervals.map((one, at) => (at === index ? to : one)));
  return (
    <div className="node-day">
      <span>{day}</span>
      <div className="stack">
        {intervals.length === 0 && <span className="muted">closed</span>}
        {intervals.map(([from, to], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: intervals have no names
          <div className="node-interval" key={index}>
            <input
              aria-label={`${day} from`}
              value={from}
              placeholder="09:00"
              onChange={({ target }) => set(index, [target.value, to])}
            />
            –
            <input
              aria-label={`${day} to`}
              value={to}
              placeholder="18:00"
              onChange={({ target }) => set(index, [from, target.value])}
            />
            <Button
              tone="quiet"
              aria-label={`Remove these hours of ${day}`}
              onClick={() => change(intervals.filter((_, at) => at !== index))}
            >
              ×
            </Button>
          </div>
        ))}
      </div>
      <Button
        tone="quiet"
        aria-label={`Add hours on ${day}`}
        onClick={() => change([...intervals, ['09:00', '18:00']])}
      >
        +
      </Button>
    </div>
  );
};

/** When it is open, day by day. A day without hours is closed. */
export const HoursField = ({
  label,
  problem,
  value,
  change,
}: {
  label: string;
  problem?: string | undefined;
  value: unknown;
  change: (days: Record<string, unknown>) => void;
}) => {
  const days = (value ?? {}) as Record<string, unknown>;
  const set = (day: string, intervals: readonly Interval[]) => {
    const { [day]: _, ...others } = days;
    change(intervals.length === 0 ? others : { ...days, [day]: intervals });
  };
  return (
    <fieldset className="node-list">
      <legend>{label}</legend>
      {DAYS.map(([day, words]) => (
        <Day key={day} day={words} value={days[day]} change={(to) => set(day, to)} />
      ))}
      {problem !== undefined && <div className="field-problem small">{problem}</div>}
    </fieldset>
  );
};
