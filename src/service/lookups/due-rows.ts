import type { DueRow, DueRows } from '../../commands/core/timers.ts';
import type { EventReader } from '../../events/store.ts';
import type { Projection } from '../../projections/define.ts';
import { NotReached, type Reader } from '../../projections/engine/reader.ts';

/** Rows that one look for lanes reads. */
const LANES_PAGE = 500;

/** A document of something that waits in a lane, and its place there; null once it does not wait. */
interface DueDocument {
  id: string;
  lane: string | null;
  due: string | null;
}

interface Read {
  store: Pick<EventReader, 'head'>;
  reader: Pick<Reader, 'reached' | 'find'>;
}

/**
 * Waits until the read models show what waits. Throws NotReached while an older version serves: what was begun
 * since is missing there, and what has ended is not. Only another program goes on with a halted one.
 */
export const createReachHead =
  ({ store, reader }: Read, projections: Parameters<Reader['reached']>[0]) =>
  async (): Promise<void> => {
    const head = await store.head();
    if ((await reader.reached(projections, head)) !== 'older') return;
    throw new NotReached(
      projections.map(({ name }) => name),
      head,
    );
  };

/** The lanes in which documents of a read model wait, which has the index `lane?`. */
export const createLanes = <D extends Pick<DueDocument, 'lane'>>(
  read: Read,
  projection: Projection<D>,
): Pick<DueRows<DueRow>, 'reachHead' | 'lanes'> => ({
  reachHead: createReachHead(read, [projection]),
  async lanes({ after }) {
    const found = await read.reader.find(projection, {
      where: { lane: { gt: after } },
      order: { field: 'lane', direction: 'ascending' },
      limit: LANES_PAGE,
      fields: ['lane'],
    });
    return [...new Set(found.flatMap(({ lane }) => lane ?? []))];
  },
});

/** What waits by the documents of a read model, which has the indexes `lane, due?` and `lane?`. */
export const createDueRows = <D extends DueDocument, Row extends DueRow>(
  read: Read,
  projection: Projection<D>,
  rowOf: (document: D, due: string) => Row,
  fields: readonly (keyof D & string)[],
): DueRows<Row> => ({
  ...createLanes(read, projection),
  async waiting({ lane, after, limit }) {
    const found = await read.reader.find(projection, {
      where: { lane, due: { gt: after } },
      order: { field: 'due', direction: 'ascending' },
      limit,
      fields: ['due', ...fields],
    });
    return found.map((document) => rowOf(document, document.due ?? ''));
  },
});
