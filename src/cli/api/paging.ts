import type { Command } from 'commander';
import { type Row, rowOf } from '../output/format.ts';
import { CliError } from '../program/failure.ts';
import { wholeNumber } from '../program/parse.ts';
import type { Api, Call } from './api.ts';

export interface PageOptions {
  limit?: number;
  cursor?: string;
  all?: boolean;
}

export interface Page {
  rows: readonly Row[];
  nextCursor: string | null;
  /** The answer of the API; for several pages the first answer with the rows of all. */
  answer: Row;
}

const LIMIT_MAX = 100;
const PAGES_MAX = 500;

/** Adds the options of every list. */
export const withPages = (command: Command): Command =>
  command
    .option(
      '--limit <n>',
      `Rows per page, 1 to ${LIMIT_MAX} (default: 50; 100 with --all)`,
      wholeNumber(1, LIMIT_MAX),
    )
    .option('--cursor <cursor>', 'Continue after an earlier page')
    .option('--all', `All pages, up to ${PAGES_MAX}`);

interface Listing {
  /** Path of the list. */
  from: string;
  /** Field of the answer that holds the rows. */
  field: string;
  query?: Call['query'];
}

const readPage = async (api: Api, { from, field, query }: Listing): Promise<Page> => {
  const answer = rowOf(await api.get(from, query));
  const rows = answer[field];
  if (!Array.isArray(rows)) throw new CliError(`The service answered without "${field}"`);
  const { nextCursor } = answer;
  return { rows, nextCursor: typeof nextCursor === 'string' ? nextCursor : null, answer };
};

/** Reads one page. With --all it reads up to PAGES_MAX, and leaves a cursor if there are more. */
export const readRows = async (api: Api, listing: Listing, options: PageOptions): Promise<Page> => {
  const { all = false, cursor, limit = all ? LIMIT_MAX : undefined } = options;
  const pageAt = (at: string | undefined) =>
    readPage(api, { ...listing, query: { ...listing.query, limit, cursor: at } });
  let page = await pageAt(cursor);
  if (!all) return page;
  const { answer } = page;
  const rows = [...page.rows];
  for (let pages = 1; page.nextCursor !== null && pages < PAGES_MAX; pages += 1) {
    page = await pageAt(page.nextCursor);
    rows.push(...page.rows);
  }
  const { nextCursor } = page;
  return { rows, nextCursor, answer: { ...answer, [listing.field]: rows, nextCursor } };
};
