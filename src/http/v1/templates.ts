import { z } from 'zod';
import type { CommandContext } from '../../commands/core/decider.ts';
import type { Lookups, NumberRecord } from '../../commands/core/lookups.ts';
import { findConfiguredNumber, senderOf } from '../../commands/sending/senders.ts';
import type { Mirror } from '../../commands/templates/mirror.ts';
import type { Submissions } from '../../commands/templates/submission.ts';
import { isVisibleTo } from '../../commands/templates/template-owner.ts';
import { StoreUnavailable } from '../../events/store.ts';
import {
  type Provider,
  ProviderRefused,
  type ProviderTemplate,
  ProviderUnreachable,
} from '../../provider/provider.ts';
import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { phoneNumberId as phoneNumberIdSchema, TemplateCategory } from './schemas.ts';

/** Contract 2.3. The provider may know categories that we do not. */
const Template = z.object({
  id: z.string().nullable(),
  name: z.string(),
  language: z.string(),
  category: z.string(),
  status: z.enum(['APPROVED', 'PENDING', 'REJECTED']),
});

interface TemplateDeps {
  lookups: Pick<Lookups, 'numbers' | 'templates' | 'allTemplates'>;
  mirror: Mirror;
  provider: Provider;
  submissions: Submissions;
  secrets: Secrets;
}

type Row = {
  name: string;
  language: string;
  category: string;
  status: 'APPROVED' | 'PENDING' | 'REJECTED';
};

const present = (row: Row & { metaTemplateId: string }) => ({
  id: row.metaTemplateId === '' ? null : row.metaTemplateId,
  name: row.name,
  language: row.language,
  category: row.category,
  status: row.status,
});

const NOT_CONFIGURED = 'Phone number not found or not configured';

/** The provider cannot be read, or the log cannot be written. */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof ProviderUnreachable ||
  error instanceof ProviderRefused ||
  error instanceof StoreUnavailable;

export const templateRoutes = (deps: TemplateDeps): readonly JsonRoute[] => {
  const { lookups, mirror, provider, submissions, secrets } = deps;

  const mustFind = async (accountId: string, phoneNumberId: string): Promise<NumberRecord> => {
    const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
    if (!number) throw new AppError('number.unknown', NOT_CONFIGURED);
    return number;
  };

  /** The named number or, unlike for a send, the newest configured one. */
  const resolver = async (accountId: string, phoneNumberId: string | undefined) => {
    const configured = (await lookups.numbers(accountId)).filter((one) => one.accessToken);
    return phoneNumberId === undefined
      ? configured.at(-1)
      : configured.find((one) => one.phoneNumberId === phoneNumberId);
  };

  /** The template's owner from the log, or from the local mirror while the log is unavailable. */
  const ownerOf = async (
    wabaId: string,
    seen: ProviderTemplate,
    context: CommandContext,
    log: Logger,
  ) => {
    try {
      return await mirror.note(wabaId, seen, context);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const rows = await lookups.templates(wabaId, seen.name);
      const known = rows.find(({ metaTemplateId }) => metaTemplateId === seen.metaTemplateId);
      if (!known) throw error;
      log.warn({ err: error }, 'A template was read and could not be kept');
      return known;
    }
  };

  return [
    defineRoute({
      method: 'GET',
      path: '/v1/templates',
      access: 'key',
      scope: 'templates:read',
      summary: 'List the templates of a number, live; from the local mirror when out of reach',
      description:
        'The catalog’s templates, your own, and those that were made in the provider’s console. What another account at the same business account submitted is not shown.',
      tags: ['Templates'],
      request: { query: z.object({ phoneNumberId: z.string().optional() }) },
      responses: { 200: z.array(Template) },
      errors: ['number.unknown'],
      async handle({ query: { phoneNumberId } }, { key: { accountId }, requestId, log }) {
        if (!phoneNumberId) {
          throw new AppError('request.malformed', '`phoneNumberId` query param is required');
        }
        const number = await mustFind(accountId, phoneNumberId);
        const isOwn = (one: { accountId: string | null }) => isVisibleTo(accountId, one);
        try {
          const seen = await mirror.refresh(senderOf(number, secrets), { requestId, accountId });
          return seen.filter(isOwn).map(present);
        } catch (error) {
          if (!isOutOfReach(error)) throw error;
          log.warn(
            { err: error },
            'Templates could not be read and kept: answering from the mirror',
          );
          return (await lookups.allTemplates(number.wabaId)).filter(isOwn).map(present);
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/templates/:id',
      access: 'key',
      scope: 'templates:read',
      summary: 'Read one template with its components, live',
      tags: ['Templates'],
      request: { query: z.object({ phoneNumberId: z.string().optional() }) },
      responses: { 200: Template.extend({ components: z.array(z.unknown()) }) },
      errors: ['number.unknown', 'template.unknown', 'provider.failed'],
      async handle({ params, query }, { key: { accountId }, requestId, log }) {
        const number = await resolver(accountId, query.phoneNumberId);
        if (!number) throw new AppError('number.unknown', 'No configured phone number');
        const sender = senderOf(number, secrets);
        const seen = await provider.readTemplate(sender, params.id).catch((error: unknown) => {
          if (error instanceof ProviderRefused) return undefined;
          if (!(error instanceof ProviderUnreachable)) throw error;
          throw new AppError('provider.failed', 'The provider could not be reached', {
            cause: error,
          });
        });
        const context = { requestId, accountId };
        const owner = seen && (await ownerOf(number.wabaId, seen, context, log));
        if (!owner || !isVisibleTo(accountId, owner)) {
          throw new AppError('template.unknown', 'Template not found');
        }
        return { ...present(seen), components: seen.components };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/templates',
      access: 'key',
      scope: 'templates:write',
      summary: 'Submit a template of your own for approval',
      tags: ['Templates'],
      request: {
        body: z.object({
          phoneNumberId: phoneNumberIdSchema,
          name: z
            .string()
            .max(512)
            .regex(/^[a-z0-9_]+$/, 'must be lower-case letters, digits and underscores'),
          language: z.string().min(2).max(20).default('en_US'),
          category: TemplateCategory,
          components: z.array(z.record(z.string(), z.unknown())).min(1).max(20),
        }),
      },
      responses: { 201: Template.extend({ id: z.string() }) },
      free: true,
      errors: ['number.unknown', 'template.refused'],
      async handle({ body }, { key: { accountId }, requestId }) {
        const { phoneNumberId, ...draft } = body;
        const number = await mustFind(accountId, phoneNumberId);
        const made = await submissions.create(number, draft, { requestId, accountId });
        return reply(201, { ...made, name: draft.name, language: draft.language });
      },
    }),
  ];
};
