import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import { downloadFile } from '../../ui/download.ts';

type Schemas = components['schemas'];
export type Entry = Schemas['Entry'];
export type Statement = Schemas['Statement'];
export type Seal = Schemas['Seal'];
export type MovementType = Entry['type'];

export interface LedgerFilters {
  type?: MovementType | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export const readEntries =
  (id: string, filters: LedgerFilters, limit = 100) =>
  async (cursor: string | undefined, signal: AbortSignal) => {
    const params = { path: { id }, query: { limit, cursor, ...filters } };
    const { entries: rows, nextCursor } = await bodyOf(
      api.GET('/admin/v1/accounts/{id}/ledger', { params, signal }),
    );
    return { rows, nextCursor };
  };

/** The charge that a row is about; undefined for a grant. */
export const chargeIn = (metadata: string | null): string | undefined => {
  if (metadata === null) return undefined;
  try {
    const { chargeId } = JSON.parse(metadata) as { chargeId?: unknown };
    return typeof chargeId === 'string' ? chargeId : undefined;
  } catch {
    return undefined;
  }
};

export const readStatement = (id: string, month: string, signal: AbortSignal) =>
  bodyOf(
    api.GET('/admin/v1/accounts/{id}/statement', {
      params: { path: { id }, query: { month, format: 'json' } },
      signal,
    }),
  ) as Promise<Statement>;

export const readSeals = async (cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 100, ...(cursor !== undefined && { from: Number(cursor) }) };
  const page = await bodyOf(api.GET('/admin/v1/ledger/seals', { params: { query }, signal }));
  const { seals, nextFrom } = page;
  return { rows: seals, nextCursor: nextFrom === null ? null : String(nextFrom), page };
};

/** The proof that the newest link of the account stands in the last seal. */
export const readHeadProof = (accountId: string) =>
  bodyOf(api.GET('/admin/v1/ledger/proof', { params: { query: { accountId } } }));

/** The month of now, in UTC. */
export const thisMonth = (): string => new Date().toISOString().slice(0, 7);

/** Gives the viewer a value as a file of JSON. */
export const download = (name: string, content: unknown): void => {
  const text = JSON.stringify(content, null, 2);
  downloadFile(name, new Blob([text], { type: 'application/json' }));
};

/** The forms of a statement as a file, and the words of their buttons. */
export const statementFormats = [
  ['html', 'Page to print'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
] as const;

export type StatementFormat = (typeof statementFormats)[number][0];

/** The statement of a month of the viewer's account, as a file. */
export const downloadStatement = async (month: string, format: StatementFormat): Promise<void> => {
  const params = { query: { month, format } };
  const { data } = await api.GET('/v1/statement', { params, parseAs: 'blob' });
  if (data) downloadFile(`statement-${month}.${format}`, data);
};

/** The same as the console reads it. */
export const readOwnStatement = (month: string, signal: AbortSignal) =>
  bodyOf(
    api.GET('/v1/statement', { params: { query: { month, format: 'json' } }, signal }),
  ) as Promise<Statement>;

/** The movements of a month as the log holds them, with their seal, as a file. */
export const downloadMonthProof = async (month: string): Promise<void> => {
  const params = { query: { month } };
  const { data } = await api.GET('/v1/statement/proof', { params, parseAs: 'blob' });
  if (data) downloadFile(`proof-${month}.jsonl`, data);
};

export const readMovements =
  (filters: LedgerFilters) => async (cursor: string | undefined, signal: AbortSignal) => {
    const query = { limit: 100, cursor, ...filters };
    const { entries, nextCursor } = await bodyOf(
      api.GET('/v1/ledger', { params: { query }, signal }),
    );
    return { rows: entries, nextCursor };
  };

/** Movements of one file at most. */
export const MOVEMENTS_MAX = 20_000;

type Movement = Pick<
  Entry,
  'id' | 'createdAt' | 'type' | 'amount' | 'balanceAfter' | 'reason' | 'metadata'
>;

/** A cell that no spreadsheet takes for a formula. */
const cellOf = (value: string | number | null): string => {
  const text = String(value ?? '');
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.]+$/.test(text);
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`;
};

const csvOf = (rows: readonly Movement[]): string =>
  [
    'time,movement,amount,balance_after,reason,charge',
    ...rows.map(({ createdAt, type, amount, balanceAfter, reason, metadata }) =>
      [createdAt, type, amount, balanceAfter, reason, chargeIn(metadata) ?? null]
        .map(cellOf)
        .join(','),
    ),
  ].join('\n');

/** All movements of the account that fit, as one file, the newest first; `isWhole` says whether there were no more. */
export const downloadMovements = async (
  filters: LedgerFilters,
  name = 'movements',
): Promise<{ isWhole: boolean }> => {
  const { signal } = new AbortController();
  const readPage = readMovements(filters);
  const rows: Movement[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await readPage(cursor ?? undefined, signal);
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor && rows.length < MOVEMENTS_MAX);
  const file = new Blob([csvOf(rows.slice(0, MOVEMENTS_MAX))], { type: 'text/csv' });
  downloadFile(`${name}.csv`, file);
  return { isWhole: !cursor };
};
