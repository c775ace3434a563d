import { z } from 'zod';
import type { CommandContext } from '../../commands/core/decider.ts';
import type { Lookups, NumberRecord, TemplateRow } from '../../commands/core/lookups.ts';
import { findConfiguredNumber, senderOf } from '../../commands/sending/outgoing.ts';
import type { Mirror } from '../../commands/templates/mirror.ts';
import type { Submissions } from '../../commands/templates/submission.ts';
import { isVisibleTo } from '../../commands/templates/template-owner.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { type TemplateDocument, templateId, templates } from '../../projections/templates.ts';
import {
  type Provider,
  ProviderRefused,
  type ProviderTemplate,
  ProviderUnreachable,
  type TemplateDraft,
} from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { actingFor } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { type Past, pastQuery } from '../route/past.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { isOutOfReach } from './out-of-reach.ts';
import { changingTo, phoneNumberId, templateCategory } from './schemas.ts';

const COMPONENTS = "The provider's component objects.";

/** Contract 4.17. */
export const NewTemplate = z.object({
  phoneNumberId: phoneNumberId.describe('A number of the business account.'),
  name: z
    .string()
    .max(512)
    .regex(/^[a-z0-9_]+$/, 'must be lower-case letters, digits and underscores')
    .describe('Lower-case letters, digits and underscores.'),
  language: z.string().min(2).max(20).default('en_US').describe('Locale of the template.'),
  category: templateCategory,
  components: z.array(z.record(z.string(), z.unknown())).min(1).max(20).describe(COMPONENTS),
  parameterFormat: z
    .enum(['NAMED', 'POSITIONAL'])
    .optional()
    .describe('`NAMED` for placeholders such as `{{first_name}}`; `POSITIONAL` by default.'),
  messageSendTtlSeconds: z
    .int()
    .min(-1)
    .max(2_592_000)
    .optional()
    .describe(
      'After this time the provider drops an undelivered message; the limits depend on the category. -1 is 30 days.',
    ),
});

/** The texts of components that may have placeholders: headers, bodies, addresses of buttons. */
const textsOf = (value: unknown, key = ''): string[] => {
  if (typeof value === 'string') return key === 'text' || key === 'url' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, name));
};

/** Refuses a draft with named placeholders that are not declared: the provider would, in vague words. */
const checkPlaceholders = ({
  components,
  parameterFormat,
}: Pick<TemplateDraft, 'components' | 'parameterFormat'>): void => {
  if (parameterFormat === 'NAMED') return;
  const placeholders = textsOf(components).flatMap(
    (text) => text.match(/\{\{\s*\w+\s*\}\}/g) ?? [],
  );
  const named = placeholders.find((placeholder) => !/^\{\{\s*\d+\s*\}\}$/.test(placeholder));
  if (named === undefined) return;
  throw new AppError(
    'request.malformed',
    `The placeholder ${named.slice(0, 100)} has a name: set \`parameterFormat\` to \`NAMED\`, or write numbers, from {{1}} on`,
  );
};

/** Contract 2.3. The provider may know categories that we do not. */
const Template = z
  .object({
    id: z.string().nullable().describe("The provider's id; null for some local rows."),
    name: z.string().describe('Name of the template.'),
    language: z.string().describe('Locale of the template, such as `en_US`.'),
    category: z.string().describe('Category of the template, which decides the price.'),
    status: z.enum(['APPROVED', 'PENDING', 'REJECTED']).describe('Only `APPROVED` can be sent.'),
    changingTo,
  })
  .meta({ id: 'Template' });

const ListQuery = z.object({
  // Optional here, because its absence has a fixed text of the contract.
  phoneNumberId: z
    .string()
    .optional()
    .meta({ description: 'A number of the business account.', mustBeGiven: true }),
});
const ReadQuery = z.object({
  phoneNumberId: z.string().optional().describe('The reading number; the newest by default.'),
  ...pastQuery,
});
interface TemplateDeps {
  lookups: Pick<Lookups, 'numbers' | 'templates' | 'allTemplates'>;
  mirror: Mirror;
  provider: Provider;
  submissions: Submissions;
  secrets: Secrets;
  past: Past;
}

/** A template of the provider, or its row in the local mirror. */
type Row = Pick<ProviderTemplate, 'name' | 'language' | 'category' | 'status' | 'metaTemplateId'> &
  Pick<TemplateRow, 'changingTo'>;

const present = ({ metaTemplateId, name, language, category, status, changingTo: next }: Row) => ({
  id: metaTemplateId === '' ? null : metaTemplateId,
  name,
  language,
  category,
  status,
  ...(next && { changingTo: next }),
});

const mustFind = async (
  { lookups }: TemplateDeps,
  accountId: string,
  phoneNumberId: string,
): Promise<NumberRecord> => {
  const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
  if (!number) throw new AppError('number.unknown', 'Phone number not found or not configured');
  return number;
};

const listRoute = (deps: TemplateDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/templates',
    access: 'key',
    scope: 'templates:read',
    summary: 'List the templates of a number, live; from the local mirror when out of reach',
    description:
      'The templates of the catalog, your own, and those from the provider’s console. The list hides templates that another account of the same business account submitted.',
    tags: ['Templates'],
    request: { query: ListQuery },
    responses: { 200: z.array(Template) },
    errors: ['number.unknown'],
    async handle({ query: { phoneNumberId } }, { key, requestId, log }) {
      const { accountId } = key;
      if (!phoneNumberId) {
        throw new AppError('request.malformed', '`phoneNumberId` query param is required');
      }
      const number = await mustFind(deps, accountId, phoneNumberId);
      const { lookups, mirror, secrets } = deps;
      const isOwn = (one: { accountId: string | null }) => isVisibleTo(accountId, one);
      try {
        const seen = await mirror.refresh(senderOf(number, secrets), actingFor({ key, requestId }));
        return seen.filter(isOwn).map(present);
      } catch (err) {
        if (!isOutOfReach(err)) throw err;
        log().warn({ err }, 'Templates could not be read and kept: answering from the mirror');
        return (await lookups.allTemplates(number.wabaId)).filter(isOwn).map(present);
      }
    },
  });

/** The named number or, unlike for a send, the newest configured one. */
const findResolver = async (
  { lookups }: TemplateDeps,
  accountId: string,
  phoneNumberId: string | undefined,
): Promise<NumberRecord> => {
  const configured = (await lookups.numbers(accountId)).filter((one) => one.accessToken);
  const number =
    phoneNumberId === undefined
      ? configured.at(-1)
      : configured.find((one) => one.phoneNumberId === phoneNumberId);
  if (!number) throw new AppError('number.unknown', 'No configured phone number');
  return number;
};

/** The template's owner from the log, or from the local mirror while the log is unavailable. */
const ownerOf = async (
  { lookups, mirror }: TemplateDeps,
  wabaId: string,
  seen: ProviderTemplate,
  context: CommandContext,
  log: Logger,
) => {
  try {
    return await mirror.note(wabaId, seen, context);
  } catch (err) {
    if (!(err instanceof StoreUnavailable)) throw err;
    const rows = await lookups.templates(wabaId, seen.name);
    const known = rows.find(({ metaTemplateId }) => metaTemplateId === seen.metaTemplateId);
    if (!known) throw err;
    log.warn({ err }, 'A template was read and could not be kept');
    return known;
  }
};

/** A template of the mirror as it was at a time. */
const readPast = async (
  { lookups, past }: TemplateDeps,
  wabaId: string,
  metaTemplateId: string,
  at: { asOf: string; signal: AbortSignal },
): Promise<TemplateDocument | undefined> => {
  const rows = await lookups.allTemplates(wabaId);
  const row = rows.find((one) => one.metaTemplateId === metaTemplateId);
  return row && past.get(templates, templateId(row), at);
};

const readRoute = (deps: TemplateDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/templates/:id',
    access: 'key',
    scope: 'templates:read',
    summary: 'Read one template with its components, live',
    description:
      'With `asOf` from the local mirror. Its components are those of the submission or of the first read, and none where a notice came before both.',
    tags: ['Templates'],
    request: { query: ReadQuery },
    responses: { 200: Template.extend({ components: z.array(z.unknown()).describe(COMPONENTS) }) },
    errors: ['number.unknown', 'template.unknown', 'provider.failed', 'resource.conflict'],
    async handle({ params, query }, { key, requestId, log, signal }) {
      const { accountId } = key;
      const number = await findResolver(deps, accountId, query.phoneNumberId);
      const { asOf } = query;
      if (asOf !== undefined) {
        const at = { asOf, signal: signal() };
        const row = await readPast(deps, number.wabaId, params.id, at);
        if (row && isVisibleTo(accountId, row)) {
          return { ...present(row), components: [...row.components] };
        }
        throw new AppError('template.unknown', 'Template not found');
      }
      const sender = senderOf(number, deps.secrets);
      const seen = await deps.provider.readTemplate(sender, params.id).catch((cause: unknown) => {
        if (cause instanceof ProviderRefused) return undefined;
        if (!(cause instanceof ProviderUnreachable)) throw cause;
        throw new AppError('provider.failed', 'The provider could not be reached', { cause });
      });
      const context = actingFor({ key, requestId });
      const owner = seen && (await ownerOf(deps, number.wabaId, seen, context, log()));
      if (!owner || !isVisibleTo(accountId, owner)) {
        throw new AppError('template.unknown', 'Template not found');
      }
      return { ...present({ ...owner, ...seen }), components: seen.components };
    },
  });

const createRoute = (deps: TemplateDeps) =>
  defineRoute({
    method: 'POST',
    path: '/v1/templates',
    access: 'key',
    scope: 'templates:write',
    summary: 'Submit a template of your own for approval',
    answer: 'Submitted. `category` is the one that the provider assigned, maybe another.',
    tags: ['Templates'],
    request: { body: NewTemplate },
    responses: { 201: Template.extend({ id: z.string().describe("The provider's id.") }) },
    free: true,
    errors: ['number.unknown', 'template.refused'],
    async handle({ body }, { key, requestId }) {
      const { accountId } = key;
      const { phoneNumberId, ...draft } = body;
      checkPlaceholders(draft);
      const number = await mustFind(deps, accountId, phoneNumberId);
      const made = await deps.submissions.create(number, draft, actingFor({ key, requestId }));
      return reply(201, { ...made, name: draft.name, language: draft.language });
    },
  });

export const templateRoutes = (deps: TemplateDeps): readonly JsonRoute[] => [
  listRoute(deps),
  readRoute(deps),
  createRoute(deps),
];
