import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Query } from '../views.ts';
import type { Page } from './reader.ts';

/** Conditions and order of a page, newest first, after the row at `before`. */
export const newestBefore = (
  where: Query['where'],
  before: string | number | undefined,
): Pick<Query, 'where' | 'order'> => ({
  where: before === undefined ? where : { ...where, order: { lt: before } },
  order: { field: 'order', direction: 'descending' },
});

/** All documents that fulfil the conditions, newest first, page by page. Other work runs between pages. */
export async function* newestPages<Doc>(
  read: (query: Pick<Query, 'where' | 'order'>) => Promise<Page<Doc>>,
  where: Query['where'] = {},
): AsyncGenerator<readonly Doc[], void, void> {
  for (let before: string | number | undefined; ; ) {
    const { rows, next } = await read(newestBefore(where, before));
    yield rows;
    if (next === null) return;
    before = next;
    await nextTurn();
  }
}
