import { z } from 'zod';
import type { Lookups } from '../../commands/core/lookups.ts';
import { providerFailed } from '../../commands/numbers/numbers.ts';
import { senderOf } from '../../commands/sending/outgoing.ts';
import type { Mirror, SeenTemplate } from '../../commands/templates/mirror.ts';
import type { Submissions } from '../../commands/templates/submission.ts';
import { isVisibleTo } from '../../commands/templates/template-owner.ts';
import { isProviderError } from '../../provider/provider.ts';
import { cursorOf, indexOf } from '../../provider/rules/cursors.ts';
import { providerStateOf } from '../../provider/rules/template-state.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { NewTemplate } from '../v1/templates.ts';
import {
  AddressHeaders,
  chosenFields,
  Fields,
  GATEWAY,
  mustFindBusiness,
  originOf,
  queryText,
} from './common.ts';
import { graphNumber } from './media.ts';

interface Deps {
  lookups: Pick<Lookups, 'numbers'>;
  mirror: Mirror;
  submissions: Submissions;
  secrets: Secrets;
}

const PAGE_SIZE = 25;
const PAGE_SIZE_MAX = 1000;
const IDS_MAX = 100;

const shownTemplate = ({ metaTemplateId, components, ...template }: SeenTemplate) => {
  const status = providerStateOf(template);
  return {
    id: metaTemplateId,
    name: template.name,
    language: template.language,
    status,
    category: template.category,
    components,
    rejected_reason: (status === 'REJECTED' && template.statusReason) || 'NONE',
  };
};

const DEFAULT_FIELDS = 'id,name,language,status,category,components';

/** The address of a page, without the token that a program may have put into its query. */
const addressOf = (path: string, query: Readonly<Fields>, after: string): string => {
  const next = new URLSearchParams();
  for (const name of Object.keys(query)) next.set(name, queryText(query, name) ?? '');
  next.delete('access_token');
  next.set('after', after);
  return `${path}?${next}`;
};

/** One page of the templates that the account may see, with the address of the next one. */
const pageOf = (all: readonly SeenTemplate[], query: Readonly<Fields>, path: string) => {
  const asked = (name: string) => queryText(query, name);
  const name = asked('name');
  const isAsked = (template: ReturnType<typeof shownTemplate>) =>
    (name === undefined || template.name.includes(name)) &&
    (['status', 'language', 'category'] as const).every(
      (field) => (asked(field) ?? template[field]) === template[field],
    );
  const limit = Math.min(PAGE_SIZE_MAX, Math.max(1, Number(asked('limit')) || PAGE_SIZE));
  const start = indexOf(asked('after'));
  const matching = all.map(shownTemplate).filter(isAsked);
  const data = matching
    .slice(start, start + limit)
    .map((template) => chosenFields(template, asked('fields') ?? DEFAULT_FIELDS));
  const end = start + data.length;
  const after = cursorOf(end);
  return {
    data,
    paging: {
      cursors: { before: cursorOf(start), after },
      ...(end < matching.length && { next: addressOf(path, query, after) }),
    },
  };
};

/** The draft in the provider's words. Its other fields are refused, so that none is lost unseen. */
const Draft = z.strictObject({
  ...NewTemplate.pick({ name: true, language: true, category: true, components: true }).shape,
  parameter_format: z
    .string()
    .transform((word) => word.toUpperCase())
    .pipe(z.enum(['NAMED', 'POSITIONAL']))
    .optional(),
  message_send_ttl_seconds: z.int().min(-1).max(2_592_000).optional(),
});

const idsIn = (query: Readonly<Fields>): readonly string[] => {
  const one = queryText(query, 'hsm_id');
  const list = queryText(query, 'hsm_ids');
  if (list === undefined) return one === undefined ? [] : [one];
  const ids = [...new Set(list.match(/\d+/g))];
  if (ids.length > 0 && ids.length <= IDS_MAX) return ids;
  throw new AppError('request.malformed', `hsm_ids must be a list of 1 to ${IDS_MAX} ids`);
};

const templateRoutes = (deps: Deps): readonly JsonRoute[] => [
  defineRoute({
    ...GATEWAY,
    method: 'GET',
    path: '/graph/:version/:id/message_templates',
    summary: 'List the templates of a business account that the account may see, live',
    request: { query: Fields, headers: AddressHeaders },
    responses: { 200: Fields },
    errors: ['number.unknown', 'provider.failed'],
    async handle({ params, query, headers }, { key: { accountId }, requestId }) {
      const { version, id } = params;
      const [number] = await mustFindBusiness(deps.lookups, accountId, id);
      const context = { requestId, accountId };
      const seen = await deps.mirror
        .refresh(senderOf(number, deps.secrets), context)
        .catch((error: unknown) => {
          if (isProviderError(error)) return providerFailed(error);
          throw error;
        });
      return pageOf(
        seen.filter((template) => isVisibleTo(accountId, template)),
        query,
        `${originOf(headers)}/api/graph/${version}/${id}/message_templates`,
      );
    },
  }),
  defineRoute({
    ...GATEWAY,
    method: 'POST',
    path: '/graph/:version/:id/message_templates',
    summary: 'Submit a template, as at the provider',
    request: { body: Draft },
    responses: { 200: Fields },
    free: true,
    errors: ['number.unknown', 'template.refused'],
    async handle({ params, body }, { key: { accountId }, requestId }) {
      const [number] = await mustFindBusiness(deps.lookups, accountId, params.id);
      const { parameter_format, message_send_ttl_seconds, ...draft } = body;
      const made = await deps.submissions.create(
        number,
        {
          ...draft,
          parameterFormat: parameter_format,
          messageSendTtlSeconds: message_send_ttl_seconds,
        },
        { requestId, accountId },
      );
      return { id: made.id, status: made.status, category: made.category };
    },
  }),
  defineRoute({
    ...GATEWAY,
    method: 'DELETE',
    path: '/graph/:version/:id/message_templates',
    summary: 'Remove templates of the account, as at the provider',
    request: { query: Fields },
    responses: { 200: Fields },
    free: true,
    errors: ['number.unknown', 'template.unknown', 'provider.failed'],
    async handle({ params, query }, { key: { accountId }, requestId }) {
      const [number] = await mustFindBusiness(deps.lookups, accountId, params.id);
      const name = queryText(query, 'name');
      const ids = idsIn(query);
      if (name === undefined && ids.length === 0) {
        throw new AppError('request.malformed', 'The parameter name is required');
      }
      await deps.submissions.remove(number, { name, ids }, { requestId, accountId });
      return { success: true };
    },
  }),
];

/** What the provider would show of the app: the service holds the subscription. */
const app = { id: '0', name: 'Waybill', link: 'https://www.facebook.com/games/?app_id=0' };

/** Templates, numbers and subscriptions of a business account. */
export const graphAccountRoutes = (deps: Deps): readonly JsonRoute[] => [
  ...templateRoutes(deps),
  defineRoute({
    ...GATEWAY,
    method: 'GET',
    path: '/graph/:version/:id/phone_numbers',
    summary: 'List the numbers of the account on a business account',
    request: { query: Fields },
    responses: { 200: Fields },
    errors: ['number.unknown'],
    async handle({ params, query }, { key }) {
      const numbers = await mustFindBusiness(deps.lookups, key.accountId, params.id);
      const fields = queryText(query, 'fields');
      return { data: numbers.map((number) => chosenFields(graphNumber(number), fields)) };
    },
  }),
  defineRoute({
    ...GATEWAY,
    method: 'GET',
    path: '/graph/:version/:id/subscribed_apps',
    summary: 'List the subscribed apps: the service’s own',
    responses: { 200: Fields },
    errors: ['number.unknown'],
    async handle({ params }, { key }) {
      const numbers = await mustFindBusiness(deps.lookups, key.accountId, params.id);
      const isOn = numbers.some(({ subscribed }) => subscribed !== false);
      return { data: isOn ? [{ whatsapp_business_api_data: app }] : [] };
    },
  }),
  defineRoute({
    ...GATEWAY,
    method: 'POST',
    path: '/graph/:version/:id/subscribed_apps',
    summary: 'Confirm the subscription, which the service holds',
    request: { body: Fields },
    responses: { 200: Fields },
    errors: ['number.unknown'],
    async handle({ params, body }, { key }) {
      await mustFindBusiness(deps.lookups, key.accountId, params.id);
      const unknown = Object.keys(body)[0];
      if (unknown !== undefined) {
        throw new AppError('request.malformed', `Unexpected key "${unknown.slice(0, 100)}"`, {
          hint: 'Webhooks are made with POST /v1/webhooks.',
        });
      }
      return { success: true };
    },
  }),
];
