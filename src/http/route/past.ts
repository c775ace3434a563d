import { CLOCKS_DIFFER_MS } from '../../audit/account-start.ts';
import { timeOf } from '../../commands/account/funds.ts';
import type { KnownEvent } from '../../events/index.ts';
import { firstRevision, streamPages } from '../../events/paging.ts';
import { type EventReader, type Recorded, UNREADABLE } from '../../events/store.ts';
import type { Handler, Projection } from '../../projections/define.ts';
import { createMutex } from '../../shared/concurrency.ts';
import { AppError } from '../../shared/errors.ts';
import { moment } from './paging.ts';
import type { ReadModels } from './read-models.ts';

// Things as they were known at a time: the folds of read models, over the streams of one thing alone.

/** Query fields of a route that reads one thing. Its read models are then those of the time. */
export const pastQuery = {
  asOf: moment
    .optional()
    .describe('As it was known at this time, ISO 8601; 404 before it was there. Now by default.'),
};

/** The categories of the streams of which a document is made, by its read model. */
const streamsOf: Readonly<Record<string, readonly string[]>> = {
  accounts: ['account', 'retention'],
  numbers: ['phone'],
  plans: ['plan'],
  templates: ['template'],
};

/** Few enough that other requests wait 2 ms at most for one page of events. */
const PAGE = 200;

type Log = Pick<EventReader, 'read'>;

/** The time that is asked for, and when the caller has gone. */
interface AsOf {
  asOf: string;
  signal: AbortSignal;
}

/** The document of a read model as of a time, folded from the log; undefined before it was there. */
const documentAt = async <Doc>(
  log: Log,
  projection: Projection<Doc>,
  id: string,
  { asOf, signal }: AsOf,
): Promise<Doc | undefined> => {
  const handlers = projection.on as Record<string, Handler<Doc, Recorded> | undefined>;
  const end = Date.parse(asOf) + CLOCKS_DIFFER_MS;
  const isOver = (event: Recorded) => Date.parse(timeOf(event as KnownEvent)) > end;
  let document: Doc | undefined;
  for (const category of streamsOf[projection.name]!) {
    const stream = `${category}-${id}`;
    const eventsMax = await firstRevision(log, stream, isOver);
    for await (const page of streamPages(log, stream, { eventsMax, pageSize: PAGE })) {
      signal.throwIfAborted();
      for (const event of page) {
        if (event.type === UNREADABLE) {
          throw new AppError('resource.conflict', `Event ${event.revision} cannot be read`);
        }
        if (timeOf(event as KnownEvent) > asOf) continue;
        const handler = handlers[event.type];
        if (handler) document = handler.fold(document, event, id, () => undefined) ?? undefined;
      }
    }
  }
  return document;
};

/** Reads documents as they were at a time, one at a time in an instance: an account's stream may be long. */
export const createPast = (log: Log) => {
  const oneAtATime = createMutex();
  const get = <Doc>(projection: Projection<Doc>, id: string, at: AsOf) =>
    oneAtATime(() => documentAt(log, projection, id, at));

  return {
    get,
    /** Read models of a time, which know one thing by its id. */
    models(at: AsOf): ReadModels {
      const none = (): never => {
        throw new Error('only one thing can be read as it was');
      };
      return {
        get: (projection, id) => get(projection, id, at),
        getMany: none,
        find: none,
        count: none,
        page: none,
        all: none,
        notFound: (error) => error,
      };
    },
  };
};
export type Past = ReturnType<typeof createPast>;
