import { z } from 'zod';
import { ratesOf } from '../events/category.ts';
import { decode, type KnownEvent } from '../events/index.ts';
import type { Price } from '../events/price.ts';
import type { EventReader } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import {
  type ExportEnd,
  type ExportReport,
  isEnd,
  isEvent,
  isStart,
  parse,
  type TermsSeen,
  verifyExport,
} from './export-file.ts';
import {
  createPeriodCount,
  creditValues,
  type Edge,
  issuerAt,
  ownersOf,
  readCard,
  readIssuers,
  type SealAfter,
} from './read-statement.ts';
import { createSealAfter, readSeals } from './seals/read-seals.ts';
import type { CreditValueOf, Period, Statement } from './statement.ts';

const named = z.object({
  id: z.string().describe('Its id.'),
  name: z.string().describe('Its name.'),
});

/** What a statement needs beside the events of the account: the last line of an export has it. */
export const ExportBooks = z.object({
  account: named.describe('The account.'),
  organisation: named.describe('The organisation of the account.'),
  issuers: z
    .array(
      z.object({
        position: z.string().describe('Position in the log from which on it issues.'),
        issuer: z
          .object({
            name: z.string().describe('Name.'),
            address: z.string().nullable().describe('Address, or null.'),
            taxId: z.string().nullable().describe('Number for taxes, or null.'),
          })
          .describe('The issuer.'),
      }),
    )
    .describe('Who issues statements, oldest first.'),
  plans: z
    .array(
      z.object({
        planId: z.string().describe('Id of the plan.'),
        planVersion: z.int().describe('Its version.'),
        creditValue: z.int().describe('Value of a credit, in millionths of the currency.'),
      }),
    )
    .describe('The credit plans under which the account paid.'),
  cards: z
    .array(
      z.object({
        rateCardId: z.string().describe('Id of the rate card.'),
        currency: z.string().describe('ISO 4217 code.'),
        effectiveFrom: z.string().describe('Time from which on it priced sends, ISO 8601.'),
        rates: z
          .record(z.string(), ratesOf(z.int()))
          .describe('Prices by market and category, in millionths.'),
      }),
    )
    .optional()
    .describe('The published rate cards that priced its messages.'),
  seals: z
    .array(
      z.object({
        number: z.int().describe('Number of the seal, from 1.'),
        at: z.string().describe('Time of the seal, ISO 8601.'),
        root: z.string().describe('Its root, in base64.'),
        position: z.string().describe('Position of the newest record that it covers.'),
      }),
    )
    .describe('The seals of the log, oldest first.'),
});
export type ExportBooks = z.output<typeof ExportBooks>;

/** Reads from the log what a statement needs beside the events of an account; undefined for an unknown one. */
export const readExportBooks = async (
  log: Pick<EventReader, 'read'>,
  accountId: string,
  { plans, rateCardIds }: TermsSeen,
): Promise<ExportBooks | undefined> => {
  const [opened] = (await log.read(`account-${accountId}`, { limit: 1 })) as KnownEvent[];
  if (opened?.type !== 'AccountOpened') return undefined;
  const owners = await ownersOf(log, accountId);
  const creditValueOf = creditValues(log);
  const values: ExportBooks['plans'] = [];
  for (const plan of plans) values.push({ ...plan, creditValue: await creditValueOf(plan) });
  const cards: NonNullable<ExportBooks['cards']> = [];
  for (const rateCardId of rateCardIds) cards.push(await readCard(log, rateCardId));
  const seals: ExportBooks['seals'] = [];
  const sealAfter = createSealAfter(log);
  for await (const { at } of readSeals(log)) {
    const found = await sealAfter(at);
    if (found && found.number > (seals.at(-1)?.number ?? 0)) seals.push(found);
  }
  return { ...owners, issuers: await readIssuers(log), plans: values, cards, seals };
};

/** The statement of an export alone, and whether the export is sound. */
interface StatementInExport {
  report: ExportReport;
  /** Undefined where the export is not sound. */
  statement: Statement | undefined;
}

const refuse = (what: string): never => {
  throw new AppError('resource.conflict', what);
};

/** The last line, whose events must reach over the period. */
const demandPeriod = (end: ExportEnd | undefined, { from, to }: Period): ExportBooks => {
  const { since = '', until } = end ?? {};
  if (from < since) refuse(`The export begins at ${since}: export an earlier period, or all of it`);
  if (until !== undefined && to > until)
    refuse(`The export ends before ${until}: export a later one`);
  const books = ExportBooks.safeParse(end?.books);
  return books.data ?? refuse('The export has no books in its last line: export it anew');
};

/**
 * The statement of a period as the service answers it, from an export alone, which is read twice: it is
 * verified first. Throws for a period that the export does not hold.
 */
export const statementInExport = async (
  read: () => AsyncIterable<string>,
  period: Period,
  onProgress?: (events: number) => void,
): Promise<StatementInExport> => {
  let end: ExportEnd | undefined;
  async function* seen() {
    for await (const line of read()) {
      const value = parse(line);
      if (isEnd(value)) end = value;
      yield line;
    }
  }
  const report = await verifyExport(seen(), onProgress);
  if (!report.ok) return { report, statement: undefined };
  const books = demandPeriod(end, period);
  const sealAfter: SealAfter = async (time) => books.seals.find(({ at }) => at >= time) ?? null;
  const edgeAt = async (time: string): Promise<Edge> => ({ time, seal: await sealAfter(time) });
  const [from, to] = [await edgeAt(period.from), await edgeAt(period.to)];
  const creditValueOf: CreditValueOf = async ({ planId, planVersion }) =>
    books.plans.find((one) => one.planId === planId && one.planVersion === planVersion)
      ?.creditValue ??
    refuse(`The export has no value of a credit for version ${planVersion} of plan ${planId}`);
  /** Prices of charges that were given back: some of them are counted again. */
  const refunded = new Map<string, Price>();
  let count: ReturnType<typeof createPeriodCount> | undefined;
  const begin = (start: Parameters<typeof createPeriodCount>[0]) =>
    createPeriodCount(start, { from, to }, ({ data }) => refunded.get(data.chargeId));
  for await (const line of read()) {
    const value = parse(line);
    if (isStart(value)) count = begin(value);
    if (!isEvent(value)) continue;
    const event = decode(value) as unknown as KnownEvent;
    if (event.type === 'AccountOpened') count ??= begin({ ...event.data, balance: 0 });
    if (event.type === 'ChargeRefunded') refunded.set(event.data.chargeId, event.data.price);
    await count?.take(event);
  }
  const counted = await count?.end(creditValueOf);
  if (!counted) return { report, statement: undefined };
  const { account, organisation } = books;
  const issuer = issuerAt(books.issuers, to);
  const statement = { account, organisation, issuer, period, ...counted, seal: to.seal };
  return { report, statement };
};
