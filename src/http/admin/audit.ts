import { z } from 'zod';
import { parseVerifierKey } from '../../audit/seals/note.ts';
import { readSealsText } from '../../audit/seals/seals-file.ts';
import type { Report, VerifyOptions } from '../../audit/verify.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { AppError } from '../../shared/errors.ts';
import { pick } from '../route/pick.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

const Problem = z
  .object({
    accountId: z.string().nullable().describe('Null for a problem of no single account.'),
    kind: z.string().describe('Kind of the problem, to branch on.'),
    at: z.string().describe('An event of the log, or a row of the ledger.'),
    detail: z.string().describe('The expected and the found value.'),
  })
  .meta({ id: 'LedgerProblem' });

const StoredEvent = z
  .object({
    stream: z.string().describe("Name of the event's stream."),
    revision: z.int().describe('Place in the stream, from 0.'),
    position: z.string().describe('Position in the log: opaque, compared as text.'),
    id: z.string().describe('Id of the event.'),
    type: z.string().describe('Name of the event, such as `ChargeReserved`.'),
    version: z.int().describe("Version of the event's shape."),
    meta: z.record(z.string(), z.unknown()).describe('Time, request, cause and actor.'),
    data: z.record(z.string(), z.unknown()).describe('Fields of the event.'),
  })
  .meta({ id: 'Event' });

export interface AuditDeps {
  /** Reads the log and compares it with the read models. */
  audit: (options: Pick<VerifyOptions, 'accountId' | 'seals' | 'signal'>) => Promise<Report>;
  log: Pick<EventReader, 'read'>;
}

/** What is sealed stays so: an operator who may read the log need not read what customers wrote. */
const shown = (event: Recorded) => {
  const { version, data } = event.asStored ?? event;
  const meta = { ...event.meta };
  return pick(StoredEvent, { ...event, version, meta, data: data as Record<string, unknown> });
};

const unknownAccount = () => new AppError('resource.unknown', 'Account not found');

/** Refuses work that reads the whole log while an instance is at it. */
export const oneAtATime = <Options, Result>(
  work: (options: Options) => Promise<Result>,
  refusal: string,
): ((options: Options) => Promise<Result>) => {
  let isRunning = false;
  return async (options) => {
    if (isRunning) throw new AppError('service.busy', refusal, { retryAfterSeconds: 10 });
    isRunning = true;
    try {
      return await work(options);
    } finally {
      isRunning = false;
    }
  };
};

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
  })
  .meta({ id: 'VerifiedSeals' });

const verifyRoute = ({ audit, log }: AuditDeps) => {
  const verify = oneAtATime(audit, 'The books are being verified already');
  return defineRoute({
    method: 'POST',
    path: '/admin/v1/ledger/verify',
    access: 'auditor',
    summary: 'Verify the books: the log by itself, and what is shown against the log',
    answer: 'The result. Problems are a result too: look at `ok`, not at the status.',
    description:
      'Reads every event up to now. `problemCount` counts all problems, the first 1,000 are listed.',
    tags: ['Audit'],
    request: {
      body: z.object({
        accountId: z.string().min(1).max(100).optional().describe('Verifies only this account.'),
        seals: readBy(readSealsText, 900_000)
          .optional()
          .describe('Seals that were kept elsewhere, as their file holds them.'),
        keys: z
          .array(readBy(parseVerifierKey, 500))
          .max(10)
          .optional()
          .describe('Verifier keys: every seal must be signed by one of them.'),
      }),
    },
    responses: {
      200: z.object({
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
      }),
    },
    errors: ['resource.unknown'],
    async handle({ body: { accountId, seals: kept, keys } }, { signal }) {
      if (accountId !== undefined) {
        const [first] = await log.read(`account-${accountId}`, { limit: 1 });
        if (!first) throw unknownAccount();
      }
      return verify({ accountId, seals: { kept, keys }, signal: signal() });
    },
  });
};

const wholeNumber = (min: number, max: number, otherwise: number) =>
  z.coerce.number().int().min(min).max(max).default(otherwise);

const eventsRoute = ({ log }: AuditDeps) =>
  defineRoute({
    method: 'GET',
    path: '/admin/v1/accounts/:id/events',
    access: 'administrator',
    summary: 'Read the events of an account as the log holds them, oldest first',
    description: 'What replays, exports and their checks are made of. Go on at `nextFrom`.',
    tags: ['Audit'],
    request: {
      query: z.object({
        from: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0).describe(
          'First revision to read; 0 when absent.',
        ),
        limit: wholeNumber(1, 1000, 500).describe('Events on a page, 1 to 1,000; 500 when absent.'),
      }),
    },
    responses: {
      200: z.object({
        events: z.array(StoredEvent).describe("The page's events, oldest first."),
        nextFrom: z.int().nullable().describe('`from` of the next page, or null.'),
      }),
    },
    errors: ['resource.unknown'],
    async handle({ params, query: { from, limit } }) {
      const events = await log.read(`account-${params.id}`, { from, limit });
      if (events.length === 0 && from === 0) throw unknownAccount();
      const last = events.at(-1);
      const nextFrom = last && events.length === limit ? last.revision + 1 : null;
      return { events: events.map(shown), nextFrom };
    },
  });

export const auditRoutes = (deps: AuditDeps): readonly JsonRoute[] => [
  verifyRoute(deps),
  eventsRoute(deps),
];
