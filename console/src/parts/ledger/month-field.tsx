import { thisMonth } from './read.ts';

/** Which month a page shows. */
export const MonthField = ({
  month,
  choose,
}: {
  month: string;
  choose: (month: string) => void;
}) => (
  <label className="month-field">
    <span className="muted">Month, UTC</span>
    <input
      type="month"
      value={month}
      max={thisMonth()}
      onChange={({ target }) => /^\d{4}-\d{2}$/.test(target.value) && choose(target.value)}
    />
  </label>
);
