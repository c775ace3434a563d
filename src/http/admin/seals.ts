import { z } from 'zod';
import { ExportProof, Proof } from '../../audit/seals/proof.ts';
import type { Prover } from '../../audit/seals/prover.ts';
import { parseHeads, readSeals } from '../../audit/seals/read-seals.ts';
import type { MadeSeal } from '../../audit/seals/sealer.ts';
import type { EventReader } from '../../events/store.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import { queryNumber } from '../route/paging.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

const SealShape = z
  .object({
    number: z.int().describe('Number of the seal, from 1.'),
    at: z.iso.datetime().describe('Time of the seal, ISO 8601.'),
    position: z.string().describe('Position in the log: opaque, compared as text.'),
    accounts: z.int().describe('Accounts with a movement.'),
    size: z
      .int()
      .nullable()
      .describe('Entries of the log that it covers; null for a seal of the old form.'),
    root: z.string().describe('Root of the tree of the entries, in base64.'),
    note: z.string().describe('The seal itself: a C2SP checkpoint as a signed note.'),
  })
  .meta({ id: 'Seal' });

const shown = ({ number, at, seal, stored }: MadeSeal) => {
  const { size, root, note, old } = seal;
  const accounts = stored.tree ? (parseHeads(stored.tree.heads)?.accounts ?? 0) : size;
  const position = stored.tree?.position ?? old?.position ?? '';
  return { number, at, position, accounts, size: old ? null : size, root, note };
};

export interface SealDeps {
  log: Pick<EventReader, 'read'>;
  sealing: {
    seal(): Promise<MadeSeal | null>;
    signer(): Promise<{ verifierKey: string }>;
    delivered(): Promise<{ file: number; url: number }>;
    prover: Prover;
  };
}

const common = { tags: ['Audit'] } as const;

const listRoute = ({ log, sealing }: SealDeps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/ledger/seals',
    access: 'administrator',
    summary: 'List the seals of the ledger, oldest first',
    description: 'Each seal is a signed statement of all movements and records up to its position.',
    request: {
      query: z.object({
        from: queryNumber(1, Number.MAX_SAFE_INTEGER, 1).describe('First number; 1 when absent.'),
        limit: queryNumber(1, 100, 50).describe('Seals on a page, 1 to 100; 50 by default.'),
      }),
    },
    responses: {
      200: z.object({
        seals: z.array(SealShape).describe('The seals of the page.'),
        nextFrom: z.int().nullable().describe('`from` of the next page, or null.'),
        key: z.string().describe('Verifier key of new seals, in the form of C2SP signed-note.'),
        delivered: z
          .object({
            file: z.int().describe('Last seal in WAYBILL_SEAL_FILE; 0 for none.'),
            url: z.int().describe('Last seal that WAYBILL_SEAL_URL took; 0 for none.'),
          })
          .describe('Up to which number seals were delivered.'),
      }),
    },
    errors: [],
    async handle({ query: { from, limit } }) {
      const seals: MadeSeal[] = [];
      let nextFrom: number | null = null;
      for await (const stored of readSeals(log, from - 1)) {
        if (seals.length === limit) {
          nextFrom = stored.number;
          break;
        }
        seals.push(stored);
      }
      const { verifierKey: key } = await sealing.signer();
      return { seals: seals.map(shown), nextFrom, key, delivered: await sealing.delivered() };
    },
  });

const sealRoute = ({ sealing }: SealDeps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/ledger/seals',
    access: 'administrator',
    summary: 'Seal the ledger now',
    description: 'The service does it once a day by itself. Reads what the log has added since.',
    answer: 'The new seal.',
    responses: { 201: SealShape },
    errors: ['resource.conflict'],
    async handle() {
      const seal = await sealing.seal();
      if (!seal) throw new AppError('resource.conflict', 'There is nothing to seal yet');
      return reply(201, shown(seal));
    },
  });

const proofRoute = ({ sealing }: SealDeps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/ledger/proof',
    access: 'administrator',
    summary: 'Prove a charge in its seal, or an account in the last seal',
    description: 'With `chargeId` as the holder of a key gets it; with `accountId` for an export.',
    request: {
      query: z.object({
        chargeId: z.string().min(1).max(200).optional().describe('Id of a charge.'),
        accountId: z.string().min(1).max(100).optional().describe('Id of an account.'),
        size: z.coerce
          .number()
          .int()
          .min(1)
          .optional()
          .describe(
            'With `accountId`: the size of the seal to prove under; the last one when absent.',
          ),
      }),
    },
    responses: { 200: z.union([ExportProof, Proof]) },
    errors: ['resource.unknown', 'resource.not_sealed', 'resource.conflict', 'request.malformed'],
    async handle({ query: { chargeId, accountId, size } }) {
      if ((chargeId === undefined) === (accountId === undefined)) {
        throw new AppError('request.malformed', 'Give either chargeId or accountId');
      }
      const { prover } = sealing;
      if (accountId !== undefined) {
        const head = await prover.head(accountId, size);
        if (head) return head.proof;
        throw new AppError('resource.not_sealed', 'No seal covers this account yet');
      }
      const found = await prover.charge(chargeId!);
      if (!found) throw new AppError('resource.unknown', 'Charge not found');
      if (found.proof) return found.proof;
      throw new AppError('resource.not_sealed', 'The charge is not sealed yet');
    },
  });

export const sealRoutes = (deps: SealDeps): readonly JsonRoute[] => [
  listRoute(deps),
  sealRoute(deps),
  proofRoute(deps),
];
