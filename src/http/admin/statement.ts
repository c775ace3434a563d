import { Readable } from 'node:stream';
import { z } from 'zod';
import { type PeriodProofDeps, provePeriod } from '../../audit/month-proof.ts';
import { readStatement, type SealAfter } from '../../audit/read-statement.ts';
import {
  formatStatement,
  statementFormats,
  statementJson,
  statementTypes,
} from '../../audit/statement-formats.ts';
import { Category } from '../../events/category.ts';
import { createMutex } from '../../shared/concurrency.ts';
import { reply } from '../edge/respond.ts';
import type { Transfers } from '../edge/transfers.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { LedgerEntry, MovementType } from '../v1/billing-schemas.ts';
import { Actor, iso } from '../v1/schemas.ts';
import { mustBePeriod, periodQuery, unknownAccount } from './whole-log.ts';

const amount = z.union([z.int(), z.string()]);
const money = (what: string) => z.string().describe(`${what}, a decimal string.`);
const count = z.int().describe('Number of links of the chain.');

const grant = z.object({
  at: iso.describe('Time of the movement, ISO 8601.'),
  type: MovementType.describe('`GRANT` or `REVOKE`.'),
  kind: z.enum(['top_up', 'adjustment']).nullable().describe('Of a wallet; null for credits.'),
  amount: amount.describe('Signed.'),
  reason: z.string().nullable().describe('The reason, as free text.'),
  by: Actor.nullable().describe('The acting administrator.'),
});

const charge = z.object({
  category: Category.describe('Category of the price.'),
  market: z.string().describe('Market of the rate card.'),
  unitPrice: money("Price of one message in the plan's currency"),
  creditsEach: z.int().nullable().describe('Credits of one message; null on a wallet.'),
  count: z.int().describe('Number of charges; free messages are those with the price 0.0000.'),
  amount: amount.describe('Sum of the movements: zero or below.'),
});

const refund = z.object({
  cause: LedgerEntry.shape.cause.unwrap().describe('Cause of the refunds, as in the ledger.'),
  count: z.int().describe('Number of refunds.'),
  amount: amount.describe('Sum of the movements: zero or above.'),
});

export const section = {
  billing: z.enum(['credits', 'wallet']).describe('What the account counts in.'),
  currency: z.string().describe('ISO 4217 code of the prices, and of a wallet.'),
  opening: amount.describe('Balance before the period: credits, or a decimal string of money.'),
  closing: amount.describe('Opening balance, grants, charges and refunds together.'),
  grants: z.array(grant).describe('Grants, top-ups and adjustments, in their order.'),
  charges: z.array(charge).describe('Charges by category, market and unit price.'),
  refunds: z.array(refund).describe('Refunds by cause.'),
  cost: z
    .object({
      sold: money(
        'What was charged and not given back: credits at the value of their plan version',
      ),
      prices: money('Prices of the same messages'),
      rounding: money('`sold` without `prices`: credits are whole'),
      providerCost: money('What the provider takes by the rate cards of the charges'),
      margin: money('`sold` without `providerCost`'),
      currency: z.string().describe('ISO 4217 code.'),
    })
    .optional()
    .describe('Absent with `cost=false`.'),
};

const link = z.object({
  sequence: z.int().describe('Number of the link in the chain of the account.'),
  hash: z.string().describe('Hash of the link.'),
});

const owner = (what: string) =>
  z
    .object({ id: z.string().describe('Its id.'), name: z.string().describe('Its name.') })
    .describe(what);

const Statement = z
  .object({
    accountId: z.string().describe('Id of the account.'),
    number: z.string().describe('Number of the statement: the period, and the end of the id.'),
    date: z.string().nullable().describe('The UTC day on which it became final; null before.'),
    account: owner('The account.'),
    organisation: owner('The organisation of the account.'),
    issuer: z
      .object({
        name: z.string().describe('Name.'),
        address: z.string().nullable().describe('Address, or null.'),
        taxId: z.string().nullable().describe('Number for taxes, or null.'),
      })
      .nullable()
      .describe('Who issues it, as the log had it at the seal; null where nobody is set.'),
    period: z
      .object({ from: iso.describe('Start, ISO 8601.'), to: iso.describe('End, not included.') })
      .describe('The period in UTC.'),
    ...section,
    chain: z
      .object({
        first: link.nullable().describe('The first link of the period, or null.'),
        last: link.nullable().describe('The last link of the period, or null.'),
        links: count.describe('Number of links in the period: of all charges, refunds and grants.'),
      })
      .describe('The part of the hash chain that the statement counts.'),
    seal: z
      .object({
        number: z.int().describe('Number of the seal, from 1.'),
        at: iso.describe('Time of the seal, ISO 8601.'),
        position: z.string().describe('Position in the log: opaque, compared as text.'),
        root: z.string().describe('Root of the tree of all chains.'),
      })
      .nullable()
      .describe('The first seal at or after the end of the period; null before it.'),
    final: z.boolean().describe('True once the period is over and sealed: it never changes again.'),
    earlier: z
      .array(z.object(section))
      .optional()
      .describe('Only where the account changed its unit in the period: the units before.'),
  })
  .meta({ id: 'Statement' });

const query = z.object({
  ...periodQuery,
  format: z.enum(statementFormats).default('json').describe('`json` by default.'),
  cost: z
    .enum(['true', 'false'])
    .default('true')
    .describe('`false` leaves out provider cost and margin: for the customer.'),
});

/** No script, no address: a page to print. */
const HTML_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Few enough that other requests wait 2 ms at most for one page of events. */
const PAGE = 200;

interface Deps {
  log: PeriodProofDeps['log'];
  sealAfter: SealAfter;
  sealing: { prover: PeriodProofDeps['prover'] };
  transfers: Transfers;
}

const common = {
  method: 'GET',
  summary: 'Read the statement of a month, counted from the log',
  description:
    'Every link of the hash chain in the period counts once. `opening`, `grants`, `charges` and `refunds` make `closing`. A movement belongs to the period of its time. Ends of periods are in UTC.',
  answer: 'The statement. The same bytes for ever once `final` is true.',
  responses: { 200: Statement },
  texts: Object.values(statementTypes).map((type) => type.replace(/;.*/, '')),
  errors: ['resource.unknown', 'resource.conflict'],
} as const;

const proofRoute = ({ log, sealAfter, sealing, transfers }: Deps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/statement/proof',
    access: 'key',
    scope: 'credits:read',
    tags: ['Billing'],
    summary: 'Download what proves a statement: its movements, and their seal',
    description:
      'JSON Lines: the events of the account in the period as the log holds them, with what is personal encrypted, and the proof of the first seal after its end. Anybody checks it without this service: `waybill ledger verify --file <file> --key <verifier key>`, and counts the statement again with `waybill statement --file <file>`. 404 while the period is not over and sealed, and where nothing moved in it.',
    answer: 'One line for each event, behind that of the proof.',
    request: { query: z.object(periodQuery) },
    responses: { 200: z.string().describe('The lines.') },
    download: 'file',
    errors: ['resource.unknown', 'resource.not_sealed', 'resource.conflict'],
    async handle({ query: asked }, context) {
      const { accountId } = context.key;
      const period = mustBePeriod(asked);
      const { prover } = sealing;
      const lines = await provePeriod({ log, prover, sealAfter }, accountId, period);
      transfers.begin('download', context);
      const signal = context.signal();
      const file = async function* () {
        for await (const line of lines) {
          signal.throwIfAborted();
          yield `${line}\n`;
        }
      };
      const name = `proof-${accountId}-${period.from.slice(0, 10)}.jsonl`;
      return reply(200, Readable.from(file()) as never, {
        'Content-Type': 'application/x-ndjson; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}"`,
      });
    },
  });

/** Statements of accounts, counted from the log one at a time in an instance. */
export const statementRoutes = (deps: Deps): readonly JsonRoute[] => {
  const oneAtATime = createMutex();
  const answer = async (
    accountId: string,
    { format, cost, ...asked }: z.output<typeof query>,
    signal: AbortSignal,
  ) => {
    const period = mustBePeriod(asked);
    const statement = await oneAtATime(() => {
      signal.throwIfAborted();
      const options = { sealAfter: deps.sealAfter, pageSize: PAGE, signal };
      return readStatement(deps.log, accountId, period, options);
    });
    if (!statement) throw unknownAccount();
    const withCost = cost === 'true';
    if (format === 'json') return statementJson(statement, withCost);
    return reply(200, formatStatement(statement, format, withCost) as never, {
      'Content-Type': statementTypes[format],
      ...(format === 'html' && { 'Content-Security-Policy': HTML_POLICY }),
    });
  };
  return [
    defineRoute({
      ...common,
      path: '/admin/v1/accounts/:id/statement',
      access: 'administrator',
      tags: ['Money'],
      request: { query },
      handle: ({ params: { id }, query: asked }, context) => answer(id, asked, context.signal()),
    }),
    defineRoute({
      ...common,
      path: '/v1/statement',
      access: 'key',
      scope: 'credits:read',
      tags: ['Billing'],
      // What the provider takes is the operator's own business.
      request: { query: query.omit({ cost: true }) },
      handle: ({ query: asked }, context) =>
        answer(context.key.accountId, { ...asked, cost: 'false' }, context.signal()),
    }),
    proofRoute(deps),
  ];
};
