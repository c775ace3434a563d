import { z } from 'zod';
import type { Privacy } from '../../commands/privacy/privacy.ts';
import { supportedEvents } from '../../commands/sending/catalog.ts';
import { unsentStates } from '../../events/account.ts';
import { Category } from '../../events/category.ts';
import { type ReservedCharge, readCharge } from '../../events/completed.ts';
import { idsOf } from '../../events/contact.ts';
import type { EventReader } from '../../events/store.ts';
import { accounts } from '../../projections/accounts.ts';
import { contacts } from '../../projections/contacts.ts';
import type { Projection } from '../../projections/define.ts';
import type { MessageDocument, ParkedStatus } from '../../projections/message-document.ts';
import { messages } from '../../projections/messages.ts';
import { type RefundDocument, refunds } from '../../projections/refunds.ts';
import { refusals } from '../../projections/refusals.ts';
import { type ReservationDocument, reservations } from '../../projections/reservations.ts';
import type { Query as ViewQuery } from '../../projections/views.ts';
import { isoTime } from '../../shared/clock.ts';
import { formatMicros, inUnit } from '../../shared/decimal.ts';
import { ADMINISTRATION } from '../admin/context.ts';
import { findRequest } from '../console/find-requests.ts';
import { newestAccounts } from '../console/finders.ts';
import { adviceOnFailure } from '../edge/respond.ts';
import {
  encodeCursor,
  given,
  moment,
  pageOf,
  pageQuery,
  readPage,
  readPages,
  SHORT_PAGES,
  type Source,
  timeRange,
  under,
} from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { messagesOf } from './charged-messages.ts';
import { type ContactRefs, whereInAny } from './contact-filter.ts';
import { refundsOfCharges, withContacts } from './message-record.ts';
import { contactUserId, iso } from './schemas.ts';

// Attempts to send: every reservation of a charge, with what became of it. A message shows those that
// went out, a reservation without a message of the others; the charge in the log shows what was asked for.

const states = ['pending', 'accepted', ...unsentStates] as const;

const unitAmount = z.union([z.int(), z.string()]);

const Failure = z
  .object({
    code: z.string().describe('As in the answer, such as `SEND_FAILED` or `PROVIDER_UNREACHABLE`.'),
    providerCode: z.int().nullable().describe("The provider's error code, where it refused."),
    title: z.string().nullable().describe('What the code means.'),
    hint: z.string().nullable().describe('What to do next.'),
    docUrl: z
      .string()
      .nullable()
      .describe('The page of this error, at the address of the service.'),
  })
  .meta({ id: 'SendFailure' });

const Attempt = z
  .object({
    id: z.string().describe('Id of the charge, as in the ledger.'),
    requestId: z.string().describe('The `X-Request-Id` of the request that sent it.'),
    at: iso.describe('Time of the reservation, ISO 8601.'),
    to: z
      .string()
      .nullable()
      .describe('The recipient, digits only; null once erased, or while the number is not known.'),
    contactUserId,
    phoneNumberId: z.string().nullable().describe("The provider's phone number id."),
    source: z
      .enum(['notification', 'api', 'bot', 'gateway'])
      .describe('`api` for `/v1/messages/send`, `gateway` for `/graph`.'),
    event: z.string().nullable().describe('Event key of the catalog.'),
    templateName: z.string().nullable().describe("The provider's name of the template."),
    channel: z
      .enum(['template', 'direct', 'text'])
      .describe('`direct` for an event without a template; `text` for every other one without.'),
    category: Category.describe('Category of the price.'),
    price: z.string().describe('Price of the message, a decimal string.'),
    currency: z.string().describe('ISO 4217 code of the price.'),
    state: z
      .enum(states)
      .describe(
        '`refused` by the provider, `unreachable` (certainly not sent), `unknown` (no answer in time), `not_sent` (no number or no template), `disconnected` (the caller hung up), `swept` (a crash left it open).',
      ),
    metaMessageId: z.string().nullable().describe("The provider's message id, once there is one."),
    error: Failure.nullable().describe('Why it was not sent, where that is known.'),
    charged: unitAmount.describe('What was reserved: credits, or a decimal string of money.'),
    refunded: unitAmount.describe('What was given back, in the same unit.'),
    tookMs: z
      .int()
      .nullable()
      .describe("Time of the provider's call in milliseconds; null without one."),
  })
  .meta({ id: 'Send' });

const query = z.object({
  ...pageQuery,
  contact: z.string().max(200).optional().describe('To this number or user id.'),
  event: z.enum(supportedEvents).optional().describe('For this event of the catalog.'),
  state: z.enum(states).optional().describe('With this state.'),
  clientReference: z.string().max(128).optional().describe('With this reference of yours.'),
  requestId: z.string().max(128).optional().describe('Sent by the request with this id.'),
  since: moment.optional().describe('From this time on, ISO 8601.'),
  until: moment.optional().describe('Before this time, ISO 8601.'),
});

const ofAccount = (what: string) =>
  z.string().max(100).optional().describe(`${what} of this account; absent: of all.`);

const owningAccount = z.string().describe('Id of the owning account.');

interface SendDeps {
  store: Pick<EventReader, 'read'>;
  subjects: ContactRefs;
  privacy: Pick<Privacy, 'findSubjects'>;
}

type Row = MessageDocument | ParkedStatus | ReservationDocument;
type Where = ViewQuery['where'];

const isMessage = (row: Row): row is MessageDocument => 'recorded' in row && row.recorded;

/** A charge, and whose it is. */
interface Charged {
  accountId: string;
  chargeId: string;
}

const chargedBy = (row: Row): Charged[] =>
  'chargeId' in row && row.chargeId !== null
    ? [{ accountId: row.accountId, chargeId: row.chargeId }]
    : [];

/** The recorded messages of charges, of whatever accounts. */
const messagesOfAll = async (models: ReadModels, charged: readonly Charged[]) => {
  const found = [...Map.groupBy(charged, ({ accountId }) => accountId)].map(([accountId, own]) =>
    messagesOf(
      models,
      accountId,
      own.map(({ chargeId }) => chargeId),
    ),
  );
  return (await Promise.all(found)).flat();
};

/** An attempt with all that is known of it. */
interface Known {
  charge: ReservedCharge;
  message: MessageDocument | undefined;
  refund: RefundDocument | undefined;
}

const stateOf = ({ message, refund }: Known): (typeof states)[number] => {
  if (message) return refund?.state === 'disconnected' ? 'disconnected' : 'accepted';
  return refund ? (refund.state ?? 'accepted') : 'pending';
};

const failureOf = ({ message, refund }: Known): z.input<typeof Failure> | null => {
  if (message || !refund || refund.state === 'disconnected' || refund.state === 'swept')
    return null;
  const code = refund.failure?.code ?? (refund.state === 'unknown' ? 'OUTCOME_UNKNOWN' : null);
  if (code === null) return null;
  const { providerCode = null, title } = refund.failure ?? {};
  const advice = adviceOnFailure(code, providerCode);
  return { code, providerCode, ...advice, title: title ?? advice.title };
};

const present = (known: Known) => {
  const { charge, message, refund } = known;
  const { data, meta } = charge;
  const { outline, price, said } = data;
  const ids = idsOf(said?.to ?? null, null);
  const isTemplate = ['notification', 'template'].includes(outline.content.type);
  const without = outline.direct ? ('direct' as const) : ('text' as const);
  return {
    id: data.chargeId,
    requestId: meta.requestId,
    at: data.at,
    to: message ? message.recipientWaId : ids.waId,
    contactUserId: message ? message.contactUserId : ids.userId,
    phoneNumberId: outline.phoneNumberId,
    source: outline.source,
    event: outline.event ?? null,
    templateName: outline.content.name ?? null,
    channel: isTemplate ? ('template' as const) : without,
    category: price.category,
    price: formatMicros(price.sellPrice),
    currency: price.currency,
    state: stateOf(known),
    metaMessageId: message?.metaMessageId ?? null,
    error: failureOf(known),
    charged: inUnit(price.billing, 0 - data.amount),
    refunded: inUnit(price.billing, refund?.amount ?? 0),
    tookMs: message?.tookMs ?? refund?.failure?.tookMs ?? null,
  };
};

/** What is known of charges, in their order. A charge that has no message yet has none here. */
const readKnown = async (
  { store }: SendDeps,
  models: ReadModels,
  charged: readonly Charged[],
  rows: readonly MessageDocument[],
): Promise<readonly Known[]> => {
  const [charges, refundOf, current] = await Promise.all([
    Promise.all(charged.map((one) => readCharge(store, one))),
    refundsOfCharges(
      models,
      charged.map(({ chargeId }) => chargeId),
    ),
    withContacts(models, rows),
  ]);
  const messageOf = new Map(current.map((one) => [one.chargeId, one]));
  return charges.flatMap((charge) => {
    if (!charge) return [];
    const { chargeId } = charge.data;
    return [{ charge, message: messageOf.get(chargeId), refund: refundOf.get(chargeId) }];
  });
};

/** Whether an attempt meets the conditions, as the read models compare them. */
const fits = ({ charge: { data }, message }: Known, where: Where): boolean => {
  const { event, clientReference, contactRef, createdAt } = where;
  const { gte = '', lt } = (createdAt ?? {}) as { gte?: string; lt?: string };
  return (
    (event === undefined || event === data.outline.event) &&
    (clientReference === undefined || clientReference === data.outline.clientReference) &&
    (contactRef === undefined ||
      [message?.contactRef, data.contactRef].includes(contactRef as string)) &&
    data.at >= gte &&
    (lt === undefined || data.at < lt)
  );
};

type Asked = z.output<typeof query>;

/** The charges of one request to an account, or to one of the newest of all, the newest first. */
const chargesOfRequest = async (
  { store }: SendDeps,
  models: ReadModels,
  accountId: string | undefined,
  requestId: string,
  { limit, cursor }: Asked,
) => {
  const among = accountId === undefined ? await newestAccounts(models) : [accountId];
  const found = await findRequest(store, among, requestId);
  const older = found
    .toSorted((one, other) => (one.position < other.position ? 1 : -1))
    .filter(({ position }) => cursor === undefined || position < cursor);
  const page = older.slice(0, limit);
  const nextCursor = page.length < older.length ? encodeCursor(page.at(-1)!.position) : null;
  return { charged: page, nextCursor };
};

/** The charges whose callers hung up. */
const disconnected = async (
  models: ReadModels,
  owner: string,
  accountId: string | undefined,
  asked: Asked,
) => {
  const where = given({ accountId, state: 'disconnected' });
  const { rows, nextCursor } = await readPage(models, owner, refunds, asked, where);
  const charged = rows.flatMap((one) =>
    one.of === 'charge' ? [{ accountId: one.accountId, chargeId: one.id }] : [],
  );
  return { charged, nextCursor };
};

/** A message is created with its record, after the reservation whose time is asked about. */
const RECORDED_WITHIN_MS = 300_000;

/** The end of what messages are looked through; `until` where that is the end of what ISO 8601 can say. */
const recordedUntil = (until: string): string => {
  const later = isoTime(Date.parse(until) + RECORDED_WITHIN_MS);
  return later > until ? later : until;
};

const sourcesOf = (
  { state, since, until }: Asked,
  wheres: readonly Where[],
): readonly Source<Row>[] => {
  const createdAt = timeRange(since, until && recordedUntil(until));
  const sent = wheres.map((where) => ({
    ...where,
    direction: 'outbound',
    ...given({ createdAt }),
  }));
  const others = wheres.map((where) => ({ ...where, ...given({ state }) }));
  // In this order: what becomes a message meanwhile is then found twice, and not in neither.
  return [
    ...(state === 'accepted' ? [] : under(reservations as unknown as Projection<Row>, others)),
    ...(state === undefined || state === 'accepted'
      ? under(messages as Projection<Row>, sent)
      : []),
  ];
};

/** The page of attempts that was asked for: of one account, or of all where none is named. */
const listAttempts = async (
  deps: SendDeps,
  models: ReadModels,
  owner: string,
  asked: Asked & { accountId?: string | undefined },
) => {
  const { accountId, event, clientReference, requestId, state, since, until } = asked;
  const createdAt = timeRange(since, until);
  const where = given({ event, clientReference, createdAt });
  const wheres = await whereInAny({ ...deps, models }, asked, where);
  const select = async (): Promise<{
    charged: readonly Charged[];
    sent?: readonly MessageDocument[];
    nextCursor: string | null;
  }> => {
    if (requestId !== undefined) return chargesOfRequest(deps, models, accountId, requestId, asked);
    if (state === 'disconnected') return disconnected(models, owner, accountId, asked);
    const { rows, nextCursor } = await readPages(models, owner, asked, sourcesOf(asked, wheres));
    const charged = new Map(rows.flatMap(chargedBy).map((one) => [one.chargeId, one]));
    return { charged: [...charged.values()], sent: rows.filter(isMessage), nextCursor };
  };
  const { charged, sent, nextCursor } = await select();
  const rows = sent ?? (await messagesOfAll(models, charged));
  const known = await readKnown(deps, models, charged, rows);
  const attempts = known
    .filter((one) => wheres.some((each) => fits(one, each)))
    .filter((one) => state === undefined || stateOf(one) === state);
  return { attempts, nextCursor };
};

const common = {
  method: 'GET',
  summary: 'List attempts to send and what became of each, newest first',
  description: `Every send that reserved a charge, refused ones included; what was refused before is counted at \`/v1/sends/refusals\`. ${SHORT_PAGES}`,
  errors: [],
  reads: [messages, reservations, refunds, contacts],
} as const;

const Refusals = z
  .object({
    code: z
      .string()
      .describe(
        'As in the answer; `CAP_PER_MINUTE`, `CAP_DAILY`, `CAP_MONTHLY`, `PAUSED`, `WINDOW_CLOSED`, `STRICT`, `PROVIDER_RULE` or `SUSPENDED` where that has none.',
      ),
    minute: iso.describe('Beginning of the minute, ISO 8601.'),
    count: z.int().describe('Sends that were refused.'),
    firstRequestId: z.string().describe('The `X-Request-Id` of the first one.'),
    lastRequestId: z.string().describe('The `X-Request-Id` of the last one.'),
    to: z.string().nullable().describe('The last recipient; null without one, and once erased.'),
  })
  .meta({ id: 'SendRefusals' });

const refusalsQuery = z.object({
  ...pageQuery,
  since: query.shape.since,
  until: query.shape.until,
  code: z.string().max(100).optional().describe('Refused under this code.'),
  contact: z.string().max(200).optional().describe('Whose last recipient was this one.'),
});

/** The page of refusals that was asked for: of one account, or of all where none is named. */
const listRefusals = async (
  deps: SendDeps,
  models: ReadModels,
  owner: string,
  asked: z.output<typeof refusalsQuery> & { accountId?: string | undefined },
) => {
  const { code, since, until } = asked;
  const where = given({ code, minute: timeRange(since, until) });
  const wheres = await whereInAny({ ...deps, models }, asked, where);
  return readPages(models, owner, asked, under(refusals, wheres));
};

const commonToRefusals = {
  method: 'GET',
  summary: 'Count the sends that were refused before a charge, newest first',
  description: `By code and minute, in sight 75 seconds later at most. Counted while the account may write without paying. ${SHORT_PAGES}`,
  errors: [],
  reads: [refusals, contacts],
} as const;

const AccountRefusals = Refusals.extend({ accountId: owningAccount }).meta({
  id: 'AccountSendRefusals',
});

const refusalsRoutes = (deps: SendDeps): readonly JsonRoute[] => [
  defineRoute({
    ...commonToRefusals,
    path: '/v1/sends/refusals',
    access: 'key',
    scope: 'messages:read',
    tags: ['Messages'],
    request: { query: refusalsQuery },
    responses: { 200: pageOf('refusals', Refusals) },
    async handle({ query: asked }, { key: { accountId }, models }) {
      const of = { ...asked, accountId };
      const { rows, nextCursor } = await listRefusals(deps, models, accountId, of);
      return { refusals: rows.map((row) => pick(Refusals, row)), nextCursor };
    },
  }),
  defineRoute({
    ...commonToRefusals,
    path: '/admin/v1/sends/refusals',
    access: 'administrator',
    tags: ['Operations'],
    request: { query: refusalsQuery.extend({ accountId: ofAccount('Refusals') }) },
    responses: { 200: pageOf('refusals', AccountRefusals) },
    async handle({ query: asked }, { models }) {
      const { rows, nextCursor } = await listRefusals(deps, models, ADMINISTRATION, asked);
      return { refusals: rows.map((row) => pick(AccountRefusals, row)), nextCursor };
    },
  }),
];

export const sendsRoutes = (deps: SendDeps): readonly JsonRoute[] => [
  ...refusalsRoutes(deps),
  defineRoute({
    ...common,
    path: '/v1/sends',
    access: 'key',
    scope: 'messages:read',
    tags: ['Messages'],
    request: { query },
    responses: { 200: pageOf('sends', Attempt) },
    async handle({ query: asked }, { key: { accountId }, models }) {
      const of = { ...asked, accountId };
      const { attempts, nextCursor } = await listAttempts(deps, models, accountId, of);
      return { sends: attempts.map(present), nextCursor };
    },
  }),
  defineRoute({
    ...common,
    path: '/admin/v1/sends',
    description: `${common.description} Without an account, \`requestId\` is looked for in the 200 newest.`,
    reads: [...common.reads, accounts],
    access: 'administrator',
    tags: ['Operations'],
    request: { query: query.extend({ accountId: ofAccount('Attempts') }) },
    responses: {
      200: pageOf(
        'sends',
        Attempt.extend({ accountId: owningAccount }).meta({ id: 'AccountSend' }),
      ),
    },
    async handle({ query: asked }, { models }) {
      const { attempts, nextCursor } = await listAttempts(deps, models, ADMINISTRATION, asked);
      const sends = attempts.map((one) => ({
        ...present(one),
        accountId: one.charge.data.accountId,
      }));
      return { sends, nextCursor };
    },
  }),
];
