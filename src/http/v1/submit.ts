import { z } from 'zod';
import type { CommandContext } from '../../commands/core/decider.ts';
import type { SubmissionRequest, Submissions } from '../../commands/templates/submission.ts';
import { ProviderRefused, ProviderUnreachable } from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import { defineRoute } from '../route/route.ts';
import { phoneNumberId, success } from './schemas.ts';

const NOTE =
  'Review by the provider is asynchronous: read /v1/notifications/events with refresh=true until the events are ready.';

const Result = z
  .object({
    event: z.string().describe('Event key of the catalog.'),
    templateName: z.string().describe("The provider's name of the template."),
    category: z.string().describe('Category of the template.'),
    state: z
      .enum(['submitted', 'already_exists', 'failed'])
      .describe('`already_exists`: the provider had the template.'),
    status: z.string().optional().describe('State of the template at the provider.'),
    metaTemplateId: z.string().optional().describe("The provider's id of the template."),
    error: z.string().optional().describe('The error as text for people, when `failed`.'),
  })
  .meta({ id: 'SubmissionResult' });

/** What to submit. */
export const submissionFields = {
  events: z
    .array(z.string())
    .max(100)
    .optional()
    .describe('Only these events; the whole catalog by default.'),
  onlyMissing: z.boolean().default(true).describe('Skips approved and pending templates.'),
};

export const Submitted = z.object({
  success,
  phoneNumberId: z.string().describe('The number of the business account.'),
  submitted: z.int().describe('Newly submitted templates.'),
  existing: z.int().describe('Templates that the provider had already.'),
  failed: z.int().describe('Templates that the provider refused.'),
  results: z.array(Result).describe('One for each submitted template.'),
  note: z.string().describe('What to do next.'),
});

/** Words and errors that both routes have. */
export const submission = {
  method: 'POST',
  summary: 'Submit the catalog, or some of its events, for approval',
  answer:
    'The result of each template. A refused template is a `failed` result, not an error; nothing is approved yet.',
  responses: { 200: Submitted },
  errors: ['events.unknown', 'number.unknown', 'number.no_token', 'template.refused'],
} as const;

/** Submits, and counts the results by their state. */
export const submitCatalog = async (
  submissions: Submissions,
  request: SubmissionRequest,
  context: CommandContext,
): Promise<z.output<typeof Submitted>> => {
  const { phoneNumberId, results } = await submissions
    .submit(request, context)
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
};

/** Contract 4.6. */
export const submitRoute = (deps: { submissions: Submissions }) =>
  defineRoute({
    ...submission,
    path: '/v1/notifications/templates/submit',
    access: 'key',
    scope: 'templates:write',
    tags: ['Notifications'],
    request: {
      body: z.object({
        phoneNumberId: phoneNumberId
          .optional()
          .describe("A number of the business account; the account's oldest one by default."),
        ...submissionFields,
      }),
    },
    free: true,
    handle({ body }, { key, requestId }) {
      const { accountId } = key;
      return submitCatalog(deps.submissions, { accountId, ...body }, { requestId, accountId });
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
