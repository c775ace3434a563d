import { z } from 'zod';
import { numbers } from '../../projections/numbers.ts';
import { AppError } from '../../shared/errors.ts';
import { defineRoute } from '../route/route.ts';
import { Readiness, type ReadinessDeps, readReadiness, refresh } from '../v1/readiness.ts';

/** The same as callers see, for the number of any account; also for one without a token. */
export const numberReadinessRoute = (deps: ReadinessDeps) =>
  defineRoute({
    method: 'GET',
    path: '/admin/v1/numbers/:phoneNumberId/readiness',
    access: 'administrator',
    summary: 'Show which events can be sent from a number',
    description: 'All 18 events with their states, and what keeps the number from sending.',
    tags: ['Numbers'],
    reads: [numbers],
    request: { query: z.object({ refresh }) },
    responses: { 200: Readiness },
    errors: ['number.unknown'],
    async handle({ params, query }, context) {
      const find = () => deps.lookups.number(params.phoneNumberId);
      const found = await readReadiness(deps, find, query.refresh === 'true', context);
      if (!found) throw new AppError('number.unknown', 'Phone number not found');
      return found;
    },
  });
