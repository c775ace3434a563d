import { setTimeout as pause } from 'node:timers/promises';
import type { AccountStart } from '../../audit/account-start.ts';
import type { Reconciliation } from '../../audit/billing-report.ts';
import type { ExportBooks } from '../../audit/export-books.ts';
import type { TermsSeen } from '../../audit/export-file.ts';
import type { WithMessages } from '../../audit/movement-csv.ts';
import type { ExportProof, Proof } from '../../audit/seals/proof.ts';
import type { Period } from '../../audit/statement.ts';
import type { StatementFormat } from '../../audit/statement-formats.ts';
import type { Report } from '../../audit/verify.ts';
import type { WhatIfAnswer } from '../../audit/what-if-report.ts';
import type { StoredEvent } from '../../events/index.ts';
import type { Recorded } from '../../events/store.ts';
import { printable } from '../../shared/printable.ts';
import { type Api, route } from '../api/api.ts';
import { readPages } from '../api/paging.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { ProgressLine } from '../output/progress.ts';
import { CliError } from '../program/failure.ts';

// Modules that read events are imported late: help and usage errors are quicker without them.

/** The period, form and content of a statement. */
export interface StatementQuery {
  period: Period;
  format: StatementFormat;
  withCost: boolean;
}

/** What to compare with the provider's bill, and whether with its analytics, too. */
interface ReconcileQuery {
  period: Period;
  accountId?: string | undefined;
  provider: boolean;
  /** Whether the differences have the ids of messages. */
  ids: boolean;
}

/** Rules as the API takes them. */
export type GivenRules = Readonly<Record<string, unknown>>;

/** What to decide again, and under which rules. */
interface WhatIfQuery {
  period: { from: string; to: string };
  /** All accounts when absent. */
  accountIds?: readonly string[] | undefined;
  rules: GivenRules;
}

/** Seals as their file has them, verifier keys, and a policy as its file has it. */
export interface GivenSeals {
  seals?: string | undefined;
  keys?: readonly string[] | undefined;
  policy?: string | undefined;
}

/** A balance as the API answers it. */
export interface BalanceAnswer {
  /** Whole credits, or a decimal string of money. */
  balance: number | string;
  asOf: string;
  entryId: string | null;
}

/** The log of entries as files. */
interface OpenTransparency {
  /** The note of the last seal; undefined before the first. */
  checkpoint(): Promise<string | undefined>;
  tile(path: string): Promise<Buffer | undefined>;
}

/** The books, read over the API of a service or from its log. */
export interface Books {
  /** The events of an account from a revision on, as the log holds them, oldest first. */
  events(accountId: string, from?: number): AsyncIterable<Recorded>;
  /** The same with the ids of messages, which only a service can tell. */
  withMessages(accountId: string, from?: number): AsyncIterable<WithMessages>;
  /** Where the events of a time begin. Undefined for an unknown account. */
  start(accountId: string, since: string): Promise<AccountStart | undefined>;
  /** The same with the events of its messages, in the order of the log. */
  history(accountId: string): AsyncIterable<Recorded>;
  /** What statements tell beside the events. Undefined for an unknown account. */
  told(accountId: string, terms: TermsSeen): Promise<ExportBooks | undefined>;
  /** Of now without a time. Throws for an unknown account. */
  balance(accountId: string, asOf?: string): Promise<BalanceAnswer>;
  verify(accountId?: string, seals?: GivenSeals): Promise<Report>;
  /** The proof of a charge in its seal. */
  proof(chargeId: string): Promise<Proof>;
  /** The proof of the account's newest link in the last seal, and of its other records. */
  headProof(accountId: string): Promise<ExportProof>;
  /** The log of entries. */
  transparency: OpenTransparency;
  /** The ids of the accounts that were opened before a time, in order. */
  accounts(before: string): Promise<readonly string[]>;
  /** Ends with a line end. Throws for an unknown account. */
  statement(accountId: string, query: StatementQuery): Promise<string>;
  reconcile(query: ReconcileQuery): Promise<Reconciliation>;
  /** The same history under other rules. */
  whatIf(query: WhatIfQuery): Promise<WhatIfAnswer>;
  close(): Promise<void>;
}

const PAGE = 1000;
/** The service reads its whole log, which may hold years. */
const VERIFY_TIMEOUT_MS = 3_600_000;

async function* readEvents(
  api: Api,
  accountId: string,
  { from: first = 0, messages }: { from?: number | undefined; messages?: 'true' },
): AsyncGenerator<WithMessages, void, void> {
  const { decode } = await import('../../events/index.ts');
  const path = route`/accounts/${accountId}/events`;
  const listing = { from: path, field: 'events', query: { from: first, limit: PAGE, messages } };
  for await (const { rows, answer } of readPages(api, listing, 'from')) {
    const messageIds = rowOf(rowOf(answer).messageIds) as WithMessages['messageIds'];
    for (const event of rows as unknown as StoredEvent[]) {
      yield { event: decode(event), messageIds };
    }
  }
}

async function* readHistory(api: Api, accountId: string): AsyncGenerator<Recorded, void, void> {
  const { decode } = await import('../../events/index.ts');
  for (let after: string | undefined; ; ) {
    const path = route`/accounts/${accountId}/history`;
    const page: { events: StoredEvent[]; nextAfter: string | null } = await api.get(path, {
      after,
      limit: PAGE,
    });
    for (const event of page.events) yield decode(event);
    if (page.nextAfter === null) return;
    after = page.nextAfter;
  }
}

const POLL_MS = 500;
/** A question waits while others are answered. */
const POLLS_MAX = 7_200;

/** Asks a running service, and waits for its answer. */
const askWhatIf = async (
  api: Api,
  { period, accountIds, rules }: WhatIfQuery,
  progress: ProgressLine,
): Promise<WhatIfAnswer> => {
  let told = await api.send<Row>('POST', '/what-if', { ...period, accountIds, with: rules });
  for (let polls = 0; told.state !== 'done'; polls += 1) {
    if (told.state === 'failed') throw new CliError(printable(String(told.error)));
    if (polls === POLLS_MAX) throw new CliError('The service has not answered within an hour');
    const { events, accounts, ofAccounts } = (told.progress ?? {}) as Record<string, number>;
    if (events !== undefined) {
      progress.show(`${events.toLocaleString('en')} events, ${accounts} of ${ofAccounts} accounts`);
    }
    await pause(POLL_MS);
    told = await api.get<Row>(route`/what-if/${String(told.id)}`);
  }
  const { id: _, state: __, ...answer } = told;
  return answer as unknown as WhatIfAnswer;
};

export const remoteBooks = (api: Api, progress: ProgressLine): Books => ({
  async *events(accountId, from) {
    for await (const { event } of readEvents(api, accountId, { from })) yield event;
  },
  withMessages: (accountId, from) => readEvents(api, accountId, { from, messages: 'true' }),
  async start(accountId, since) {
    const answer = await api.get(route`/accounts/${accountId}/events`, { since, limit: 1 });
    return rowOf(answer).start as AccountStart | undefined;
  },
  history: (accountId) => readHistory(api, accountId),
  told(accountId, { plans, rateCardIds }) {
    const asked = plans.map(({ planId, planVersion }) => `${planId}:${planVersion}`).join(',');
    const query = { plans: asked, cards: rateCardIds.join(',') };
    return api.get(route`/accounts/${accountId}/books`, query);
  },
  async accounts(before) {
    const ids: string[] = [];
    const listing = { from: '/accounts', field: 'accounts', query: { limit: 100 } };
    for await (const { rows } of readPages(api, listing)) {
      for (const { id, createdAt } of rows) if (String(createdAt) < before) ids.push(String(id));
    }
    return ids.sort();
  },
  async statement(accountId, { period, format, withCost }) {
    const path = route`/accounts/${accountId}/statement`;
    const query = { ...period, format, cost: String(withCost) };
    const parts = await Array.fromAsync(api.stream(path, query, VERIFY_TIMEOUT_MS));
    return `${Buffer.concat(parts).toString('utf8').trimEnd()}\n`;
  },
  async balance(accountId, asOf) {
    const answer = await api.get(route`/accounts/${accountId}/balance`, { asOf });
    return answer as BalanceAnswer;
  },
  proof: (chargeId) => api.get('/ledger/proof', { chargeId }),
  headProof: (accountId) => api.get('/ledger/proof', { accountId }),
  transparency: {
    checkpoint: async () => (await api.file('/transparency/checkpoint'))?.toString(),
    tile: (path) => api.file(`/transparency/${path}`),
  },
  async verify(accountId, given) {
    const call = { body: { accountId, ...given }, timeoutMs: VERIFY_TIMEOUT_MS };
    return (await api.call<Report>('POST', '/ledger/verify', call)).body;
  },
  async reconcile({ period, accountId, provider, ids }) {
    const query = { ...period, accountId, provider: String(provider), ids: String(ids) };
    const call = { query, timeoutMs: VERIFY_TIMEOUT_MS };
    return (await api.call<Reconciliation>('GET', '/reconciliation', call)).body;
  },
  whatIf: (query) => askWhatIf(api, query, progress),
  close: async () => undefined,
});
