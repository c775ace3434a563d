import { z } from 'zod';
import type { QuotedPrices } from '../../commands/account/state.ts';
import type { Batches, BatchRequest } from '../../commands/sending/batch.ts';
import { catalog, findEvent } from '../../commands/sending/catalog.ts';
import { type Notifications, unknownEvent } from '../../commands/sending/notification.ts';
import type { Asked } from '../../commands/sending/quote.ts';
import { BY_STRICT } from '../../commands/sending/refusals.ts';
import type { ScheduleBody, ScheduleKind, Schedules } from '../../commands/sending/schedules.ts';
import type { SendContext } from '../../commands/sending/send.ts';
import {
  batchProblems,
  notificationProblems,
  type StrictProblem,
} from '../../commands/sending/strict.ts';
import { timingFields } from '../../commands/sending/timing.ts';
import type { Charge } from '../../commands/sending/transmitted.ts';
import { Variables } from '../../commands/sending/variables.ts';
import { parseContact } from '../../events/contact.ts';
import { ScheduleRule } from '../../events/schedule.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { actingFor, type KeyContext } from '../edge/context.ts';
import { errorCodes, recordOf, reply } from '../edge/respond.ts';
import { defineRoute, type Idempotent } from '../route/route.ts';
import { invalid } from '../route/validation.ts';
import { billingHeaders, CapReached, Insufficient } from './billing-schemas.ts';
import { answerDryRun, dryRun, QuoteAnswer, type QuoteDeps, quoteId } from './quote-answer.ts';
import {
  clientReference,
  iso,
  languageCode,
  providerStatus,
  recipient,
  sender,
  sendFailed,
  success,
} from './schemas.ts';

/** The field `strict` of a send. */
export const strict = z
  .boolean()
  .optional()
  .describe(
    'Refuses with 400, before any charge, variables that the event does not know, that are missing or blank, and a `to` that is no possible telephone number. When absent, the default of the account, which an administrator sets; else false.',
  );

/** What every route that sends needs, beside what sends. */
export interface SendDeps extends QuoteDeps {
  schedules: Pick<Schedules, 'hold'>;
}

/** The answer of a send that is to go out later. */
export const Later = z
  .object({
    id: z.string().describe('Id of the scheduled send, for `/v1/scheduled`.'),
    dueAt: iso.describe('When it goes out, ISO 8601.'),
    timeZone: z
      .string()
      .nullable()
      .describe('The time zone whose clock counted; null where several were kept.'),
    rule: ScheduleRule.describe('Why it is due then.'),
    problems: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('What stands in its way now, such as `template_not_approved`.'),
  })
  .meta({ id: 'Later' });

const Taken = z.object({
  success,
  scheduled: Later.describe('When it goes out, and why then.'),
});

type ContactsOf = NonNullable<Idempotent['contacts']>;

/** The recipient of a send. */
const recipientIn: ContactsOf = ({ body }) => [parseContact((body as { to: string }).to)];

/** The recipients of a batch, each once. */
const recipientsIn: ContactsOf = ({ body }) => {
  const { recipients } = body as { recipients: readonly { to: string }[] };
  return [...new Set(recipients.map(({ to }) => parseContact(to)))];
};

/** The key of an event; the reference lists them in one place. */
const event = z
  .string()
  .describe(
    `Event key of the catalog, with these variables:\n\n${catalog
      .map((entry) => `- \`${entry.event}\`: ${entry.variables.join(', ')}`)
      .join('\n')}`,
  );

export const NotificationBody = z.object({
  to: recipient,
  event,
  variables: Variables.default({}).describe(
    'Values by name. A blank one is replaced by `-` and named in `missingVariables`.',
  ),
  phoneNumberId: sender,
  languageCode,
  allowTextFallback: z
    .boolean()
    .default(false)
    .describe('Without an approved template, sends plain text in an open 24-hour window.'),
  clientReference,
  strict,
  ...timingFields,
  quoteId,
  dryRun,
});

const channel = z.enum(['template', 'direct', 'text']);

const Sent = z.object({
  success,
  messageId: z.string().describe("The provider's message id, for the status."),
  channel: channel.describe(
    '`direct`: the text of the event without a template, where the account may (Direct Send); `text`: after a fallback.',
  ),
  event: z.string().describe('Event key of the catalog.'),
  template: z.string().nullable().describe('Null where the event went out without a template.'),
  missingVariables: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Blank variables: the message was sent with gaps, and charged.'),
  providerStatus,
});

/** What the declarations of the two routes that send one message have in common. */
export const oneSend = {
  method: 'POST',
  access: 'key',
  idempotent: { reversible: true, contacts: recipientIn },
  dryRun: QuoteAnswer,
  responseHeaders: billingHeaders,
} as const;

/** Answers of a send; an error of the provider names what was asked for: an event or a type. */
export const oneSendResponses = { 202: Taken, 402: Insufficient, 429: CapReached } as const;

/** The headers of a send that was charged (contract 4.3). */
export const billingHeadersOf = ({ price, balanceAfter }: Charge): Record<string, string> => {
  const headers: Record<string, string> = {
    'X-Message-Category': price.category,
    'X-Message-Price': formatMicros(price.sellPrice),
  };
  if (price.billing === 'credits') {
    headers['X-Credits-Charged'] = String(price.creditsRequired);
    headers['X-Credits-Remaining'] = String(balanceAfter);
  } else {
    headers['X-Wallet-Balance'] = formatMicros(balanceAfter);
  }
  return headers;
};

/** Errors of every send, whatever it sends. */
export const oneSendErrors = errorCodes.filter((code) => recordOf(code).ofSends);

/** What a route that sends one message does in its own way. */
interface OneSend<Body, Answer> {
  kind: ScheduleKind;
  /** What a strict send is refused for. */
  problems(body: Body, unknown: readonly StrictProblem[] | undefined): readonly StrictProblem[];
  /** The send as a quote asks about it. */
  asked(body: Body): readonly Asked[];
  send(
    body: Body,
    quoted: QuotedPrices | undefined,
    context: SendContext,
  ): Promise<{ charge: Charge; answer: Answer }>;
}

/** Refuses a message, says what it would cost, keeps it until its time, or sends it now. */
export const handleOneSend =
  <Body extends ScheduleBody & { dryRun?: boolean | undefined }, Answer extends object>(
    deps: SendDeps,
    { kind, problems: problemsOf, asked, send }: OneSend<Body, Answer>,
  ) =>
  async ({ body }: { body: Body }, context: KeyContext) => {
    const { key, requestId, claim, resumed } = context;
    const { accountId } = key;
    const known = deps.defaultsOf(accountId);
    const defaults = known instanceof Promise ? await known : known;
    const problems = (body.strict ?? defaults.strict) ? problemsOf(body, context.unknown) : [];
    if (body.dryRun) return answerDryRun(deps, asked(body), context, problems);
    if (problems.length > 0) throw invalid(problems, BY_STRICT);
    const acting = key.person && actingFor({ key, requestId });
    // The message is wanted until the caller hangs up.
    const by = { requestId, accountId, signal: context.signal(), claim, ...acting };
    if (body.sendAt || body.deliverBetween || body.notAfter || defaults.quietHours || resumed) {
      const on = { ...by, resumed };
      const scheduled = await deps.schedules.hold(kind, body, defaults, on);
      if (scheduled) return reply(202, { success: true as const, scheduled });
    }
    const { quoteId } = body;
    const quoted = quoteId === undefined ? undefined : deps.quotes.read(accountId, quoteId);
    const { charge, answer } = await send(body, quoted, by);
    return reply(200, { success: true as const, ...answer }, billingHeadersOf(charge));
  };

/** The send of a notification as a quote asks about it. */
export const notificationAsked = (body: z.output<typeof NotificationBody>): readonly Asked[] => {
  if (!findEvent(body.event)) throw unknownEvent(body.event);
  return [{ kind: 'notification', request: body, timing: body }];
};

/** Contract 4.7. */
export const sendRoute = (deps: { notifications: Notifications } & SendDeps) =>
  defineRoute({
    ...oneSend,
    path: '/v1/notifications/send',
    scope: 'notifications:send',
    summary: 'Send one notification by event key',
    description:
      'Picks the approved template of the event, fills its placeholders from the named variables and sends it. ' +
      "The provider's category of that template decides the price. " +
      'The charge is reserved first and refunded after a failure.',
    answer:
      'The provider accepted the message. `missingVariables` names the blank variables, sent as `-`.',
    tags: ['Notifications'],
    request: { body: NotificationBody },
    responses: { 200: Sent, ...oneSendResponses, 502: sendFailed('event') },
    errors: ['event.unknown', 'template.not_approved', ...oneSendErrors],
    handle: handleOneSend(deps, {
      kind: 'notification',
      problems: notificationProblems,
      asked: notificationAsked,
      async send(body: z.output<typeof NotificationBody>, quoted, by) {
        const request = quoted ? { ...body, quoted } : body;
        const { charge, missingVariables, ...sent } = await deps.notifications.send(request, by);
        const answer = { ...sent, ...(missingVariables.length > 0 && { missingVariables }) };
        return { charge, answer };
      },
    }),
  });

const Recipient = z.object({
  to: recipient,
  variables: Variables.default({}).describe('Values by name; a blank one is replaced by `-`.'),
  clientReference,
});

const Result = z
  .object({
    to: z.string().describe('The recipient as the request named it.'),
    ok: z.boolean().describe('Whether the provider accepted the message.'),
    messageId: z.string().optional().describe("The provider's message id, when `ok`."),
    channel: channel.optional().describe('`template` or `direct`, when `ok`.'),
    providerStatus,
    error: z.string().optional().describe('The error as text for people, unless `ok`.'),
    scheduled: Later.optional().describe('Where it is to go out later: instead of `messageId`.'),
    code: z
      .enum([
        'UNKNOWN_EVENT',
        'NO_PHONE',
        'TEMPLATE_NOT_APPROVED',
        'SEND_FAILED',
        'LIMIT_REACHED',
        'INSUFFICIENT_CREDITS',
        'INSUFFICIENT_BALANCE',
      ])
      .optional()
      .describe('The error as a code to branch on, unless `ok`.'),
  })
  .meta({ id: 'NotificationBatchResult' });

const BatchSent = z.object({
  success,
  sent: z.int().describe('Recipients with `ok` true.'),
  failed: z.int().describe('Recipients with `ok` false.'),
  results: z.array(Result).describe('The processed recipients, in the order of the request.'),
});

interface Answer {
  results: readonly unknown[];
}

/** A repeated batch continues with the recipients that the first one left out. */
const isWhole: Idempotent['isFinal'] = ({ body: answer }, { body: asked }) =>
  (answer as Answer).results.length === (asked as BatchRequest).recipients.length;

export const BatchBody = z.object({
  event,
  recipients: z.array(Recipient).min(1).max(500).describe('1 to 500 recipients.'),
  phoneNumberId: sender,
  languageCode,
  strict: strict.describe(
    'As in a single send, for all recipients: one wrong recipient refuses the whole batch, before anything is sent.',
  ),
  ...timingFields,
  quoteId: quoteId.describe(
    'Of a quote of this batch: it costs in all what the quote said, or is refused as a whole (409 `QUOTE_CHANGED`).',
  ),
  dryRun,
});

/** The sends of a batch as a quote asks about them. */
export const batchAsked = ({
  recipients,
  ...common
}: z.output<typeof BatchBody>): readonly Asked[] =>
  recipients.map((recipient) => ({
    kind: 'notification',
    request: { ...common, ...recipient },
    timing: common,
  }));

/** Contract 4.8. */
export const batchRoute = (deps: { batches: Batches; stopping: AbortSignal } & SendDeps) =>
  defineRoute({
    method: 'POST',
    path: '/v1/notifications/send/batch',
    access: 'key',
    scope: 'notifications:send',
    summary: 'Send one event to up to 500 recipients',
    description:
      'Starts the sends at the rate of the number, for up to 120 seconds. ' +
      'Recipients without a result were neither charged nor sent to.',
    answer: 'The batch ran. Send again to the recipients without a result.',
    tags: ['Notifications'],
    request: { body: BatchBody },
    dryRun: QuoteAnswer,
    responses: { 200: BatchSent },
    errors: ['quote.changed', 'quote.invalid', 'quote.expired'],
    idempotent: { isFinal: isWhole, contacts: recipientsIn },
    async handle({ body }, context) {
      const { key, requestId, signal, claim, resumed, unknown } = context;
      const { accountId, keyId } = key;
      const defaults = await deps.defaultsOf(accountId);
      const problems = (body.strict ?? defaults.strict) ? batchProblems(body, unknown) : [];
      if (body.dryRun) return answerDryRun(deps, batchAsked(body), context, problems);
      if (problems.length > 0) throw invalid(problems, BY_STRICT);
      const { quoteId } = body;
      const quoted = quoteId === undefined ? undefined : deps.quotes.read(accountId, quoteId);
      // Of a batch that goes on, some messages are paid already.
      if (quoted && !resumed) {
        await deps.quotes.mustHold(quoted, batchAsked(body), { requestId, accountId });
      }
      const stopping = AbortSignal.any([signal(), deps.stopping]);
      const by = { ...actingFor({ key, requestId }), keyId, claim, resumed };
      const results = await deps.batches.send({ ...body, quoted }, by, stopping, defaults);
      const sent = results.filter(({ ok }) => ok).length;
      return {
        success: true as const,
        sent,
        failed: results.length - sent,
        results: [...results],
      };
    },
  });
