import type { Command } from 'commander';
import { type Row, rowOf } from '../output/format.ts';
import { CliError } from '../program/failure.ts';
import { wholeNumber } from '../program/input.ts';
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
  answer: unknown;
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
  /** Field of the answer that holds the rows; none where the answer is the rows. */
  field?: string | undefined;
  query?: Call['query'];
}

/** The field of an answer that holds the value for the next page's field of the query. */
const leadsOn = { cursor: 'nextCursor', from: 'nextFrom' } as const;

/** The pages of a list, one after the other; `by` names the field of the query that leads on. */
export async function* readPages(
  api: Api,
  { from: path, field, query }: Listing,
  by: keyof typeof leadsOn = 'cursor',
): AsyncGenerator<Page, void, void> {
  for (let at: unknown = query?.[by]; ; ) {
    const answer = rowOf(await api.get(path, { ...query, [by]: at as string | number }));
    const rows = field === undefined ? answer : answer[field];
    if (!Array.isArray(rows)) throw new CliError(`The service answered without "${field ?? '['}"`);
    at = answer[leadsOn[by]] ?? null;
    yield { rows, nextCursor: at === null ? null : String(at), answer };
    if (at === null) return;
  }
}

/** Reads one page. With --all it reads up to PAGES_MAX, and leaves a cursor if there are more. */
export const readRows = async (api: Api, listing: Listing, options: PageOptions): Promise<Page> => {
  const { all = false, cursor, limit = all ? LIMIT_MAX : undefined } = options;
  const query = { ...listing.query, limit, cursor };
  const pages: Page[] = [];
  for await (const page of readPages(api, { ...listing, query })) {
    pages.push(page);
    if (!all || pages.length === PAGES_MAX) break;
  }
  const [first, last] = [pages[0]!, pages.at(-1)!];
  if (!all) return first;
  const rows = pages.flatMap((page) => page.rows);
  const { nextCursor } = last;
  const answer = { ...rowOf(first.answer), [listing.field ?? 'rows']: rows, nextCursor };
  return { rows, nextCursor, answer };
};
