import { z } from 'zod';
import type { Lookups } from '../../commands/core/lookups.ts';
import type { Submissions } from '../../commands/templates/submission.ts';
import { AppError } from '../../shared/errors.ts';
import { defineRoute } from '../route/route.ts';
import { submission, submissionFields, submitCatalog } from '../v1/submit.ts';
import { actingOn } from './context.ts';

/** The same as callers do, for the number of any account. */
export const catalogSubmissionRoute = (deps: {
  lookups: Pick<Lookups, 'number'>;
  submissions: Submissions;
}) =>
  defineRoute({
    ...submission,
    path: '/admin/v1/numbers/:phoneNumberId/catalog/submit',
    access: 'administrator',
    description:
      "For the account of the number. Read the number's readiness with refresh=true until the events are ready.",
    tags: ['Numbers'],
    request: { body: z.object(submissionFields) },
    async handle({ params: { phoneNumberId }, body }, context) {
      const number = await deps.lookups.number(phoneNumberId);
      if (!number) throw new AppError('number.unknown', 'Phone number not found');
      const { accountId } = number;
      const request = { accountId, phoneNumberId, ...body };
      return submitCatalog(deps.submissions, request, { ...actingOn(context), accountId });
    },
  });
