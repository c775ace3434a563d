import { z } from 'zod';
import type { CommandContext } from '../../commands/core/decider.ts';
import type { Lookups, NumberRecord, TemplateRow } from '../../commands/core/lookups.ts';
import type { Numbers } from '../../commands/numbers/numbers.ts';
import { catalog } from '../../commands/sending/catalog.ts';
import { isDirectEvent } from '../../commands/sending/direct.ts';
import {
  bestRow,
  findConfiguredNumber,
  missingNumberMessage,
  senderOf,
} from '../../commands/sending/outgoing.ts';
import type { Mirror } from '../../commands/templates/mirror.ts';
import type { SubmissionRequest, Submissions } from '../../commands/templates/submission.ts';
import { ProviderRefused, ProviderUnreachable } from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { actingFor, type KeyContext } from '../edge/context.ts';
import { defineRoute } from '../route/route.ts';
import { healthOf, readDirectSend } from './health.ts';
import { isOutOfReach } from './out-of-reach.ts';
import { CatalogEntry, Health, phoneNumberId, ReadinessEntry, success } from './schemas.ts';

/** Contract 4.4. */
export const catalogRoute = defineRoute({
  method: 'GET',
  path: '/v1/notifications/catalog',
  access: 'key',
  summary: 'List the 18 events and their variables',
  description: 'Needs no number, and is the same for every account.',
  answer: 'All 18 events, with their variables in positional order.',
  tags: ['Notifications'],
  responses: { 200: z.array(CatalogEntry) },
  errors: [],
  handle: () => catalog.map((entry) => ({ ...entry, variables: [...entry.variables] })),
});

export interface ReadinessDeps {
  lookups: Pick<Lookups, 'account' | 'numbers' | 'number' | 'allTemplates'>;
  mirror: Mirror;
  numbers: Numbers;
  secrets: Secrets;
}

/** Refreshes the number and its templates. While the provider is out of reach, the mirror answers. */
const readProvider = async (
  { mirror, numbers, secrets }: ReadinessDeps,
  number: NumberRecord,
  { requestId, log }: Pick<KeyContext, 'requestId' | 'log'>,
): Promise<void> => {
  const context = { requestId, accountId: number.accountId };
  try {
    await Promise.all([
      mirror.refresh(senderOf(number, secrets), context),
      numbers.refresh(number.phoneNumberId, context),
    ]);
  } catch (err) {
    if (!isOutOfReach(err)) throw err;
    log().warn({ err }, 'The provider could not be read and kept: answering from the mirror');
  }
};

const eventsOf = (number: NumberRecord, rows: readonly TemplateRow[], mayBeDirect: boolean) =>
  catalog.map((entry) => {
    const named = rows.filter(({ name }) => name === entry.templateName);
    const row = bestRow(named, entry.language, number.accountId);
    const ready = row?.status === 'APPROVED';
    const isDirect = mayBeDirect && isDirectEvent(entry, entry.language);
    const without = isDirect ? ('direct' as const) : null;
    return {
      ...entry,
      variables: [...entry.variables],
      status: row?.status ?? ('NOT_CREATED' as const),
      statusReason: row?.statusReason ?? null,
      ready,
      via: ready ? ('template' as const) : without,
      ...(row?.changingTo && { changingTo: row.changingTo }),
    };
  });

export const Readiness = z.object({
  phoneNumberId: z.string().describe("The provider's phone number id."),
  total: z.int().describe('Events in the catalog.'),
  ready: z.int().describe('Events with an approved template.'),
  health: Health,
  events: z.array(ReadinessEntry).describe('Every event of the catalog.'),
});

export const refresh = z
  .string()
  .optional()
  .describe('`true` first reads the approval status from the provider.');

/** What can be sent from a number, as `find` shows it; before that, the provider is read if wished. */
export const readReadiness = async (
  deps: ReadinessDeps,
  find: () => Promise<NumberRecord | undefined>,
  isRefreshed: boolean,
  context: Pick<KeyContext, 'requestId' | 'log' | 'now'>,
): Promise<z.output<typeof Readiness> | undefined> => {
  let number = await find();
  if (!number) return undefined;
  if (isRefreshed && number.accessToken) {
    await readProvider(deps, number, context);
    number = (await find()) ?? number;
  }
  const { lookups } = deps;
  const directSend = await readDirectSend(lookups, number.accountId, context.now);
  const bar = directSend.barOf(number);
  const rows = await lookups.allTemplates(number.wabaId);
  const events = eventsOf(number, rows, directSend.isOn && !bar);
  return {
    phoneNumberId: number.phoneNumberId,
    total: events.length,
    ready: events.filter(({ ready }) => ready).length,
    health: healthOf(number, bar),
    events,
  };
};

/** Contract 4.5. */
export const readinessRoute = (deps: ReadinessDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/notifications/events',
    access: 'key',
    scope: 'templates:read',
    summary: 'Show which events can be sent from a number',
    answer: 'All 18 events with their states, and what keeps the number from sending.',
    tags: ['Notifications'],
    request: {
      query: z.object({
        phoneNumberId: z
          .string()
          .optional()
          .describe("The account's oldest number with an access token by default."),
        refresh,
      }),
    },
    responses: { 200: Readiness },
    errors: ['number.unknown'],
    async handle({ query }, context) {
      const { phoneNumberId } = query;
      const find = () => findConfiguredNumber(deps.lookups, context.key.accountId, phoneNumberId);
      const found = await readReadiness(deps, find, query.refresh === 'true', context);
      if (!found) throw new AppError('number.unknown', missingNumberMessage(phoneNumberId));
      return found;
    },
  });

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
      return submitCatalog(deps.submissions, { accountId, ...body }, actingFor({ key, requestId }));
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
