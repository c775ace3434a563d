import { z } from 'zod';
import { type NamedPeriod, type Period, periodOf } from '../../audit/statement.ts';
import type { EventReader } from '../../events/store.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import { moment } from '../route/paging.ts';

// What routes share that count from the log itself: accounts, periods, and one reader at a time.

export const unknownAccount = () => new AppError('resource.unknown', 'Account not found');

/** Throws where the log has no such account. */
export const mustBeKnown = async (
  log: Pick<EventReader, 'read'>,
  accountId: string,
): Promise<void> => {
  const [first] = await log.read(`account-${accountId}`, { limit: 1 });
  if (!first) throw unknownAccount();
};

/** Query fields that name a period. */
export const periodQuery = {
  month: z.string().max(20).optional().describe('A UTC month such as `2026-11`.'),
  from: moment.optional().describe('Start, ISO 8601; instead of `month`, with `to`.'),
  to: moment.optional().describe('End, not included, ISO 8601.'),
};

/** The period that a query names. Throws a validation error where it names none. */
export const mustBePeriod = (asked: NamedPeriod): Period => {
  const period = periodOf(asked);
  if ('problem' in period) throw invalidFields({ [period.field]: [period.problem] });
  return period;
};

/** Refuses work that reads the whole log while an instance is at it. */
export const oneAtATime = <Options, Result>(
  work: (options: Options) => Promise<Result>,
  refusal: string,
): ((options: Options) => Promise<Result>) => {
  let isRunning = false;
  return async (options) => {
    if (isRunning) throw new AppError('service.busy', refusal, { retryAfterSeconds: 10 });
    isRunning = true;
    try {
      return await work(options);
    } finally {
      isRunning = false;
    }
  };
};
