import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { canonicalJson } from '../../commands/account/chain.ts';
import type { Subjects } from '../../commands/contacts/subjects.ts';
import type { Lookups } from '../../commands/core/lookups.ts';
import { createRowCheck } from '../../commands/jobs/check-rows.ts';
import { type JobRowRecord, readJobRows } from '../../commands/jobs/job-rows.ts';
import {
  askedOf,
  FLAWS_MAX,
  type JobFile,
  type JobSpec,
  type Jobs,
  type Keyed,
} from '../../commands/jobs/jobs.ts';
import { type FileRow, fileBounds, readFile } from '../../commands/jobs/read-file.ts';
import { DEFAULT_MESSAGES_PER_SECOND } from '../../commands/numbers/numbers.ts';
import { Amount } from '../../commands/pricing/money.ts';
import { type CatalogEntry, findEvent } from '../../commands/sending/catalog.ts';
import { unknownEvent } from '../../commands/sending/notification.ts';
import { findConfiguredNumber } from '../../commands/sending/outgoing.ts';
import type { Asked } from '../../commands/sending/quote.ts';
import { timingFields } from '../../commands/sending/timing.ts';
import { readCharge } from '../../events/completed.ts';
import type { JobPlan } from '../../events/job.ts';
import type { EventReader } from '../../events/store.ts';
import { accounts } from '../../projections/accounts.ts';
import { type JobDocument, jobs } from '../../projections/jobs.ts';
import { messages } from '../../projections/messages.ts';
import { isOpen, reservations } from '../../projections/reservations.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { csvCell } from '../../shared/csv.ts';
import { formatMicros, inUnit } from '../../shared/decimal.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { ADMINISTRATION } from '../admin/context.ts';
import {
  actingFor,
  type IncomingForm,
  type KeyContext,
  type RequestContext,
} from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import type { Transfers } from '../edge/transfers.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { createValidator } from '../route/validation.ts';
import { type ChargedMessage, chargedIn, messagesOf } from './charged-messages.ts';
import { amountIn, QuoteTotal } from './quote-answer.ts';
import { iso, languageCode, sender } from './schemas.ts';

const SEND = 'notifications:send';

const column = z.string().min(1).max(200);

const Columns = z.object({
  to: column.describe('Column with the recipients.'),
  clientReference: column.optional().describe('Column with your references.'),
  variables: z
    .record(z.string(), column)
    .default({})
    .describe('Column of each variable of the event, by the name of the variable.'),
});

const Spec = z.object({
  name: z.string().max(200).optional().describe('A name for people.'),
  event: z.string().describe('Event key of the catalog.'),
  languageCode,
  phoneNumberId: sender,
  columns: Columns.describe('Which columns of the rows hold what.'),
  maxAmount: z
    .union([z.int().min(0), z.string().max(30)])
    .optional()
    .describe(
      'The job never takes more: credits, or a decimal string on a wallet plan. Reached on the way, it pauses.',
    ),
  perSecond: z.int().min(1).max(1000).optional().describe('Messages a second at most.'),
  sendAt: timingFields.sendAt.describe(
    'Sends nothing before it: ISO 8601 with `Z` or an offset, at most 90 days ahead.',
  ),
  deliverBetween: timingFields.deliverBetween.describe(
    'Each row goes out while this window is open for its recipient.',
  ),
  pauseWhen: z
    .object({
      failedShare: z.number().min(0).max(1).default(0.2).describe('Share of failed messages.'),
      quality: z.boolean().default(true).describe('Whether a poor quality pauses it.'),
    })
    .default({ failedShare: 0.2, quality: true })
    .describe(
      'Pauses above this share of failed messages, from 100 messages on, and at a quality of RED or RESTRICTED.',
    ),
  dryRun: z
    .boolean()
    .optional()
    .describe(
      `Checks the rows and makes no job: the 200 then has the \`plan\`, and as \`rows\` the first ${FLAWS_MAX} that cannot be sent.`,
    ),
});

export const JobBody = Spec.extend({
  rows: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .max(fileBounds.rowsMax)
    .describe('The rows, as objects by column.'),
});

const Form = z.object({
  spec: z
    .string()
    .max(16_384)
    .describe('The other fields of the JSON form without `rows`, as JSON.'),
  file: z
    .string()
    .meta({ contentMediaType: 'application/octet-stream' })
    .describe(
      'CSV with a head, or JSON Lines (named `.jsonl`), in UTF-8, after the other field: 100 MB and 100,000 rows at most.',
    ),
});

const jobStates = [
  'checking',
  'unusable',
  'ready',
  'queued',
  'running',
  'paused',
  'cancelled',
  'done',
] as const;
/** What becomes of the rows of a job. */
export const rowStates = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'refused',
  'bad',
  'duplicate',
] as const;
type RowState = (typeof rowStates)[number];

const count = (about: string) => z.int().describe(about);

const Plan = z.object({
  rows: count('Rows of the file.'),
  good: count('Rows that can be sent.'),
  bad: count('Rows that cannot.'),
  duplicates: count('Rows with the recipient of an earlier one.'),
  totals: z.array(QuoteTotal).describe('The good rows by category and market.'),
  amount: amountIn('What all good rows would take'),
  finishesAt: iso
    .nullable()
    .describe('If it went on now at its pace and that of its number; null once it is over.'),
});

const Job = z
  .object({
    id: z.string().describe('`job_…`.'),
    name: z.string().nullable().describe('Its name for people.'),
    event: z.string().describe('Event key of the catalog.'),
    state: z.enum(jobStates).describe('`queued` until fewer than two of the account run.'),
    reason: z.string().nullable().describe('Why it is unusable, or paused by itself.'),
    retryOf: z.string().nullable().describe('The job whose failed rows it sends again.'),
    plan: Plan.nullable().describe('Null until the file is checked.'),
    counts: z
      .object({
        waiting: count('Not sent yet.'),
        sent: count('Accepted by the provider.'),
        delivered: count('Delivered.'),
        read: count('Read.'),
        failed: count('Failed after the provider had accepted them.'),
        refused: count('Not sent.'),
      })
      .describe('Its good rows by what became of them.'),
    amount: amountIn('Taken so far'),
    sendAt: iso.nullable().describe('Before it nothing is sent, ISO 8601; null for no such time.'),
    maxAmount: amountIn('Its bound').nullable().describe('Its bound, in the unit of the account.'),
    createdAt: iso.describe('Time of the upload, ISO 8601.'),
    startedAt: iso.nullable().describe('Time of the latest start; null before it.'),
    endedAt: iso.nullable().describe('Time of its end; null until then.'),
  })
  .meta({ id: 'Job' });

const Row = z.object({
  row: z.int().describe('1 is the first row after the head.'),
  state: z
    .enum(rowStates)
    .describe('What became of it; `sending` while it is with the provider, as far as is known.'),
  error: z.string().nullable().describe('What is wrong with it.'),
  metaMessageId: z.string().nullable().describe("The provider's message id."),
  chargeId: z.string().nullable().describe('Id of the charge, as in the ledger.'),
});

const DryRun = z.object({
  plan: Plan,
  rows: z.array(Row.pick({ row: true, state: true, error: true })),
});

interface Deps {
  jobs: Jobs;
  lookups: Pick<Lookups, 'numbers'>;
  secrets: Pick<Secrets, 'fingerprint'>;
  subjects: Pick<Subjects, 'areHeld'>;
  store: EventReader;
  transfers: Transfers;
  clock: Clock;
}

/** A bound in the unit of the account. */
const boundOf = (given: number | string, billing: 'credits' | 'wallet'): number => {
  if (billing === 'credits') {
    if (typeof given === 'number') return given;
    throw invalidFields({ maxAmount: ['must be whole credits, such as 100, on a credit plan'] });
  }
  const amount = typeof given === 'string' ? Amount.safeParse(given) : undefined;
  if (amount?.success) return amount.data;
  throw invalidFields({
    maxAmount: ['must be a decimal string, such as "25.00", on a wallet plan'],
  });
};

const specOf = (
  spec: z.output<typeof Spec>,
  entry: CatalogEntry,
  billing: 'credits' | 'wallet',
): JobSpec => {
  const { columns, pauseWhen, maxAmount } = spec;
  const named = Object.keys(columns.variables);
  const unknown = named.find((name) => !entry.variables.includes(name));
  const missing = entry.variables.find((name) => !named.includes(name));
  if (unknown !== undefined || missing !== undefined) {
    const known = entry.variables.join(', ');
    const problem =
      unknown === undefined
        ? `columns.variables.${missing}: is required`
        : `columns.variables.${unknown}: is no variable of ${entry.event}; its variables are ${known}`;
    throw invalidFields({ columns: [problem] });
  }
  return {
    name: spec.name ?? null,
    event: spec.event,
    languageCode: spec.languageCode ?? null,
    phoneNumberId: spec.phoneNumberId ?? null,
    maxAmount: maxAmount === undefined ? null : boundOf(maxAmount, billing),
    perSecond: spec.perSecond ?? null,
    failedShare: pauseWhen.failedShare,
    quality: pauseWhen.quality,
    sendAt: spec.sendAt ?? null,
    deliverBetween: spec.deliverBetween ?? null,
    columns,
  };
};

const checkSpec = createValidator({ body: Spec });

const parsed = <T>(check: ReturnType<typeof createValidator>, body: unknown): T =>
  check({ params: {}, query: undefined, headers: undefined, body }).body as T;

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('request.malformed', '`spec` is no valid JSON');
  }
};

const entryOf = ({ event }: { event: string }): CatalogEntry => {
  const entry = findEvent(event);
  if (!entry) throw unknownEvent(event);
  return entry;
};

/** The sends of the rows that can be sent, as a quote asks about them. */
export const jobAsked = (body: z.output<typeof JobBody>): readonly Asked[] => {
  const entry = entryOf(body);
  const spec = specOf({ ...body, maxAmount: undefined }, entry, 'credits');
  const check = createRowCheck(entry, spec.columns, {}, 0);
  return body.rows.flatMap((fields, at) => {
    const checked = check({ row: at + 1, fields });
    return 'good' in checked ? [askedOf(spec, checked.good)] : [];
  });
};

async function* numbered(rows: readonly Record<string, unknown>[]) {
  for (const [at, fields] of rows.entries()) {
    const row: { row: number } & FileRow = { row: at + 1, fields };
    yield row;
  }
}

const keyedBy = ({ claim, resumed = false }: RequestContext): Keyed | undefined =>
  claim && { claim, resumed };

/** A form with a file, which is read once. */
const uploadIn = (
  { secrets, jobs }: Deps,
  { fields, filename, mimeType, bytesMax, content }: IncomingForm,
) => {
  if (fields.spec === undefined) {
    throw new AppError('request.malformed', 'The field `spec` must come before the file');
  }
  const spec = jsonIn(fields.spec);
  const isLines = /\.(jsonl|ndjson)$/i.test(filename) || /json/i.test(mimeType);
  const sum = createHash('sha256');
  const summed = (async function* () {
    for await (const bytes of content) {
      sum.update(bytes);
      yield bytes;
    }
  })();
  const fingerprint = async () => {
    for await (const _ of summed);
    return secrets.fingerprint(`job ${isLines} ${sum.digest('hex')}\n${canonicalJson(spec)}`);
  };
  return {
    spec,
    fingerprint,
    fileOf: ({ columns }: Pick<JobSpec, 'columns'>, isKeyed: boolean): JobFile => ({
      rows: readFile(
        isKeyed ? summed : content,
        isLines ? 'jsonl' : 'csv',
        columns,
        jobs.fileBounds,
      ),
      bytesMax,
      ...(isKeyed && { fingerprint }),
    }),
  };
};

const mustFind = async (
  models: ReadModels,
  accountId: string,
  id: string,
): Promise<JobDocument> => {
  const job = await models.get(jobs, id);
  if (job?.accountId === accountId) return job;
  throw models.notFound(new AppError('resource.unknown', 'Job not found'));
};

/** Messages are counted as they come; what was refused is told at the end of a part. */
const countsOf = async (models: ReadModels, { id, sent: settled, refused, plan }: JobDocument) => {
  const of = (status: string) =>
    models.count(messages, {
      where: { jobId: id, status },
      order: { field: 'order', direction: 'ascending' },
    });
  const found = await Promise.all(['sent', 'delivered', 'read', 'failed'].map(of));
  const [recorded, delivered, read, failed] = found as [number, number, number, number];
  const after = delivered + read + failed;
  // The record of a message may come after the end of its part.
  const sent = Math.max(recorded, settled - after);
  const others = (plan?.good ?? 0) - sent - after;
  return {
    waiting: Math.max(0, others - refused),
    sent,
    delivered,
    read,
    failed,
    // Of one that is over, without those of unknown outcome that a status has proven since.
    refused: Math.min(refused, others),
  };
};

/** Messages a second that a job sends at most: its own bound, and that of its number. */
const paceOf = async (
  { lookups }: Deps,
  {
    accountId,
    phoneNumberId,
    perSecond,
  }: Pick<JobDocument, 'accountId' | 'phoneNumberId' | 'perSecond'>,
): Promise<number> => {
  const number = await findConfiguredNumber(lookups, accountId, phoneNumberId ?? undefined);
  const ofNumber = number?.messagesPerSecond ?? DEFAULT_MESSAGES_PER_SECOND;
  return Math.min(perSecond ?? ofNumber, ofNumber);
};

type Paced = Parameters<typeof paceOf>[1] & Pick<JobDocument, 'sendAt'>;

/** When so many messages would have gone out if they went on now, or at their time. */
const finishOf = async (deps: Deps, job: Paced, left: number): Promise<string> => {
  const beginsAt = Math.max(deps.clock.now(), job.sendAt === null ? 0 : Date.parse(job.sendAt));
  return isoTime(beginsAt + (left / (await paceOf(deps, job))) * 1000);
};

const shownPlan = (plan: JobPlan, finishesAt: string | null): z.input<typeof Plan> => ({
  rows: plan.rows,
  good: plan.good,
  bad: plan.bad,
  duplicates: plan.duplicates,
  totals: plan.totals.map((total) => ({
    category: total.category,
    market: total.market,
    count: total.count,
    unitPrice: formatMicros(total.unitPrice),
    amount: inUnit(plan.billing, total.amount),
  })),
  amount: inUnit(plan.billing, plan.amount),
  finishesAt,
});

const shown = async (deps: Deps, models: ReadModels, job: JobDocument) => {
  const { plan } = job;
  const billing =
    plan?.billing ?? (await models.get(accounts, job.accountId))?.billing ?? 'credits';
  const counts = await countsOf(models, job);
  const unit = (amount: number) => inUnit(billing, amount);
  const isOver = job.endedAt !== null;
  return {
    id: job.id,
    name: job.name,
    event: job.event,
    state: job.status,
    reason: job.reason,
    retryOf: job.retryOf,
    plan: plan && shownPlan(plan, isOver ? null : await finishOf(deps, job, counts.waiting)),
    counts,
    amount: unit(job.amount),
    sendAt: job.sendAt,
    maxAmount: job.maxAmount === null ? null : unit(job.maxAmount),
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    endedAt: job.endedAt,
  };
};

const answerDryRun = async (
  deps: Deps,
  spec: JobSpec,
  rows: JobFile['rows'],
  caller: { accountId: string; requestId: string },
) => {
  const { plan, flaws } = await deps.jobs.rehearse(spec, rows, caller);
  const { phoneNumberId, perSecond, sendAt } = spec;
  const paced = { accountId: caller.accountId, phoneNumberId, perSecond, sendAt };
  const answer: z.input<typeof DryRun> = {
    plan: shownPlan(plan, await finishOf(deps, paced, plan.good)),
    rows: flaws.map(({ row, state, problem }) => ({ row, state, error: problem })),
  };
  return reply(200, answer as never);
};

interface FullRow extends Omit<JobRowRecord, 'state' | 'problem'> {
  state: RowState;
  error: string | null;
  metaMessageId: string | null;
}

/** Whether the job may not know of its message: its part is under way, or a status proved it later. */
const mayBeSent = ({ state, problem }: JobRowRecord): boolean =>
  state === 'waiting' || problem === 'OUTCOME_UNKNOWN';

/**
 * What is known of rows whose part is under way, by recipient: the stream of the job has the outcomes of a
 * part at the end of its turn. Of those that are being sent, the charges.
 */
const underWay = async (
  { store }: Deps,
  models: ReadModels,
  { accountId, id: jobId, event, startedAt, order }: JobDocument,
  rows: readonly JobRowRecord[],
) => {
  const refs = rows.flatMap((row) => (mayBeSent(row) ? (row.ref ?? []) : []));
  if (startedAt === null || refs.length === 0) {
    return { sent: new Map<string, ChargedMessage>(), sending: new Map<string, string>() };
  }
  const of = { accountId, contactRef: { in: refs } };
  const limit = refs.length;
  const [sent, open] = await Promise.all([
    models.find(messages, {
      where: { ...of, jobId, order: { gt: order } },
      order: { field: 'order', direction: 'descending' },
      limit,
    }),
    models.find(reservations, {
      where: { ...of, event, ...isOpen },
      order: { field: 'reservedAt', direction: 'ascending' },
      limit,
    }),
  ]);
  const charges = await Promise.all(open.map((one) => readCharge(store, one)));
  const own = charges.flatMap((charge) => (charge?.data.outline.jobId === jobId ? charge : []));
  return {
    sent: new Map(chargedIn(sent).map((one) => [one.contactRef, one])),
    sending: new Map(own.map(({ data }) => [data.contactRef, data.chargeId])),
  };
};

/** Rows with the states of their messages. */
const withMessages = async (
  deps: Deps,
  models: ReadModels,
  job: JobDocument,
  rows: readonly JobRowRecord[],
): Promise<FullRow[]> => {
  const charges = rows.flatMap(({ chargeId }) => chargeId ?? []);
  const [found, { sent, sending }] = await Promise.all([
    messagesOf(models, job.accountId, charges),
    underWay(deps, models, job, rows),
  ]);
  const byCharge = new Map(found.map((one) => [one.chargeId, one]));
  return rows.map(({ problem, ...row }) => {
    const ref = row.ref ?? '';
    const known = row.chargeId === null ? sent.get(ref) : byCharge.get(row.chargeId);
    const chargeId = row.chargeId ?? known?.chargeId ?? sending.get(ref) ?? null;
    const state = known?.status ?? (sending.has(ref) ? 'sending' : row.state);
    return {
      ...row,
      chargeId,
      state: state as RowState,
      error: known ? known.errorCode : problem,
      metaMessageId: known?.metaMessageId ?? null,
    };
  });
};

async function* rowsOf({ store, jobs }: Deps, { accountId, id: jobId }: JobDocument, after = 0) {
  const { parts } = await jobs.stateOf({ accountId }, jobId);
  yield* readJobRows(store, { accountId, jobId, parts }, after);
}

/** Rows that one page looks at. */
const LOOKED_AT_MAX = 5_000;

const pageOfRows = async (
  deps: Deps,
  models: ReadModels,
  job: JobDocument,
  { state, limit, after }: { state: RowState | undefined; limit: number; after: number },
) => {
  const rows: FullRow[] = [];
  let looked = 0;
  for await (const part of rowsOf(deps, job, after)) {
    for (const row of await withMessages(deps, models, job, part)) {
      if (state !== undefined && row.state !== state) continue;
      rows.push(row);
      if (rows.length === limit) return { rows, next: row.row };
    }
    looked += part.length;
    if (looked >= LOOKED_AT_MAX) return { rows, next: part.at(-1)!.row };
  }
  return { rows, next: null };
};

const cell = (value: string | number | null): string =>
  typeof value === 'string' && /^\+?\d+$/.test(value) ? value : csvCell(value);

const RESULT = [
  'row',
  'state',
  'to',
  'clientReference',
  'metaMessageId',
  'chargeId',
  'error',
] as const;

async function* resultOf(
  deps: Deps,
  models: ReadModels,
  job: JobDocument,
  format: 'csv' | 'jsonl',
) {
  if (format === 'csv') yield `${RESULT.join(',')}\r\n`;
  for await (const part of rowsOf(deps, job)) {
    const rows = await withMessages(deps, models, job, part);
    yield rows
      .map((row) =>
        format === 'csv'
          ? `${RESULT.map((name) => cell(row[name])).join(',')}\r\n`
          : `${JSON.stringify(Object.fromEntries(RESULT.map((name) => [name, row[name]])))}\n`,
      )
      .join('');
  }
}

const page = z.object({
  state: z.enum(rowStates).optional().describe('Rows in this state only.'),
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Rows of the page.'),
  cursor: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a `nextCursor` of this list')
    .optional()
    .describe('`nextCursor` of the page before.'),
});

/** The rows of a job that were not delivered, by the names of the event's variables. */
async function* failedRows(deps: Deps, models: ReadModels, job: JobDocument) {
  const { variables } = findEvent(job.event)!;
  let row = 0;
  for await (const part of rowsOf(deps, job)) {
    for (const one of await withMessages(deps, models, job, part)) {
      if (one.state !== 'failed' && one.state !== 'refused') continue;
      if (one.to === null || one.values === null) continue;
      row += 1;
      const values = Object.fromEntries(variables.map((name, at) => [name, one.values![at]]));
      yield { row, fields: { ...values, to: one.to, clientReference: one.clientReference ?? '' } };
    }
  }
}

const common = { access: 'key', tags: ['Jobs'] } as const;
const reading = { ...common, scope: [SEND, 'messages:read'] } as const;

const verbs = {
  start: {
    command: 'Start',
    summary: 'Start a job',
    description: 'It is queued while two others of the account run.',
  },
  pause: {
    command: 'Pause',
    summary: 'Pause a job',
    description: 'What is under way is sent.',
  },
  resume: {
    command: 'Resume',
    summary: 'Go on with a paused job',
    description: 'With the rows that wait.',
  },
  cancel: {
    command: 'Cancel',
    summary: 'Cancel a job',
    description: 'What waits is not sent, for good.',
  },
} as const;

const verbRoute = (deps: Deps, verb: keyof typeof verbs) => {
  const { command, summary, description } = verbs[verb];
  return defineRoute({
    ...common,
    method: 'POST',
    path: `/v1/jobs/:jobId/${verb}`,
    scope: SEND,
    // Each pause and cancel has one of these before it.
    ...((verb === 'start' || verb === 'resume') && { free: true as const }),
    summary,
    description,
    answer: 'The job after it.',
    responses: { 200: Job },
    errors: ['resource.unknown', 'job.state'],
    reads: [jobs, messages, accounts],
    async handle({ params }, { key, requestId, upToDate }) {
      const { accountId } = key;
      const { jobId: id } = params as { jobId: string };
      const context = actingFor({ key, requestId });
      const asked =
        command === 'Pause' ? { type: command, reason: null } : ({ type: command } as const);
      await deps.jobs.execute(accountId, id, asked, context);
      const models = await upToDate();
      return shown(deps, models, await mustFind(models, accountId, id));
    },
  });
};

const Created = z.object({
  id: z.string().describe('`job_…`.'),
  state: z.literal('checking').describe('Read the job until it is `ready`.'),
});

const listQuery = z.object(pageQuery);

/** What the list of an account has in common, for itself and for operators. */
const newest = {
  method: 'GET',
  description: 'Without their rows.',
  request: { query: listQuery },
  responses: { 200: pageOf('jobs', Job) },
  errors: [],
  reads: [jobs, messages, accounts],
} as const;

const newestOf = async (
  deps: Deps,
  models: ReadModels,
  { owner, accountId }: { owner: string; accountId: string },
  query: z.output<typeof listQuery>,
) => {
  const { rows, nextCursor } = await readPage(models, owner, jobs, query, { accountId });
  return { jobs: await Promise.all(rows.map((job) => shown(deps, models, job))), nextCursor };
};

/** One event for the rows of a file. */
export const jobRoutes = (deps: Deps): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/jobs',
    scope: SEND,
    summary: 'Make a job: one event for the rows of a file',
    description:
      'Reads every row once with the rules of a strict send, and sends nothing until the job is started. ' +
      'As a form with `spec` and `file`, or as JSON with `rows` (1 MB).',
    answer: 'The rows are checked: read the job for its plan.',
    upload: Form,
    request: { body: JobBody },
    responses: { 201: Created },
    dryRun: DryRun,
    free: true,
    idempotent: {
      contacts: null,
      // The dry run of a form, which claims its key before it is read, has done nothing.
      isFinal: ({ status }) => status === 201,
      async compare({ body }, context, answer) {
        if (body !== undefined) return;
        const { key, requestId } = context as KeyContext;
        const { accountId } = key;
        deps.transfers.begin('upload', context as KeyContext);
        await context.readForm(deps.jobs.fileBounds, (form) =>
          deps.jobs.mustBeOf((answer as { id: string }).id, uploadIn(deps, form), {
            accountId,
            requestId,
          }),
        );
      },
    },
    errors: ['event.unknown', 'job.unusable', 'job.full'],
    reads: [accounts],
    async handle({ body }, context) {
      const { key, upToDate } = context;
      const keyed = keyedBy(context);
      const { accountId } = key;
      const caller = actingFor(context);
      const models = await upToDate();
      const billing = (await models.get(accounts, accountId))?.billing ?? 'credits';
      const answer = async (given: z.output<typeof Spec>, file: JobFile) => {
        const spec = specOf(given, entryOf(given), billing);
        if (given.dryRun) return answerDryRun(deps, spec, file.rows, caller);
        return {
          id: await deps.jobs.create(spec, file, caller, keyed),
          state: 'checking' as const,
        };
      };
      if (body !== undefined) {
        return answer(body, { rows: numbered(body.rows), bytesMax: context.bodyBytes.length });
      }
      deps.transfers.begin('upload', context);
      return context.readForm(deps.jobs.fileBounds, async (form) => {
        const upload = uploadIn(deps, form);
        const given = parsed<z.output<typeof Spec>>(checkSpec, upload.spec);
        return answer(given, upload.fileOf(given, keyed !== undefined));
      });
    },
  }),
  defineRoute({
    ...reading,
    ...newest,
    path: '/v1/jobs',
    summary: 'List the jobs, newest first',
    handle: ({ query }, { key: { accountId }, models }) =>
      newestOf(deps, models, { owner: accountId, accountId }, query),
  }),
  defineRoute({
    ...newest,
    path: '/admin/v1/accounts/:id/jobs',
    access: 'administrator',
    tags: ['Accounts'],
    summary: 'List the jobs of an account, newest first',
    handle: ({ params, query }, { models }) =>
      newestOf(deps, models, { owner: ADMINISTRATION, accountId: params.id }, query),
  }),
  defineRoute({
    ...reading,
    method: 'GET',
    path: '/v1/jobs/:jobId',
    summary: 'Read a job: its state, plan and counts',
    description: 'The amounts are in the unit of the account.',
    answer: 'The job.',
    responses: { 200: Job },
    errors: ['resource.unknown'],
    reads: [jobs, messages, accounts],
    async handle({ params }, context) {
      const { key, models } = context;
      return shown(deps, models, await mustFind(models, key.accountId, params.jobId));
    },
  }),
  ...(Object.keys(verbs) as (keyof typeof verbs)[]).map((verb) => verbRoute(deps, verb)),
  defineRoute({
    ...reading,
    method: 'GET',
    path: '/v1/jobs/:jobId/rows',
    summary: 'List the rows of a job',
    description: 'With what is wrong with each, or its message.',
    answer: 'The rows in the order of the file. A page may be short.',
    request: { query: page },
    responses: {
      200: z.object({
        rows: z.array(Row).describe('The rows, in the order of the file.'),
        nextCursor: z.string().nullable().describe('For the next page; null at the end.'),
      }),
    },
    errors: ['resource.unknown'],
    reads: [jobs, messages, reservations],
    async handle({ params, query }, context) {
      const { key, models } = context;
      const job = await mustFind(models, key.accountId, (params as { jobId: string }).jobId);
      const { state, limit, cursor = '0' } = query;
      const { rows, next } = await pageOfRows(deps, models, job, {
        state,
        limit,
        after: Number(cursor),
      });
      return {
        rows: rows.map(({ row, state: shownAs, error, metaMessageId, chargeId }) => ({
          row,
          state: shownAs,
          error,
          metaMessageId,
          chargeId,
        })),
        nextCursor: next === null ? null : String(next),
      };
    },
  }),
  defineRoute({
    ...reading,
    method: 'GET',
    path: '/v1/jobs/:jobId/result',
    summary: 'Download what became of the rows',
    description: 'At any moment, as CSV that is safe in spreadsheets, or as JSON Lines.',
    answer: 'One line for each row.',
    request: {
      query: z.object({
        format: z.enum(['csv', 'jsonl']).default('csv').describe('Form of the lines.'),
      }),
    },
    responses: { 200: z.string().describe('The lines.') },
    download: 'file',
    errors: ['resource.unknown'],
    reads: [jobs, messages, reservations],
    async handle({ params, query }, context) {
      const { key, models } = context;
      const job = await mustFind(models, key.accountId, (params as { jobId: string }).jobId);
      deps.transfers.begin('download', context);
      const { format } = query;
      return reply(200, Readable.from(resultOf(deps, models, job, format)) as never, {
        'Content-Type':
          format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
        'Content-Disposition': `attachment; filename="${job.id}.${format}"`,
      });
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/jobs/:jobId/retry',
    scope: SEND,
    summary: 'Make a job of the rows that failed or were refused',
    description: 'A 409 where there is none, and a 410 once the file is destroyed.',
    answer: 'The new job; start it once it is `ready`.',
    responses: { 201: Created },
    free: true,
    idempotent: { contacts: null },
    errors: ['resource.unknown', 'resource.erased', 'job.state', 'job.unusable', 'job.full'],
    reads: [jobs, messages, reservations],
    async handle({ params }, context) {
      const { key, upToDate } = context;
      const { accountId } = key;
      const models = await upToDate();
      const job = await mustFind(models, accountId, (params as { jobId: string }).jobId);
      if (!(await deps.subjects.areHeld([job.fileRef]))) throw destroyed();
      const rows = failedRows(deps, models, job);
      const id = await deps.jobs.retry(job.id, rows, actingFor(context), keyedBy(context));
      return { id, state: 'checking' as const };
    },
  }),
];

const destroyed = () =>
  new AppError(
    'resource.erased',
    'The file of this job was destroyed: 30 days after its end nothing of it can be sent again',
  );
