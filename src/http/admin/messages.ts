import { z } from 'zod';
import type { Lookups } from '../../commands/core/lookups.ts';
import { type ProviderCost, providerCostOf } from '../../commands/pricing/rate-card.ts';
import type { Privacy } from '../../commands/privacy/privacy.ts';
import { locateCharge } from '../../events/charge-form.ts';
import { chargeOf } from '../../events/completed.ts';
import type { KnownEvent } from '../../events/index.ts';
import { pricingsOf } from '../../events/message.ts';
import type { EventReader } from '../../events/store.ts';
import { accounts } from '../../projections/accounts.ts';
import { contacts } from '../../projections/contacts.ts';
import { messages } from '../../projections/messages.ts';
import { refunds } from '../../projections/refunds.ts';
import type { Query } from '../../projections/views.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import { NAMES_MAX, newestAccounts } from '../console/finders.ts';
import {
  given,
  moment,
  pageOf,
  pageQuery,
  readPages,
  SHORT_PAGES,
  timeRange,
  under,
} from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { type ContactRefs, whereInAny } from '../v1/contact-filter.ts';
import { findAnywhere, type MessageSearch, readTimeline, timelineOf } from '../v1/message.ts';
import { Message, presentMessages, withinReach } from '../v1/message-record.ts';
import { direction, Timeline } from '../v1/schemas.ts';
import { ADMINISTRATION } from './context.ts';

interface MessageDeps {
  store: EventReader;
  lookups: Pick<Lookups, 'rateCards'>;
  subjects: ContactRefs;
  privacy: Pick<Privacy, 'findSubjects'>;
  secrets: MessageSearch['secrets'];
}

type Where = Query['where'];

const Found = Message.extend({
  accountId: z.string().describe('Id of the owning account.'),
}).meta({ id: 'FoundMessage' });

const Cost = z
  .object({
    amount: z
      .string()
      .nullable()
      .describe('A decimal string; null for a free message that was sent before it was recorded.'),
    currency: z.string().describe('ISO 4217 code of the amount.'),
    basis: z
      .enum(['rate_card', 'status'])
      .describe('`rate_card` until a status says how the provider bills the message.'),
    pricingType: z
      .string()
      .nullable()
      .describe("The provider's word, such as `regular` or `free_customer_service`."),
  })
  .meta({ id: 'ProviderCost' });

const query = z.object({
  ...pageQuery,
  accountId: z.string().max(100).optional().describe('Messages of this account; absent: of all.'),
  contact: z.string().max(200).optional().describe('Messages with this customer.'),
  messageId: z.string().max(300).optional().describe("The message with the provider's id."),
  chargeId: z.string().max(100).optional().describe('The message that this charge paid.'),
  clientReference: z.string().max(128).optional().describe('Messages with this reference.'),
  direction: direction.optional().describe('Messages of this direction.'),
  since: moment.optional().describe('From this time on, ISO 8601.'),
  until: moment.optional().describe('Before this time, ISO 8601.'),
});

type Asked = z.output<typeof query>;

/** The conditions of the messages that are asked for. */
const wheresOf = async (
  deps: MessageDeps,
  models: ReadModels,
  { chargeId, contact, clientReference, direction, since, until, ...asked }: Asked,
): Promise<readonly Where[]> => {
  const accountId = asked.accountId ?? (chargeId && locateCharge(chargeId)?.accountId);
  const createdAt = timeRange(since, until);
  const where = given({ chargeId, clientReference, direction, createdAt });
  if (accountId === undefined && chargeId !== undefined) return [];
  if ((accountId ?? contact) !== undefined) {
    return whereInAny({ ...deps, models }, { accountId, contact }, where);
  }
  if (clientReference !== undefined) {
    return [{ ...where, accountId: { in: await newestAccounts(models, NAMES_MAX) } }];
  }
  return [where];
};

const find = async (deps: MessageDeps, models: ReadModels, asked: Asked) => {
  const { messageId } = asked;
  if (messageId !== undefined) {
    const { secrets } = deps;
    return { rows: await findAnywhere({ models, secrets }, messageId), nextCursor: null };
  }
  const wheres = await wheresOf(deps, models, asked);
  return readPages(models, ADMINISTRATION, asked, under(messages, wheres));
};

const common = {
  method: 'GET',
  access: 'administrator',
  tags: ['Operations'],
  reads: [messages, refunds, contacts],
} as const;

const listRoute = (deps: MessageDeps) =>
  defineRoute({
    ...common,
    path: '/admin/v1/messages',
    summary: 'Find messages of any account, newest first',
    description: `Of one account, or of all. Without an account, \`clientReference\` is looked for in the 1,000 newest. ${SHORT_PAGES}`,
    reads: [...common.reads, accounts],
    request: { query },
    responses: { 200: pageOf('messages', Found) },
    errors: [],
    async handle({ query: asked }, { models }) {
      const { rows, nextCursor } = await find(deps, models, asked);
      const found = await presentMessages({ models, store: withinReach(deps.store) }, rows);
      const shown = found
        .map(({ accountId, shown: message }) => ({ ...message, accountId }))
        .filter(
          ({ accountId, chargeId }) =>
            (asked.accountId ?? accountId) === accountId &&
            (asked.chargeId ?? chargeId) === chargeId,
        );
      return { messages: shown, nextCursor };
    },
  });

/** The cost of a message that the account sent; null for one of a customer. */
const costOf = (events: readonly KnownEvent[], cards: Parameters<typeof providerCostOf>[2]) => {
  const sent = events.find((event) => event.type === 'MessageSent');
  if (!sent) return null;
  const told = events.flatMap((event) => (event.type === 'StatusUpdated' ? [event.data] : []));
  const pricings = pricingsOf(told);
  const statuses = told.map(({ status }, index) => ({ status, pricing: pricings[index] ?? null }));
  const { price } = chargeOf(sent).data;
  const { amount, ...rest }: ProviderCost = providerCostOf(price, statuses, cards);
  return {
    ...rest,
    amount: amount === null ? null : formatMicros(amount),
    currency: price.currency,
  };
};

const readRoute = ({ store, lookups, secrets }: MessageDeps) =>
  defineRoute({
    ...common,
    path: '/admin/v1/messages/:id',
    names: true,
    summary: 'Read a message of any account, with every event of it',
    description:
      "By the provider's id of the message. Shows the account that it belongs to, and what the provider takes for it.",
    responses: {
      200: Found.extend({
        providerCost: Cost.nullable().describe('Its provider cost; null for a received message.'),
        timeline: Timeline,
      }),
    },
    errors: ['message.unknown'],
    async handle({ params }, { models }) {
      const [message] = await findAnywhere({ models, secrets }, params.id);
      if (!message) throw models.notFound(new AppError('message.unknown', 'Message not found'));
      const [one] = await presentMessages({ models, store }, [message]);
      const events = await readTimeline(store, models, message);
      const providerCost = costOf(events, await lookups.rateCards());
      const timeline = timelineOf(events, message);
      return { ...one!.shown, accountId: message.accountId, providerCost, timeline };
    },
  });

/** Messages of any account, for operators (administration API 5). */
export const messageRoutes = (deps: MessageDeps): readonly JsonRoute[] => [
  listRoute(deps),
  readRoute(deps),
];
