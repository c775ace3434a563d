import { parseContact } from '../../events/contact.ts';
import type { JobFlaw, JobRow } from '../../events/job.ts';
import { isRefusal } from '../../shared/errors.ts';
import type { CatalogEntry } from '../sending/catalog.ts';
import { notificationProblems } from '../sending/strict.ts';
import { planSend, type Timing } from '../sending/timing.ts';
import { textOf } from '../sending/variables.ts';
import type { Columns, FileRow } from './read-file.ts';

const REFERENCE_MAX = 128;

/** A row of the file, which can be sent to the contact with this id, or has a flaw. */
type CheckedRow = { row: number } & ({ good: JobRow; id: string } | { flaw: JobFlaw });

/** Whether no moment of the next days lies within the hours of a job, on the clocks of a recipient. */
const neverOpens = (to: string, { deliverBetween }: Timing, now: number): boolean => {
  if (!deliverBetween) return false;
  // Quiet hours are decided when it is sent.
  const account = { quietHours: null, timeZone: 'UTC' };
  try {
    planSend({ timing: { deliverBetween }, to, category: 'SERVICE', account, now });
    return false;
  } catch (error) {
    if (isRefusal(error)) return true;
    throw error;
  }
};

/** Checks rows by the rules of a strict send. A number that came before is a duplicate. */
export const createRowCheck = (
  entry: CatalogEntry,
  columns: Columns,
  timing: Timing,
  now: number,
) => {
  const seen = new Map<string, number>();

  const problemOf = (to: string, variables: Record<string, unknown>, reference: string) => {
    if (reference.length > REFERENCE_MAX)
      return 'clientReference: must have at most 128 characters';
    const [problem] = notificationProblems({ event: entry.event, to, variables });
    return problem && `${problem.path.join('.')}: ${problem.message}`;
  };

  return ({ row, fields, problem: broken }: { row: number } & FileRow): CheckedRow => {
    const bad = (problem: string): CheckedRow => ({ row, flaw: { row, state: 'bad', problem } });
    if (broken !== undefined) return bad(broken);
    const to = textOf(fields[columns.to]).trim();
    const { clientReference: column } = columns;
    const reference = column === undefined ? '' : textOf(fields[column]).trim();
    const variables = Object.fromEntries(
      Object.entries(columns.variables).map(([name, column]) => [name, fields[column]]),
    );
    const problem = problemOf(to, variables, reference);
    if (problem !== undefined) return bad(problem);
    const id = parseContact(to);
    if (neverOpens(id, timing, now)) {
      return bad('deliverBetween: is open at no time in all the time zones of this recipient');
    }
    const first = seen.get(id);
    if (first !== undefined) {
      const problem = `has the recipient of row ${first}`;
      return { row, flaw: { row, state: 'duplicate', problem } };
    }
    seen.set(id, row);
    const values = entry.variables.map((name) => textOf(variables[name]));
    const good = { to, values, ...(reference !== '' && { clientReference: reference }) };
    return { row, good, id };
  };
};
