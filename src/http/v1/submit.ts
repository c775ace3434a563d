import { z } from 'zod';
import type { Submissions } from '../../commands/templates/submission.ts';
import { ProviderRefused, ProviderUnreachable } from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import { defineRoute } from '../route/route.ts';
import { phoneNumberId } from './schemas.ts';

const NOTE =
  'Review by the provider is asynchronous: read /v1/notifications/events with refresh=true until the events are ready.';

/** Contract 4.6. */
export const submitRoute = (deps: { submissions: Submissions }) =>
  defineRoute({
    method: 'POST',
    path: '/v1/notifications/templates/submit',
    access: 'key',
    scope: 'templates:write',
    summary: 'Submit the catalog, or some of its events, for approval',
    tags: ['Notifications'],
    request: {
      body: z.object({
        phoneNumberId: phoneNumberId.optional(),
        events: z.array(z.string()).max(100).optional(),
        onlyMissing: z.boolean().default(true),
      }),
    },
    responses: {
      200: z.object({
        success: z.literal(true),
        phoneNumberId: z.string(),
        submitted: z.int(),
        existing: z.int(),
        failed: z.int(),
        results: z.array(
          z.object({
            event: z.string(),
            templateName: z.string(),
            category: z.string(),
            state: z.enum(['submitted', 'already_exists', 'failed']),
            status: z.string().optional(),
            metaTemplateId: z.string().optional(),
            error: z.string().optional(),
          }),
        ),
        note: z.string(),
      }),
    },
    free: true,
    errors: ['events.unknown', 'number.unknown', 'number.no_token', 'template.refused'],
    async handle({ body }, { key, requestId }) {
      const { accountId } = key;
      const request = { accountId, ...body };
      const { phoneNumberId, results } = await deps.submissions
        .submit(request, { requestId, accountId })
        .catch(refuseAsWhole);
      const count = (state: string) => results.filter((one) => one.state === state).length;
      return {
        success: true as const,
        phoneNumberId,
        submitted: count('submitted'),
        existing: count('already_exists'),
        failed: count('failed'),
        results: [...results],
        note: NOTE,
      };
    },
  });

/** A provider that cannot be read at all refuses the call, not one template. */
const refuseAsWhole = (error: unknown): never => {
  if (error instanceof ProviderUnreachable || error instanceof ProviderRefused) {
    throw new AppError('template.refused', `Template submission failed: ${error.message}`, {
      cause: error,
    });
  }
  throw error;
};
