import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ReadModel } from '../../audit/read-model.ts';
import { parseVerifierKey } from '../../audit/seals/note.ts';
import { readSealsText } from '../../audit/seals/seals-file.ts';
import type { Report, VerifyOptions, VerifyProgress } from '../../audit/verify.ts';
import { parsePolicy } from '../../audit/witness/policy.ts';
import type { EventReader } from '../../events/store.ts';
import { accounts } from '../../projections/accounts.ts';
import { inTime, type Reader } from '../../projections/engine/reader.ts';
import { ledger } from '../../projections/ledger.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute } from '../route/route.ts';
import { ADMINISTRATION } from './context.ts';
import { mustBeKnown } from './whole-log.ts';

/** An audit may wait for a rebuild or a backlog. */
const REACHED_WITHIN_MS = 30_000;

/** The read models of money, as an audit queries them. */
export const createReadModel = (reader: Reader): ReadModel => ({
  reached: (position) => inTime(reader.reached([ledger, accounts], position, REACHED_WITHIN_MS)),
  rows: (entryIds) => reader.getMany(ledger, entryIds),
  rowsAfter: (accountId, position, limit) =>
    reader.find(ledger, {
      where: { accountId, ...(position !== '' && { order: { gt: position } }) },
      order: { field: 'order', direction: 'ascending' },
      limit,
    }),
  account: (accountId) => reader.get(accounts, accountId),
});

const Problem = z
  .object({
    accountId: z.string().nullable().describe('Null for a problem of no single account.'),
    kind: z.string().describe('Kind of the problem, to branch on.'),
    at: z.string().describe('An event of the log, or a row of the ledger.'),
    detail: z.string().describe('The expected and the found value.'),
  })
  .meta({ id: 'LedgerProblem' });

export interface AuditDeps {
  /** Reads the log and compares it with the read models; refuses while it is at it. */
  audit: (
    options: Pick<VerifyOptions, 'accountId' | 'seals' | 'signal' | 'onProgress'>,
  ) => Promise<Report>;
  log: Pick<EventReader, 'read'>;
}

/** A text that a function reads, or refuses in words. */
const readBy = <T>(read: (text: string) => T, lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .transform((text, context): T => {
      try {
        return read(text);
      } catch (error) {
        context.addIssue((error as Error).message);
        return z.NEVER;
      }
    });

const SealsFound = z
  .object({
    count: z.int().describe('Seals that the log agrees with.'),
    last: z
      .object({
        number: z.int().describe('Number of the seal, from 1.'),
        at: z.iso.datetime().describe('Time of the seal, ISO 8601.'),
      })
      .nullable()
      .describe('The last one of them, or null.'),
    signed: z.boolean().describe('Whether signatures were checked with the given keys.'),
    witnessed: z
      .literal(true)
      .optional()
      .describe('Present where the witnesses of a policy were checked.'),
  })
  .meta({ id: 'VerifiedSeals' });

/** Which books to verify, and with which seals. */
const VerifyRequest = z.object({
  accountId: z.string().min(1).max(100).optional().describe('Verifies only this account.'),
  seals: readBy(readSealsText, 900_000)
    .optional()
    .describe('Seals that were kept elsewhere, as their file holds them.'),
  keys: z
    .array(readBy(parseVerifierKey, 500))
    .max(10)
    .optional()
    .describe('Verifier keys: every seal must be signed by one of them.'),
  policy: readBy(parsePolicy, 100_000)
    .optional()
    .describe('A C2SP tlog-policy: its witnesses must have signed the newest seal.'),
});

const givenIn = ({ seals: kept, keys = [], policy }: z.output<typeof VerifyRequest>) => ({
  kept,
  keys: [...keys, ...(policy?.logs.map(({ key }) => key) ?? [])],
  policy,
});

const VerifyReport = z.object({
  ok: z.boolean().describe('True without problems.'),
  accounts: z.int().describe('Number of verified accounts.'),
  movements: z.int().describe('Number of verified movements.'),
  problems: z.array(Problem).describe('The first 1,000 problems.'),
  problemCount: z.int().describe('Number of all problems.'),
  /** Whether the read models could be compared. */
  readModel: z.boolean().describe('Whether the read models were compared too.'),
  seals: SealsFound.nullable().describe(
    'What seals confirm; null without seals, or for one account.',
  ),
});

export const verifyRoute = ({ audit, log }: AuditDeps) =>
  defineRoute({
    method: 'POST',
    path: '/admin/v1/ledger/verify',
    access: 'auditor',
    summary: 'Verify the books: the log by itself, and what is shown against the log',
    answer: 'The result. Problems are a result too: look at `ok`, not at the status.',
    description:
      'Reads every event up to now. `problemCount` counts all problems, the first 1,000 are listed.',
    tags: ['Audit'],
    request: { body: VerifyRequest },
    responses: { 200: VerifyReport },
    errors: ['resource.unknown'],
    async handle({ body }, { signal }) {
      const { accountId } = body;
      if (accountId !== undefined) await mustBeKnown(log, accountId);
      return audit({ accountId, seals: givenIn(body), signal: signal() });
    },
  });

/** Steps are reported at most this often. */
const TELL_EVERY_MS = 200;
/** Accounts whose events are counted before the work; of more, the number of events is not reported. */
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

/** Steps as server-sent events. Closing the connection ends the work. */
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
    async handle({ body }, { upToDate, signal }) {
      const { accountId } = body;
      if (accountId !== undefined) await mustBeKnown(log, accountId);
      const ofEvents = await countEvents(await upToDate(), accountId);
      const stream = await follow(
        (options) => audit({ accountId, seals: givenIn(body), ...options }),
        ofEvents,
        signal(),
      );
      return reply(200, stream as never, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'X-Accel-Buffering': 'no',
      });
    },
  });
