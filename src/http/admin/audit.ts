import { z } from 'zod';
import { parseVerifierKey } from '../../audit/seals/note.ts';
import { readSealsText } from '../../audit/seals/seals-file.ts';
import type { Report, VerifyOptions } from '../../audit/verify.ts';
import type { EventReader } from '../../events/store.ts';
import { defineRoute } from '../route/route.ts';
import { mustBeKnown } from './whole-log.ts';

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
  })
  .meta({ id: 'VerifiedSeals' });

/** Which books to verify, and with which seals. */
export const VerifyRequest = z.object({
  accountId: z.string().min(1).max(100).optional().describe('Verifies only this account.'),
  seals: readBy(readSealsText, 900_000)
    .optional()
    .describe('Seals that were kept elsewhere, as their file holds them.'),
  keys: z
    .array(readBy(parseVerifierKey, 500))
    .max(10)
    .optional()
    .describe('Verifier keys: every seal must be signed by one of them.'),
});

export const VerifyReport = z.object({
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
    async handle({ body: { accountId, seals: kept, keys } }, { signal }) {
      if (accountId !== undefined) await mustBeKnown(log, accountId);
      return audit({ accountId, seals: { kept, keys }, signal: signal() });
    },
  });
