import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { pause } from '../../shared/timing.ts';
import { type Api, route } from '../api/api.ts';
import { ApiRefusal } from '../api/api-error.ts';
import { STANDARD_OUTPUT, writeOut } from '../output/file.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import type { Context } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import { gathered, oneOf, wholeNumber } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { type MoneyOptions, withIdempotencyKey } from './money.ts';
import { type TimingOptions, timingOf, withHours } from './scheduled.ts';
import { listVerb } from './verbs.ts';

type Timing = Pick<TimingOptions, 'at' | 'between' | 'timeZone'>;

interface Options extends MoneyOptions, Timing {
  event: string;
  to: string;
  var?: string[];
  reference?: string;
  name?: string;
  number?: string;
  language?: string;
  maxAmount?: string;
  perSecond?: number;
  dryRun?: true;
}

const UPLOAD_MS = 6 * 60_000;
const LOOK_EVERY_MS = 500;

/** `orderId=order` is a variable and its column; a name alone is both. */
const columnsOf = ({ to, reference, var: named = [] }: Options) => ({
  to,
  clientReference: reference,
  variables: Object.fromEntries(
    named.map((word) => {
      const [variable = '', column = variable] = word.split('=', 2);
      if (variable !== '' && column !== '') return [variable, column];
      throw usageError(`"${word}" names no column: write variable=column, such as orderId=order`);
    }),
  ),
});

/** Whole credits, or the decimal text of a wallet. */
const boundOf = (text: string | undefined) =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : text;

const factsOf = (job: Row): Facts => {
  const plan = rowOf(job.plan);
  /** Of a dry run. */
  const flaws = (job.rows ?? []) as readonly Row[];
  return [
    ['job', job.id],
    ['name', job.name],
    ['event', job.event],
    ['state', job.state],
    ['reason', job.reason],
    ['rows', plan.rows],
    ['can be sent', plan.good],
    ['bad', plan.bad],
    ['duplicates', plan.duplicates],
    ['would take', plan.amount],
    ['taken', job.amount],
    ...Object.entries(rowOf(job.counts)),
    ['finishes at', plan.finishesAt],
    ...flaws.map(({ row, state, error }) => [`row ${row}`, `${state}: ${error}`] as const),
  ];
};

const show = ({ out }: Context, job: Row): void =>
  out.one(job, (of) => factsOf(of).filter(([, value]) => value !== undefined && value !== null));

const read = (api: Api, id: string) => api.get<Row>(route`/jobs/${id}`);

/** How long a service may be away, such as for a restart. */
const AWAY_MS = 2 * 60_000;

/** Reads the job until `isOver`, or until Ctrl-C, and shows how far it is. */
const watch = async (
  { api, io, out }: Context,
  id: string,
  isOver: (job: Row) => boolean,
  signal = io.interrupted(),
): Promise<Row> => {
  const { progress } = out;
  let answeredAt = performance.now();
  try {
    for (;;) {
      const job = await read(api, id).catch((error: Error) => {
        const isLost = error instanceof ApiRefusal ? error.status >= 500 : true;
        if (isLost && !signal.aborted && performance.now() - answeredAt < AWAY_MS) return undefined;
        throw new CliError(
          `${error.message}\n  The job goes on with the service: waybill job watch ${id}`,
        );
      });
      if (!job) {
        progress.show('The service is away: the job goes on when it is back');
        await pause(LOOK_EVERY_MS, signal);
        continue;
      }
      answeredAt = performance.now();
      if (isOver(job)) return job;
      if (signal.aborted) {
        out.note(`The job goes on without you: waybill job show ${id}`);
        return job;
      }
      const good = Number(rowOf(job.plan).good ?? 0);
      const done = good - Number(rowOf(job.counts).waiting);
      progress.show(`${String(job.state)}  ${done} of ${good}`, good > 0 ? done / good : undefined);
      await pause(LOOK_EVERY_MS, signal);
    }
  } finally {
    progress.end();
  }
};

/** Uploads the file. Resolves to the answer. */
const upload = async ({ api, io }: Context, file: string, options: Options): Promise<Row> => {
  const { event, name = basename(file), number, language, maxAmount, perSecond, dryRun } = options;
  const spec = {
    event,
    name,
    phoneNumberId: number,
    languageCode: language,
    maxAmount: boundOf(maxAmount),
    perSecond,
    ...timingOf(options),
    columns: columnsOf(options),
    dryRun,
  };
  const content = await openAsBlob(file).catch((error: Error) => {
    throw new CliError(`${file} cannot be read: ${error.message}`);
  });
  const { FormData } = await import('undici');
  const form = new FormData();
  form.append('spec', JSON.stringify(spec));
  form.append('file', content, basename(file));
  const { idempotencyKey = io.uuid() } = options;
  const call = { form, timeoutMs: UPLOAD_MS, ...(!dryRun && { idempotencyKey }) };
  return (await api.call<Row>('POST', '/jobs', call)).body;
};

/** Makes a job of the file, and waits for the plan, or until Ctrl-C. */
const make = async (context: Context, file: string, options: Options) => {
  const { id } = await upload(context, file, options);
  const signal = context.io.interrupted();
  const job = await watch(context, String(id), ({ state }) => state !== 'checking', signal);
  if (job.state === 'unusable') throw new CliError(String(job.reason));
  return { job, isLeft: signal.aborted };
};

/** The verbs that take a file. */
const fileVerb =
  (
    name: string,
    about: string,
    act: (context: Context, file: string, options: Options) => Promise<void>,
  ): Verb =>
  (noun, wrap, io) => {
    const command = noun
      .command(name)
      .description(about)
      .argument('<file>', 'CSV with a head, or JSON Lines (.jsonl), in UTF-8')
      .requiredOption('--event <event>', 'Event of the catalog')
      .requiredOption('--to <column>', 'Column with the recipients')
      .option('--var <variable=column>', 'Column of a variable; repeat for more', gathered)
      .option('--reference <column>', 'Column with your references')
      .option('--name <text>', 'A name for people (default: that of the file)')
      .option('--language <locale>', 'Language of the template, such as en_US')
      .option('--number <phoneNumberId>', "The sending number (default: the account's oldest)")
      .option('--max-amount <amount>', 'Never take more: credits, or such as 25.00')
      .option('--per-second <n>', 'Messages a second at most', wholeNumber(1));
    withIdempotencyKey(withHours(command, io));
    if (name === 'send') command.option('--dry-run', 'Print the plan, and send nothing');
    return command.action(wrap(act));
  };

const isOver = ({ state }: Row) => ['paused', 'cancelled', 'done'].includes(String(state));

const send = fileVerb(
  'send',
  'Send one event to the rows of a file',
  async (context, file, options) => {
    if (options.dryRun) return show(context, await upload(context, file, options));
    const { job, isLeft } = await make(context, file, options);
    const id = String(job.id);
    if (isLeft) throw new CliError(`The job was not started: waybill job start ${id}`);
    await context.api.send('POST', route`/jobs/${id}/start`);
    show(context, await watch(context, id, isOver));
  },
);

const create = fileVerb(
  'create',
  'Check a file, and make a job of it',
  async (context, file, options) => show(context, (await make(context, file, options)).job),
);

const stepVerb =
  (name: string, about: string): Verb =>
  (noun, act) =>
    noun
      .command(name)
      .description(about)
      .argument('<id>')
      .action(
        act(async (context: Context, id: string) =>
          show(context, await context.api.send('POST', `${route`/jobs/${id}`}/${name}`)),
        ),
      );

const list = listVerb({
  description: 'List the jobs, newest first',
  from: '/jobs',
  field: 'jobs',
  columns: [
    { header: 'id', of: 'id' },
    { header: 'name', of: 'name', narrow: 'cut' },
    { header: 'event', of: 'event' },
    { header: 'state', of: 'state' },
    { header: 'waiting', of: ({ counts }) => rowOf(counts).waiting, align: 'right' },
    { header: 'taken', of: 'amount', align: 'right' },
    { header: 'created at', of: 'createdAt', narrow: 'drop' },
  ],
});

const showVerb: Verb = (noun, act) =>
  noun
    .command('show')
    .description('Show a job: its state, plan and counts')
    .argument('<id>')
    .action(
      act(async (context: Context, id: string) => show(context, await read(context.api, id))),
    );

const watchVerb: Verb = (noun, act) =>
  noun
    .command('watch')
    .description('Follow a job until it is over')
    .argument('<id>')
    .action(
      act(async (context: Context, id: string) => show(context, await watch(context, id, isOver))),
    );

const retry: Verb = (noun, act) =>
  noun
    .command('retry')
    .description('Make a job of the rows that failed or were refused')
    .argument('<id>')
    .action(
      act(async (context: Context, id: string) => {
        const made = await context.api.send<Row>('POST', route`/jobs/${id}/retry`);
        const job = await watch(context, String(made.id), ({ state }) => state !== 'checking');
        show(context, job);
      }),
    );

const formats = ['csv', 'jsonl'] as const;

const result: Verb = (noun, act) =>
  noun
    .command('result')
    .description('Write what became of each row')
    .argument('<id>')
    .option('--format <format>', 'csv or jsonl', oneOf(formats), 'csv')
    .option('--out <file>', 'Write to this file (default: standard output)', STANDARD_OUTPUT)
    .action(
      act(
        async (
          { api, io }: Context,
          id: string,
          { format, out }: { format: string; out: string },
        ) => writeOut(io, out, api.stream(`${route`/jobs/${id}`}/result`, { format }, UPLOAD_MS)),
      ),
    );

export const job: Noun = {
  name: 'job',
  group: 'Messages',
  summary: 'One event to the rows of a file',
  access: 'key',
  verbs: [
    send,
    create,
    list,
    showVerb,
    watchVerb,
    stepVerb('start', 'Start a checked job'),
    stepVerb('pause', 'Pause a job'),
    stepVerb('resume', 'Go on with a paused job'),
    stepVerb('cancel', 'Cancel a job: what waits is not sent'),
    retry,
    result,
  ],
  examples: [
    'job send codes.csv --event otp_verification --to phone --var otp=code',
    'job create codes.csv --event otp_verification --to phone --var otp',
    'job list',
    'job show <job>',
    'job watch <job>',
    'job start <job>',
    'job pause <job>',
    'job resume <job>',
    'job cancel <job>',
    'job retry <job>',
    'job result <job> --out result.csv',
  ],
};
