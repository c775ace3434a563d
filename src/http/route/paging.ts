import { z } from 'zod';
import type { Position } from '../../events/store.ts';
import type { Projection } from '../../projections/define.ts';
import { type Lists, newestBefore } from '../../projections/engine/lists.ts';
import type { Condition, Query } from '../../projections/views.ts';

/** Rows of a page. */
const PAGE_MAX = 100;

/** The query fields of every list: page size, and the end of the previous page. */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= PAGE_MAX, 'must be a whole number from 1 to 100')
    .default(50)
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: PAGE_MAX,
      default: 50,
      description: 'Rows on a page, 1 to 100; 50 by default.',
    }),
  cursor: z
    .string()
    .max(500)
    .transform((text, context) => {
      const position = decodeCursor(text);
      if (position === undefined) context.addIssue('is not a cursor of this list');
      return position ?? '';
    })
    .optional()
    .describe('`nextCursor` of the previous page. New rows do not change the later pages.'),
};

const nextCursor = z.string().nullable().describe('`cursor` of the next page, or null.');

/** The response of a list: its rows under the given name, and the cursor of the next page. */
export const pageOf = <Name extends string, Item extends z.ZodType>(name: Name, item: Item) => {
  const rows = { [name]: z.array(item).max(PAGE_MAX).describe('The rows of the page.') };
  return z.object({ ...(rows as Record<Name, z.ZodArray<Item>>), nextCursor });
};

const MARK = 'p:';

/** Opaque to callers: the log position of the last row that the page examined. */
export const encodeCursor = (position: Position): string =>
  Buffer.from(MARK + position).toString('base64url');

const decodeCursor = (text: string): Position | undefined => {
  const plain = Buffer.from(text, 'base64url').toString('utf8');
  const position = plain.slice(MARK.length);
  const sound = plain.startsWith(MARK) && /^[0-9a-f-]{1,100}$/.test(position);
  return sound && encodeCursor(position) === text ? position : undefined;
};

/** For the descriptions of lists with filters. */
export const SHORT_PAGES =
  'A page looks at up to 5,000 rows, and at documents of about 1 MB. It may therefore be shorter than `limit`, even empty, while `nextCursor` is set: go on with that until it is null.';

const findPage = async <Doc>(
  lists: Lists,
  owner: string,
  projection: Projection<Doc>,
  { limit, cursor }: { limit: number; cursor?: Position | undefined },
  where: Query['where'],
): Promise<{ found: readonly Doc[]; next: Position | null }> => {
  const { rows, next } = await lists.page(owner, projection, {
    ...newestBefore(where, cursor),
    limit,
  });
  return { found: rows, next: next === null ? null : String(next) };
};

/**
 * The page after the cursor, newest first. New rows do not change it, because they sort before it.
 * A short or empty page may have successors; only the last page has no cursor.
 */
export const readPage = async <Doc>(
  lists: Lists,
  owner: string,
  projection: Projection<Doc>,
  page: { limit: number; cursor?: Position | undefined },
  where: Query['where'] = {},
): Promise<{ rows: readonly Doc[]; nextCursor: string | null }> => {
  const { found, next } = await findPage(lists, owner, projection, page, where);
  return { rows: found, nextCursor: next === null ? null : encodeCursor(next) };
};

/** A query of one collection. */
export interface Source<Doc> {
  projection: Projection<Doc>;
  where: Query['where'];
}

/** The same query of a collection under several conditions. */
export const under = <Doc>(
  projection: Projection<Doc>,
  wheres: readonly Query['where'][],
): readonly Source<Doc>[] => wheres.map((where) => ({ projection, where }));

/**
 * The same page of several queries together: of a contact whose messages are kept under several ids, of
 * several collections. One query is one page.
 */
export const readPages = async <Doc extends { order: Position | null }>(
  lists: Lists,
  owner: string,
  page: { limit: number; cursor?: Position | undefined },
  sources: readonly Source<Doc>[],
): Promise<{ rows: readonly Doc[]; nextCursor: string | null }> => {
  const rows: Doc[] = [];
  // Down to here every query has given all of its rows.
  let wholeTo = '';
  for (const { projection, where } of sources) {
    const { found, next } = await findPage(lists, owner, projection, page, where);
    rows.push(...found);
    if (next !== null && next > wholeTo) wholeTo = next;
  }
  const orderOf = ({ order }: Doc) => order ?? '';
  const whole = rows
    .filter((row) => orderOf(row) >= wholeTo)
    .sort((one, other) => (orderOf(one) > orderOf(other) ? -1 : 1));
  const shown = whole.slice(0, page.limit);
  const last = shown.length < whole.length ? orderOf(shown.at(-1)!) : wholeTo;
  return { rows: shown, nextCursor: last === '' ? null : encodeCursor(last) };
};

/** The conditions without those that the caller left out. */
export const given = (conditions: Record<string, Condition | undefined>): Query['where'] =>
  Object.fromEntries(
    Object.entries(conditions).flatMap(([name, condition]) =>
      condition === undefined ? [] : [[name, condition]],
    ),
  );

/** A whole number of a query, and what it is when absent. */
export const queryNumber = (min: number, max: number, otherwise: number) =>
  z.coerce.number().int().min(min).max(max).default(otherwise);

/** A time in any precision and offset, normalised, because stored times are compared as text. */
export const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString());

/** From `since` (inclusive) to `until` (exclusive); undefined without both. */
export const timeRange = (
  since: string | undefined,
  until: string | undefined,
): { gte?: string; lt?: string } | undefined =>
  since === undefined && until === undefined
    ? undefined
    : { ...(since !== undefined && { gte: since }), ...(until !== undefined && { lt: until }) };
