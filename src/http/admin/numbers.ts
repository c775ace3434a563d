import { z } from 'zod';
import type { Lookups, NumberRecord } from '../../commands/core/lookups.ts';
import type { Numbers } from '../../commands/numbers/numbers.ts';
import type { Submissions } from '../../commands/templates/submission.ts';
import { numbers } from '../../projections/numbers.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pastQuery } from '../route/past.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import {
  Readiness,
  type ReadinessDeps,
  readReadiness,
  refresh,
  submission,
  submissionFields,
  submitCatalog,
} from '../v1/catalog.ts';
import { messagingAccountId, messagingLimit, success } from '../v1/schemas.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

const NumberShape = z
  .object({
    phoneNumberId: z.string().describe("The provider's phone number id."),
    wabaId: z.string().describe("The provider's id of the business account."),
    accountId: z.string().describe('Id of the owning account.'),
    displayPhoneNumber: z.string().describe('The telephone number in display form.'),
    verifiedName: z.string().describe('The display name that the provider approved.'),
    qualityRating: z.string().nullable().describe('The provider throttles a number at `RED`.'),
    hasAccessToken: z.boolean().describe('Only a number with a token can send.'),
    registered: z.boolean().nullable().describe('Registration at the provider; null if unknown.'),
    subscribed: z
      .boolean()
      .nullable()
      .describe(
        'Whether the app of the token receives notifications of the business account. Without them no status and no message arrives. Null if unknown.',
      ),
    subscriptionProblem: z
      .string()
      .nullable()
      .describe("The provider's words, where it refused the subscription."),
    messagesPerSecond: z.int().describe('Further sends wait; 80 by default.'),
    messagingLimit,
    messagingAccountId,
    webhookUrl: z.string().nullable().describe('URL that receives inbound messages, or null.'),
    linkedAt: z.iso.datetime().describe('Time of the link, ISO 8601.'),
  })
  .meta({ id: 'Number' });

/** Shows whether a token exists, never the token. */
const presentNumber = (number: NumberRecord) =>
  pick(NumberShape, { ...number, hasAccessToken: number.accessToken !== null });

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

interface Deps {
  numbers: Numbers;
  lookups: Pick<Lookups, 'account' | 'number'>;
}

const show = async (models: ReadModels, phoneNumberId: string) => {
  const number = await models.get(numbers, phoneNumberId);
  if (number?.linked) return presentNumber(number);
  throw models.notFound(new AppError('number.unknown', 'Phone number not found'));
};

const common = { access: 'administrator', tags: ['Numbers'], reads: [numbers] } as const;

/** An id of the provider: digits so far, but the format is the provider's. */
const providerId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[0-9A-Za-z_-]+$/, 'must be an id of the provider');
const TOKEN = 'Token for calls to the provider; stored encrypted.';
const accessToken = z
  .string()
  .min(1)
  .max(2000)
  .regex(/^[!-~]+$/, 'must be one word of ASCII')
  .describe(TOKEN);

const pin = z
  .string()
  .regex(/^\d{6}$/, 'must be 6 digits')
  .describe('PIN of the two-step verification.');

const linkRoute = ({ numbers: commands }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/accounts/:id/numbers',
    summary: 'Link a number; with a token the provider is asked what it is',
    description:
      'With a token the service reads the number from the provider, whose fields replace the given ones. While the provider is out of reach the given ones stay. The service also subscribes the app of the token to the business account; `subscribed` shows the result.',
    request: {
      body: z.object({
        phoneNumberId: providerId.describe("The provider's phone number id."),
        wabaId: providerId.describe("The provider's id of the business account."),
        accessToken: accessToken.optional(),
        displayPhoneNumber: z.string().max(50).optional().describe('The number in display form.'),
        verifiedName: z.string().max(200).optional().describe('The approved display name.'),
        messagesPerSecond: z.int().min(1).max(10_000).optional().describe('80 by default.'),
        messagingAccountId: providerId
          .optional()
          .describe('The messaging account that pays, which every send then carries.'),
      }),
    },
    responses: { 201: NumberShape },
    errors: ['resource.unknown', 'number.linked', 'number.unknown'],
    async handle({ params, body }, context) {
      await commands.link({ ...body, accountId: params.id }, actingOn(context));
      return reply(201, await show(await context.upToDate(), body.phoneNumberId));
    },
  });

const listRoute = ({ lookups }: Deps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/accounts/:id/numbers',
    summary: 'List the numbers of an account, newest first',
    description: 'Shows every linked number.',
    request: { query: z.object(pageQuery) },
    responses: { 200: pageOf('numbers', NumberShape) },
    errors: ['resource.unknown'],
    async handle({ params, query }, { models }) {
      if (!(await lookups.account(params.id))) {
        throw new AppError('resource.unknown', 'Account not found');
      }
      const where = { accountId: params.id, linked: true };
      const { rows, nextCursor } = await readPage(models, ADMINISTRATION, numbers, query, where);
      return { numbers: rows.map(presentNumber), nextCursor };
    },
  });

const readRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/numbers/:phoneNumberId',
  summary: 'Read one number',
  description: 'Never shows the token.',
  request: { query: z.object(pastQuery) },
  responses: { 200: NumberShape },
  errors: ['number.unknown', 'resource.conflict'],
  handle: ({ params }, { models }) => show(models, params.phoneNumberId),
});

const tokenRoute = ({ numbers: commands }: Deps) =>
  defineRoute({
    ...common,
    method: 'PUT',
    path: '/admin/v1/numbers/:phoneNumberId/access-token',
    summary: 'Set the access token of a number, or take it away with null',
    description:
      'After null the number is no longer configured. A new token subscribes its app to the business account.',
    request: { body: z.object({ accessToken: accessToken.nullable().describe(TOKEN) }) },
    responses: { 200: NumberShape },
    errors: ['number.unknown'],
    async handle({ params, body }, context) {
      await commands.setToken(params.phoneNumberId, body.accessToken, actingOn(context));
      return show(await context.upToDate(), params.phoneNumberId);
    },
  });

const registerRoute = ({ numbers: commands }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/numbers/:phoneNumberId/register',
    summary: 'Register a number for the hosted interface with its two-step PIN',
    description:
      'The provider refuses sends from an unregistered number with 133010. The service does not store the PIN.',
    request: { body: z.object({ pin }) },
    responses: { 200: NumberShape },
    errors: ['number.unknown', 'number.no_token', 'provider.failed'],
    async handle({ params, body }, context) {
      await commands.register(params.phoneNumberId, body.pin, actingOn(context));
      return show(await context.upToDate(), params.phoneNumberId);
    },
  });

const refreshRoute = ({ numbers: commands }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/numbers/:phoneNumberId/refresh',
    summary: 'Read a number from the provider again',
    description:
      "Reads name, rating and registration, and subscribes the app of the token where it is not. The provider's notices do the same.",
    responses: { 200: NumberShape },
    errors: ['number.unknown', 'number.no_token', 'provider.failed'],
    async handle({ params }, context) {
      await commands.refresh(params.phoneNumberId, actingOn(context));
      return show(await context.upToDate(), params.phoneNumberId);
    },
  });

const unlinkRoute = ({ numbers: commands }: Deps) =>
  defineRoute({
    method: 'DELETE',
    path: '/admin/v1/numbers/:phoneNumberId',
    access: 'administrator',
    summary: 'Unlink a number; its history stays',
    description:
      'The account keeps its messages and conversations. Runs of its bots at this number end. Another account that links the number starts from nothing.',
    tags: ['Numbers'],
    responses: { 200: z.object({ success }) },
    errors: ['number.unknown'],
    async handle({ params }, context) {
      await commands.unlink(params.phoneNumberId, actingOn(context));
      return { success: true as const };
    },
  });

export const numberRoutes = (deps: Deps): readonly JsonRoute[] => [
  linkRoute(deps),
  listRoute(deps),
  readRoute,
  tokenRoute(deps),
  registerRoute(deps),
  refreshRoute(deps),
  unlinkRoute(deps),
];
