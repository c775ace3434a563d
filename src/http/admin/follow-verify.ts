import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Report, VerifyOptions, VerifyProgress } from '../../audit/verify.ts';
import { accounts } from '../../projections/accounts.ts';
import { AppError } from '../../shared/errors.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute } from '../route/route.ts';
import { type AuditDeps, VerifyReport, VerifyRequest } from './audit.ts';
import { ADMINISTRATION } from './context.ts';
import { mustBeKnown } from './whole-log.ts';

/** Steps are told at most this often. */
const TELL_EVERY_MS = 200;
/** Accounts whose events are counted before the work; of more, the number of events is not told. */
const ACCOUNTS_MAX = 5_000;

const Count = z.int().nullable().describe('Null where it is not known.');

const Step = z
  .object({
    progress: z
      .object({
        events: z.int().describe('Events of accounts that were read.'),
        ofEvents: Count.describe('How many there are to read, about; null where it is not known.'),
        accounts: z.int().describe('Accounts that were met.'),
        compared: z.int().describe('Accounts whose read models were compared.'),
        position: z.string().describe('Position in the log up to which it was read.'),
        head: z.string().describe('Position up to which it will be read.'),
      })
      .optional()
      .describe('How far it has come.'),
    report: VerifyReport.optional().describe(
      'The result, as `POST /admin/v1/ledger/verify` gives it.',
    ),
    head: z.string().optional().describe('With `report`: the position up to which it holds.'),
    error: z.string().optional().describe('Why there is no result.'),
  })
  .meta({ id: 'VerifyStep' });

type Told = Omit<z.output<typeof Step>, 'report'> & { report?: Report };

/** The number of events in the streams of the accounts; null for too many accounts. */
const countEvents = async (
  models: ReadModels,
  accountId: string | undefined,
): Promise<number | null> => {
  if (accountId !== undefined) {
    const account = await models.get(accounts, accountId);
    return account ? account.revision + 1 : null;
  }
  const all = await models.all(ADMINISTRATION, accounts, {
    where: {},
    limit: ACCOUNTS_MAX,
    fields: ['revision'],
    order: { field: 'order', direction: 'descending' },
  });
  if (all.length === ACCOUNTS_MAX) return null;
  return all.reduce((sum, { revision }) => sum + revision + 1, 0);
};

type Verify = (options: Pick<VerifyOptions, 'signal' | 'onProgress'>) => Promise<Report>;

/** Steps as server-sent events. Whoever closes the connection ends the work. */
const follow = async (verify: Verify, ofEvents: number | null, gone: AbortSignal) => {
  const stream = new Readable({ read() {} });
  const tell = (step: Told) => {
    if (!stream.destroyed) stream.push(`data: ${JSON.stringify(step)}\n\n`);
  };
  const begun = Promise.withResolvers<void>();
  let toldAt = 0;
  let head: string | undefined;
  const onProgress = ({ events, accounts, compared, position, ...to }: VerifyProgress) => {
    head = to.head;
    begun.resolve();
    if (performance.now() - toldAt < TELL_EVERY_MS || stream.readableLength > 0) return;
    toldAt = performance.now();
    tell({ progress: { events, ofEvents, accounts, compared, position, head } });
  };
  const running = verify({ signal: gone, onProgress });
  const told = running.then(
    (report) => tell({ report, ...(head !== undefined && { head }) }),
    (error) => tell({ error: error instanceof AppError ? error.message : 'It was interrupted' }),
  );
  void told.finally(() => stream.destroyed || stream.push(null));
  gone.addEventListener('abort', () => stream.destroy(), { once: true });
  // A refusal before the work is an answer of its own.
  await Promise.race([running, begun.promise]);
  return stream;
};

export const followVerifyRoute = ({ audit, log }: AuditDeps) =>
  defineRoute({
    method: 'POST',
    path: '/admin/v1/ledger/verify/follow',
    access: 'auditor',
    summary: 'Verify the books, and follow how far it has come, as server-sent events',
    description:
      'Each message has the progress, and the last one the result: without it nothing is verified. Whoever closes the connection ends the work. A verification that was interrupted begins anew, because it holds the books of all accounts while it runs.',
    answer: 'A stream of `text/event-stream`; each `data` is a JSON object of this shape.',
    tags: ['Audit'],
    request: { body: VerifyRequest },
    responses: { 200: Step },
    download: 'events',
    errors: ['resource.unknown'],
    reads: [accounts],
    async handle({ body: { accountId, seals: kept, keys } }, { upToDate, signal }) {
      if (accountId !== undefined) await mustBeKnown(log, accountId);
      const ofEvents = await countEvents(await upToDate(), accountId);
      const stream = await follow(
        (options) => audit({ accountId, seals: { kept, keys }, ...options }),
        ofEvents,
        signal(),
      );
      return reply(200, stream as never, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'X-Accel-Buffering': 'no',
      });
    },
  });
