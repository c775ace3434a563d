import { z } from 'zod';
import { Proof } from '../../audit/seals/proof.ts';
import type { Prover } from '../../audit/seals/prover.ts';
import { tlogProof } from '../../audit/seals/tlog-proof.ts';
import { locateCharge } from '../../events/charge-form.ts';
import { accounts } from '../../projections/accounts.ts';
import { ledger } from '../../projections/ledger.ts';
import { messages } from '../../projections/messages.ts';
import type { Clock } from '../../shared/clock.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute } from '../route/route.ts';
import { LedgerEntry } from './billing-schemas.ts';
import { messageIdsOf } from './charged-messages.ts';
import { ledgerEntryOf } from './ledger-entry.ts';

/** Contract 8: ledger rows per response. */
const ENTRIES_MAX = 20;

const NEWEST = 'The newest movements, up to 20.';

const WalletEntry = LedgerEntry.extend({
  amount: z.string().describe('Signed decimal string: below zero for a deduction.'),
  balanceAfter: z.string().describe('Balance after the movement, a decimal string.'),
}).meta({ id: 'WalletTransaction' });

interface ProofDeps {
  sealing: { prover: Pick<Prover, 'charge'> };
  clock: Clock;
}

const newestEntries = async <Unit extends 'credits' | 'wallet'>(
  models: ReadModels,
  accountId: string,
  unit: Unit,
) => {
  const newest = await models.find(ledger, {
    where: { accountId },
    order: { field: 'order', direction: 'descending' },
    limit: ENTRIES_MAX,
  });
  const rows = newest.filter((row) => row.billing === unit);
  const messageIds = await messageIdsOf(models, accountId, rows);
  return rows.map((row) => ledgerEntryOf(row, unit, messageIds));
};

/** Contract 4.23. An account on a wallet plan has no credits. */
export const creditsRoute = defineRoute({
  method: 'GET',
  path: '/v1/credits',
  access: 'key',
  scope: 'credits:read',
  names: true,
  summary: 'Read the credit balance and its latest movements',
  answer: 'The balance and the newest movements; 0 and none on a wallet plan.',
  tags: ['Billing'],
  responses: {
    200: z.object({
      balance: z.int().describe('Available credits; 0 on a wallet plan.'),
      transactions: z.array(LedgerEntry).describe(NEWEST),
    }),
  },
  errors: [],
  reads: [accounts, ledger, messages],
  async handle(_, { key: { accountId }, models }) {
    const account = await models.get(accounts, accountId);
    const counted = account?.billing === 'credits' ? account : undefined;
    return {
      balance: counted?.balance ?? 0,
      transactions: counted ? await newestEntries(models, accountId, 'credits') : [],
    };
  },
});

/** The duty seals in the first minutes of a UTC day. */
const SEALED_AFTER_MS = 120_000;
const DAY_MS = 86_400_000;

const notSealed = (now: number) =>
  new AppError('resource.not_sealed', 'The charge is not sealed yet', {
    retryAfterSeconds: Math.ceil((DAY_MS - (now % DAY_MS) + SEALED_AFTER_MS) / 1000),
  });

/** The proof of a charge of this account. */
export const proofRoute = ({ sealing, clock }: ProofDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/credits/proof',
    access: 'key',
    scope: 'credits:read',
    summary: 'Prove a charge: its place in the next seal of the ledger',
    description:
      'Anybody can check the proof without this service: `waybill ledger proof --file <file> --key <verifier key>`. It holds the charge as it is stored; what it says of the recipient is encrypted. `format=tlog-proof` is the same as a C2SP tlog-proof, which other programs read.',
    answer: 'The charge, its path to the root of the seal, and the signed seal.',
    tags: ['Billing'],
    request: {
      query: z.object({
        chargeId: z.string().min(1).max(200).describe('Id of the charge.'),
        format: z.enum(['json', 'tlog-proof']).default('json').describe('Form of the answer.'),
      }),
    },
    responses: { 200: Proof.meta({ id: 'ChargeProof' }) },
    texts: ['text/plain'],
    errors: ['resource.unknown', 'resource.not_sealed', 'resource.conflict'],
    async handle({ query: { chargeId, format } }, { key: { accountId } }) {
      const isOwn = locateCharge(chargeId)?.accountId === accountId;
      const found = isOwn ? await sealing.prover.charge(chargeId) : undefined;
      if (!found) throw new AppError('resource.unknown', 'Charge not found');
      if (!found.proof) throw notSealed(clock.now());
      if (format === 'json') return found.proof;
      return reply(200, tlogProof(found.proof) as never, {
        'Content-Type': 'text/plain; charset=utf-8',
      });
    },
  });

/** The wallet's counterpart of the credits: the same fields, amounts as decimal strings. */
export const walletRoute = defineRoute({
  method: 'GET',
  path: '/v1/wallet',
  access: 'key',
  scope: 'credits:read',
  names: true,
  summary: 'Read the wallet balance and its latest movements',
  tags: ['Billing'],
  responses: {
    200: z.object({
      balance: z.string().describe('Available money, a decimal string.'),
      currency: z.string().describe('ISO 4217 code.'),
      transactions: z.array(WalletEntry).describe(NEWEST),
    }),
  },
  errors: [],
  reads: [accounts, ledger, messages],
  async handle(_, { key: { accountId }, models }) {
    const account = await models.get(accounts, accountId);
    const wallet = account?.billing === 'wallet' ? account : undefined;
    return {
      balance: formatMicros(wallet?.balance ?? 0),
      currency: account?.currency ?? '',
      transactions: wallet ? await newestEntries(models, accountId, 'wallet') : [],
    };
  },
});
