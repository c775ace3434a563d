import { z } from 'zod';
import { BY_STRICT } from '../../commands/sending/refusals.ts';
import type { ScheduleBody, ScheduleKind, Schedules } from '../../commands/sending/schedules.ts';
import { notificationProblems } from '../../commands/sending/strict.ts';
import { timingFields } from '../../commands/sending/timing.ts';
import { Variables } from '../../commands/sending/variables.ts';
import { ScheduleError, ScheduleRule, scheduleEnds } from '../../events/schedule.ts';
import { contacts } from '../../projections/contacts.ts';
import { type ScheduledDocument, scheduled } from '../../projections/scheduled.ts';
import { AppError } from '../../shared/errors.ts';
import { ADMINISTRATION } from '../admin/context.ts';
import { hasScope, requireScope } from '../edge/admission.ts';
import { actingFor, type KeyContext } from '../edge/context.ts';
import { given, pageOf, pageQuery, readPages, under } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { invalid, wordsOf } from '../route/validation.ts';
import { type ContactRefs, whereOf } from './contact-filter.ts';
import type { SendDefaults } from './quote-answer.ts';
import { erased, iso } from './schemas.ts';
import { MessageBody, messageProblems } from './send-message.ts';
import { NotificationBody } from './send-notification.ts';

// Sends that wait for their time, as the sends of `sendAt`, `deliverBetween` and quiet hours leave them.

const scopes = ['notifications:send', 'messages:send'] as const;
const scopeOf = { notification: scopes[0], message: scopes[1] } as const;
const bodies = { notification: NotificationBody, message: MessageBody } as const;
const states = ['waiting', 'sending', ...scheduleEnds] as const;

const Row = z
  .object({
    id: z.string().describe('Id of the scheduled send.'),
    state: z
      .enum(states)
      .describe(
        '`sending` until its outcome is known; `refused` with the error that a send would have had; `expired` after `notAfter`; `erased` with its contact.',
      ),
    kind: z.enum(['notification', 'message']).describe('Which send took it.'),
    dueAt: iso.describe('When it goes out, ISO 8601.'),
    notAfter: iso.describe('After this time it is not sent, ISO 8601.'),
    timeZone: z
      .string()
      .nullable()
      .describe('The time zone whose clock counted; null where several were kept.'),
    rule: ScheduleRule.describe('Why it is due then.'),
    to: z
      .string()
      .nullable()
      .describe('The recipient, digits only or a user id; null once erased.'),
    event: z.string().nullable().describe('Event key of the catalog.'),
    createdAt: iso.describe('Time of the request, ISO 8601.'),
    metaMessageId: z.string().nullable().describe("The provider's message id, once it is sent."),
    chargeId: z.string().nullable().describe('The charge that paid it, once it is sent.'),
    error: ScheduleError.nullable().describe('Why it was refused.'),
    problems: z
      .array(z.string())
      .describe(
        'What stood in its way when it was taken, such as `template_not_approved`: decided anew when it is due.',
      ),
    erased,
  })
  .meta({ id: 'ScheduledSend' });

/** A scheduled send as its account sees it. */
export const presentScheduled = ({ to, ...row }: ScheduledDocument) =>
  pick(Row, { ...row, to, ...(to === null && { erased: true as const }) });

interface ScheduledDeps {
  schedules: Schedules;
  subjects: ContactRefs;
  defaultsOf: SendDefaults['defaultsOf'];
}

const query = z.object({
  ...pageQuery,
  state: z.enum(states).optional().describe('In this state.'),
  contact: z.string().max(200).optional().describe('To this number or user id.'),
});

type Asked = z.output<typeof query>;

const listOf = async (
  { subjects, models }: { subjects: ContactRefs; models: ReadModels },
  { owner, accountId, kind }: { owner: string; accountId: string; kind?: ScheduleKind | undefined },
  asked: Asked,
) => {
  const { state, contact } = asked;
  const where = given({ accountId, state, kind });
  const wheres = await whereOf({ models, subjects }, accountId, { contact }, where);
  const { rows, nextCursor } = await readPages(models, owner, asked, under(scheduled, wheres));
  return { scheduled: rows.map(presentScheduled), nextCursor };
};

const mustGet = async (models: ReadModels, accountId: string, id: string) => {
  const row = await models.get(scheduled, id);
  if (row?.accountId === accountId) return row;
  throw models.notFound(new AppError('resource.unknown', 'Scheduled send not found'));
};

const common = {
  access: 'key',
  scope: scopes,
  tags: ['Notifications'],
  reads: [scheduled, contacts],
} as const;

/** What a key limited to one of the scopes sees. */
const kindOf = ({ key }: KeyContext): ScheduleKind | undefined => {
  if (!hasScope(key, scopes[0])) return 'message';
  return hasScope(key, scopes[1]) ? undefined : 'notification';
};

/** Throws where the key has not the scope of this send. */
const mustSend = async (
  { schedules }: ScheduledDeps,
  { key }: KeyContext,
  id: string,
): Promise<ScheduleKind> => {
  const kind = await schedules.kindOf(key.accountId, id);
  requireScope(key, scopeOf[kind]);
  return kind;
};

const { sendAt, deliverBetween, notAfter } = timingFields;

/** Time and content; null takes a time out. */
const Patch = z
  .object({
    ...NotificationBody.omit({ to: true, event: true, quoteId: true, dryRun: true }).shape,
    ...MessageBody.omit({ to: true, type: true, quoteId: true, dryRun: true }).shape,
    variables: Variables.describe('All values by name, instead of those before.'),
    allowTextFallback: z.boolean().describe('As in the send.'),
    sendAt: sendAt.nullable().describe('Another time; null for none.'),
    deliverBetween: deliverBetween.unwrap().nullable().describe('Another window; null for none.'),
    notAfter: notAfter.nullable().describe('Another end; null for the default one.'),
  })
  .partial();

/** The body with the changes: null takes a field out. */
const changed = (kind: ScheduleKind, body: object, patch: object): ScheduleBody => {
  const merged: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else if (value !== undefined) merged[name] = value;
  }
  const parsed = bodies[kind].safeParse(merged, { error: wordsOf });
  if (!parsed.success) throw invalid(parsed.error.issues);
  return parsed.data as ScheduleBody;
};

const mustBeStrict = (
  kind: ScheduleKind,
  body: ScheduleBody,
  { byDefault, unknown }: { byDefault: boolean; unknown: KeyContext['unknown'] },
): void => {
  if (!(body.strict ?? byDefault)) return;
  const problems =
    kind === 'notification'
      ? notificationProblems(body as never, unknown)
      : messageProblems(body, unknown);
  if (problems.length > 0) throw invalid(problems, BY_STRICT);
};

const contactsIn = ({ to }: z.input<typeof Row>): readonly string[] => (to === null ? [] : [to]);

const errors = ['resource.unknown', 'resource.conflict'] as const;

export const scheduledRoutes = (deps: ScheduledDeps): readonly JsonRoute[] => {
  const { schedules, subjects, defaultsOf } = deps;
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/scheduled',
      summary: 'List scheduled sends, newest first',
      description: 'A key with one of the two scopes sees the sends of that scope.',
      request: { query },
      responses: { 200: pageOf('scheduled', Row) },
      errors: [],
      handle: ({ query: asked }, context) => {
        const { accountId } = context.key;
        const of = { owner: accountId, accountId, kind: kindOf(context) };
        return listOf({ subjects, models: context.models }, of, asked);
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/scheduled/:scheduleId',
      summary: 'Read one scheduled send',
      responses: { 200: Row },
      errors: ['resource.unknown'],
      async handle({ params }, { key, models }) {
        const row = await mustGet(models, key.accountId, params.scheduleId);
        requireScope(key, scopeOf[row.kind]);
        return presentScheduled(row);
      },
    }),
    defineRoute({
      ...common,
      method: 'PATCH',
      path: '/v1/scheduled/:scheduleId',
      summary: 'Change time or content of a send that waits',
      description:
        'Absent fields stay; null takes a time out. Recipient, event and type stay as they are. Without any time it goes out now, or after the quiet hours.',
      request: { body: Patch },
      responses: { 200: Row },
      errors: [...errors, 'message.incomplete', 'message.not_allowed', 'account.free_writes'],
      async handle({ params: { scheduleId: id }, body }, context) {
        const kind = await mustSend(deps, context, id);
        const defaults = await defaultsOf(context.key.accountId);
        const change = (before: object) => {
          const after = changed(kind, before, body);
          mustBeStrict(kind, after, { byDefault: defaults.strict, unknown: context.unknown });
          return after;
        };
        await schedules.change(id, change, defaults, actingFor(context));
        return presentScheduled(await mustGet(await context.upToDate(), context.key.accountId, id));
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/scheduled/:scheduleId/send-now',
      summary: 'Send what waits now, or after the quiet hours',
      responses: { 200: Row },
      // The contact is known once the send was found.
      idempotent: { contacts: (_, row) => contactsIn(row as z.input<typeof Row>) },
      errors: [...errors, 'account.free_writes'],
      async handle({ params: { scheduleId: id } }, context) {
        const kind = await mustSend(deps, context, id);
        const defaults = await defaultsOf(context.key.accountId);
        const now = { sendAt: null, deliverBetween: null };
        const change = (before: object) => changed(kind, before, now);
        const { claim } = context;
        await schedules.change(id, change, defaults, { ...actingFor(context), claim });
        return presentScheduled(await mustGet(await context.upToDate(), context.key.accountId, id));
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/v1/scheduled/:scheduleId',
      summary: 'Cancel a send that waits',
      responses: { 200: Row },
      errors,
      async handle({ params: { scheduleId: id } }, context) {
        await mustSend(deps, context, id);
        await schedules.cancel(id, actingFor(context));
        return presentScheduled(await mustGet(await context.upToDate(), context.key.accountId, id));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/accounts/:id/scheduled',
      access: 'administrator',
      tags: ['Accounts'],
      reads: [scheduled, contacts],
      summary: 'List the scheduled sends of an account, newest first',
      description: 'What waits for its time, and what became of it.',
      request: { query },
      responses: { 200: pageOf('scheduled', Row) },
      errors: [],
      handle: ({ params, query: asked }, { models }) =>
        listOf({ subjects, models }, { owner: ADMINISTRATION, accountId: params.id }, asked),
    }),
  ];
};
