import { z } from 'zod';
import type { Report, VerifyOptions } from '../../audit/verify.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { AppError } from '../../shared/errors.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

const Problem = z.object({
  accountId: z.string().nullable(),
  kind: z.string(),
  at: z.string(),
  detail: z.string(),
});

const StoredEvent = z.object({
  stream: z.string(),
  revision: z.int(),
  position: z.string(),
  id: z.string(),
  type: z.string(),
  version: z.int(),
  meta: z.record(z.string(), z.unknown()),
  data: z.record(z.string(), z.unknown()),
});

export interface AuditDeps {
  /** Reads the log and compares it with the read models. */
  audit: (options: Pick<VerifyOptions, 'accountId' | 'signal'>) => Promise<Report>;
  log: Pick<EventReader, 'read'>;
}

const shown = ({ stream, revision, position, id, type, version, meta, data }: Recorded) => ({
  ...{ stream, revision, position, id, type, version },
  meta: { ...meta },
  data: data as Record<string, unknown>,
});

const unknownAccount = () => new AppError('resource.unknown', 'Account not found');

export const auditRoutes = ({ audit, log }: AuditDeps): readonly JsonRoute[] => {
  // A verification reads the whole log, so an instance runs one at a time.
  let isVerifying = false;

  const verifyAlone = async (options: Parameters<AuditDeps['audit']>[0]) => {
    if (isVerifying) {
      throw new AppError('service.busy', 'The books are being verified already', {
        retryAfterSeconds: 10,
      });
    }
    isVerifying = true;
    try {
      return await audit(options);
    } finally {
      isVerifying = false;
    }
  };

  return [
    defineRoute({
      method: 'POST',
      path: '/admin/v1/ledger/verify',
      access: 'auditor',
      summary: 'Verify the books: the log by itself, and what is shown against the log',
      description:
        'Reads every event up to now. `problemCount` counts all problems, the first 1,000 are listed.',
      tags: ['Audit'],
      request: { body: z.object({ accountId: z.string().min(1).max(100).optional() }) },
      responses: {
        200: z.object({
          ok: z.boolean(),
          accounts: z.int(),
          movements: z.int(),
          problems: z.array(Problem),
          problemCount: z.int(),
          /** Whether the read models could be compared. */
          readModel: z.boolean(),
        }),
      },
      errors: ['resource.unknown'],
      async handle({ body: { accountId } }, { signal }) {
        if (accountId !== undefined) {
          const [first] = await log.read(`account-${accountId}`, { limit: 1 });
          if (!first) throw unknownAccount();
        }
        const report = await verifyAlone({ accountId, signal });
        return { ...report, problems: [...report.problems] };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/accounts/:id/events',
      access: 'administrator',
      summary: 'Read the events of an account as the log holds them, oldest first',
      description: 'What replays, exports and their checks are made of. Go on at `nextFrom`.',
      tags: ['Audit'],
      request: {
        query: z.object({
          from: z.coerce
            .number()
            .int()
            .min(0)
            .max(Number.MAX_SAFE_INTEGER)
            .default(0)
            .describe('First revision to read; 0 when absent.'),
          limit: z.coerce
            .number()
            .int()
            .min(1)
            .max(1000)
            .default(500)
            .describe('Events on a page, 1 to 1,000; 500 when absent.'),
        }),
      },
      responses: {
        200: z.object({ events: z.array(StoredEvent), nextFrom: z.int().nullable() }),
      },
      errors: ['resource.unknown'],
      async handle({ params, query: { from, limit } }) {
        const events = await log.read(`account-${params.id}`, { from, limit });
        if (events.length === 0 && from === 0) throw unknownAccount();
        const last = events.at(-1);
        const nextFrom = last && events.length === limit ? last.revision + 1 : null;
        return { events: events.map(shown), nextFrom };
      },
    }),
  ];
};
