import { median, spread } from './support.ts';

/** The goal of a figure: at least, or at most. */
export type Goal = { least: number } | { most: number };

/** One figure: a value of each round, and its goal if it has one. */
export interface Row {
  id: string;
  what: string;
  values: readonly number[];
  goal?: Goal;
  /** Follows the number, with a leading space. */
  unit?: string;
  digits?: number;
}

export interface Report {
  row(row: Row): void;
  /** All rows so far, as a Markdown table. */
  markdown(): string;
  /** All rows so far, with the median as the value; null where there is no goal. */
  json(): { rows: JsonRow[] };
}

export interface JsonRow {
  id: string;
  what: string;
  value: number;
  unit: string;
  target: string | null;
  holds: boolean | null;
  min: number;
  max: number;
}

const isMet = (goal: Goal, value: number): boolean =>
  'least' in goal ? value >= goal.least : value <= goal.most;

const goalText = (goal: Goal, digits: number, unit: string): string =>
  'least' in goal
    ? `at least ${goal.least.toFixed(digits)}${unit}`
    : `at most ${goal.most.toFixed(digits)}${unit}`;

const measured = ({ values, digits = 2, unit = '' }: Row): string =>
  values.length === 1
    ? `${values[0]!.toFixed(digits)}${unit}`
    : spread(values, digits).replace('  ', `${unit}  `);

export const createReport = (say: (line: string) => void): Report => {
  const rows: Row[] = [];
  return {
    row(row) {
      rows.push(row);
      const { id, what, values, goal, digits = 2, unit = '' } = row;
      const met = goal && (isMet(goal, median(values)) ? 'met' : 'missed');
      const end = goal ? `   goal ${goalText(goal, digits, unit)}: ${met}` : '';
      say(`${id.padEnd(4)} ${what.padEnd(58)} ${measured(row).padEnd(26)}${end}`);
    },
    markdown() {
      const lines = rows.map((row) => {
        const { what, goal, digits = 2, unit = '' } = row;
        const asked = goal ? goalText(goal, digits, unit) : '–';
        return `| ${what} | ${measured(row).replace('  ', ' ')} | ${asked} |`;
      });
      return ['| | measured | goal |', '|---|---|---|', ...lines].join('\n');
    },
    json: () => ({
      rows: rows.map(({ id, what, values, goal, digits = 2, unit = '' }) => {
        const value = median(values);
        return {
          id,
          what,
          value,
          unit: unit.trim(),
          target: goal ? goalText(goal, digits, unit) : null,
          holds: goal ? isMet(goal, value) : null,
          min: Math.min(...values),
          max: Math.max(...values),
        };
      }),
    }),
  };
};
