import { z } from 'zod';
import type { StrictProblem } from '../../commands/sending/strict.ts';
import { invalid } from '../route/validation.ts';

/** The field `strict` of a send. */
export const strict = z
  .boolean()
  .optional()
  .describe(
    'Refuses with 400, before any charge, variables that the event does not know, that are missing or blank, and a `to` that is no possible telephone number. When absent, the default of the account, which an administrator sets; else false.',
  );

export interface StrictDeps {
  /** The default of an account: at once where it is in memory, so that a send awaits nothing for it. */
  strictByDefault: (accountId: string) => boolean | Promise<boolean>;
}

/** Throws what a strict send refuses, if it refuses anything. */
export const refuseProblems = (problems: readonly StrictProblem[]): void => {
  if (problems.length > 0) throw invalid(problems);
};
