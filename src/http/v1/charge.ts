import { z } from 'zod';
import { refundWordOf } from '../../events/account.ts';
import { Category } from '../../events/category.ts';
import { locateCharge } from '../../events/charge-form.ts';
import { type ReservedCharge, readCharge } from '../../events/completed.ts';
import { numberIn } from '../../events/contact.ts';
import type { EventReader } from '../../events/store.ts';
import { contacts } from '../../projections/contacts.ts';
import { messages } from '../../projections/messages.ts';
import { refunds } from '../../projections/refunds.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute } from '../route/route.ts';
import { LedgerEntry } from './billing-schemas.ts';
import { Message, presentMessages } from './message-record.ts';
import { iso } from './schemas.ts';

const Refund = z.object({
  cause: LedgerEntry.shape.cause.unwrap().describe('Why it was given back.'),
  at: iso.describe('Time of the refund, ISO 8601.'),
});

export const Charge = z
  .object({
    id: z.string().describe('Id of the charge.'),
    state: z
      .enum(['open', 'kept', 'refunded'])
      .describe('`open` until its message is recorded or it is given back.'),
    at: iso.describe('Time of the reservation, ISO 8601.'),
    reason: z.string().describe('Event key, `template:<name>` or `bot:<id>`.'),
    recipient: z.string().nullable().describe('The recipient, digits only; null once erased.'),
    phoneNumberId: z.string().nullable().describe("The provider's phone number id."),
    amount: z.string().describe('What it took, in credits or as a decimal string of money.'),
    unit: z.string().describe('`credits`, or the currency of the wallet.'),
    price: z
      .object({
        category: Category.describe('Category of the price.'),
        market: z.string().describe('Market of the recipient on the rate card.'),
        countryCode: z.string().describe('Country of the recipient, ISO 3166.'),
        sellPrice: z.string().describe('Price of the message, a decimal string.'),
        currency: z.string().describe('ISO 4217 code of the price.'),
        planId: z.string().describe('Plan under which it was priced.'),
        planVersion: z.int().describe('Version of the plan.'),
      })
      .describe('How the price was made.'),
    refund: Refund.nullable().describe('Null unless it was given back.'),
    message: Message.nullable().describe('The message that it paid; null where none is recorded.'),
    requestId: z.string().describe('The `X-Request-Id` of the request that sent it.'),
    position: z.string().describe('Position of the reservation in the log: opaque.'),
    sequence: z.int().describe("Its place in the account's chain, from 1."),
    hash: z.string().describe('Hash of this movement and all before it.'),
  })
  .meta({ id: 'Charge' });

const unknown = () => new AppError('resource.unknown', 'Charge not found');

const presentPrice = ({ data: { price } }: ReservedCharge) => ({
  category: price.category,
  market: price.market,
  countryCode: price.countryCode,
  sellPrice: formatMicros(price.sellPrice),
  currency: price.currency,
  planId: price.planId,
  planVersion: price.planVersion,
});

/** A charge with everything that became of it. Throws for a charge of another account. */
const chargeStory = async (
  store: Pick<EventReader, 'read'>,
  models: ReadModels,
  chargeId: string,
  ownerId?: string,
): Promise<z.input<typeof Charge> & { accountId: string }> => {
  const accountId = locateCharge(chargeId)?.accountId;
  if (accountId === undefined || (ownerId ?? accountId) !== accountId) throw unknown();
  const event = await readCharge(store, { accountId, chargeId });
  if (!event) throw unknown();
  const [refund, rows] = await Promise.all([
    models.get(refunds, chargeId),
    models.find(messages, {
      where: { accountId, chargeId },
      order: { field: 'order', direction: 'descending' },
      limit: 1,
    }),
  ]);
  const [message] = await presentMessages({ models, store }, rows);
  const given = refund?.of === 'charge' ? refund : undefined;
  const { data, meta, position } = event;
  const { price } = data;
  const isCredits = price.billing === 'credits';
  const to = data.said?.to ?? null;
  return {
    id: chargeId,
    accountId,
    state: given ? 'refunded' : message ? 'kept' : 'open',
    at: data.at,
    reason: data.reason,
    recipient: to === null ? null : numberIn(to),
    phoneNumberId: data.outline.phoneNumberId,
    amount: isCredits ? String(-data.amount) : formatMicros(-data.amount),
    unit: isCredits ? 'credits' : price.currency,
    price: presentPrice(event),
    refund: given ? { cause: refundWordOf(given.cause), at: given.refundedAt } : null,
    message: message?.shown ?? null,
    requestId: meta.requestId,
    position,
    sequence: data.sequence,
    hash: data.hash,
  };
};

const common = {
  method: 'GET',
  summary: 'Read a charge: its price, its message, and why it was given back',
  description:
    'By the id that a message, a row of the ledger and a seal have. A refused send has a charge too, and no message.',
  errors: ['resource.unknown'],
  reads: [refunds, messages, contacts],
} as const;

/** What one send cost, and what became of it, also where nothing was sent. */
export const chargeRoute = ({ store }: { store: Pick<EventReader, 'read'> }) =>
  defineRoute({
    ...common,
    path: '/v1/charges/:id',
    access: 'key',
    scope: 'messages:read',
    tags: ['Billing'],
    responses: { 200: Charge },
    async handle({ params }, { key, models }) {
      const { accountId: _, ...shown } = await chargeStory(store, models, params.id, key.accountId);
      return shown;
    },
  });

/** The same for any account. */
export const anyChargeRoute = ({ store }: { store: Pick<EventReader, 'read'> }) =>
  defineRoute({
    ...common,
    path: '/admin/v1/charges/:id',
    access: 'administrator',
    tags: ['Money'],
    responses: {
      200: Charge.extend({ accountId: z.string().describe('Id of the owning account.') }).meta({
        id: 'AccountCharge',
      }),
    },
    handle: ({ params }, { models }) => chargeStory(store, models, params.id),
  });
