import { createSharedHead, publishHead, type SharedHead } from '../shared-head.ts';
import {
  type EventStore,
  type NewEvent,
  NO_STREAM,
  StoreUnavailable,
  WrongRevision,
} from '../store.ts';
import { createLiveBuffer, type LiveBuffer } from './live-buffer.ts';
import { lockDirectory } from './lock.ts';
import { WRONG_REVISION } from './protocol.ts';
import { openReader, type Reader } from './reader.ts';
import { createReading } from './reading.ts';
import { formatPosition, type Row } from './rows.ts';
import { startWriter, type Writer, type WriterStats } from './writer.ts';

export interface SqliteStoreOptions {
  /** Made if it is not there. Only one process may have it open. */
  directory: string;
  /** What may wait to be written before appends are refused: 10,000 events unless told. */
  queuedEventsMax?: number;
  /** 32 MiB unless told. */
  queuedBytesMax?: number;
  /** Called once, when nothing can be written any more until the process is started again. */
  onFatal?: (error: StoreUnavailable) => void;
}

export interface SqliteStore extends EventStore {
  /** What waits to be written, for the metrics. */
  stats(): WriterStats;
  /** For threads of this process that read the same log. */
  sharedHead: SharedHead;
}

/** Of one append in all, as in the server form of the log. */
const appendBytesMax = 1024 * 1024;

const jsonOf = (value: unknown): string => {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new Error('what is stored must be JSON');
  return text;
};

const rowOf = ({ id, type, version, data, meta }: NewEvent): Row => ({
  ...{ id, type, version, data: jsonOf(data), meta: jsonOf(meta) },
});

const bytesOf = (rows: readonly Row[]): number =>
  rows.reduce(
    (sum, { id, type, data, meta }) =>
      sum + id.length + type.length + Buffer.byteLength(data) + Buffer.byteLength(meta),
    0,
  );

const demandFits = (what: string, bytes: number): void => {
  if (bytes <= appendBytesMax) return;
  throw new Error(`${what} of ${bytes} bytes is too large: ${appendBytesMax} bytes fit`);
};

interface Parts {
  writer: Writer;
  reader: Reader;
  buffer: LiveBuffer;
  sharedHead: SharedHead;
  release: () => void;
}

const makeStore = ({ writer, reader, buffer, sharedHead, release }: Parts) => {
  let closed: Promise<void> | undefined;
  let readable = true;

  const demandReadable = (): void => {
    if (!readable) throw new StoreUnavailable('the event log is closed');
  };
  const shut = async (): Promise<void> => {
    await writer.drain();
    readable = false;
    buffer.wake();
    reader.close();
    await writer.stop();
    release();
  };

  const store: SqliteStore = {
    ...createReading({ buffer, reader, demandReadable }),
    sharedHead,
    // The lock of the directory keeps other processes out.
    soleWriter: true,
    append: async (stream, expected, events) => {
      if (events.length === 0) throw new Error('an append needs at least one event');
      if (!Number.isInteger(expected) || expected < NO_STREAM) {
        throw new Error(`${expected} is not a revision`);
      }
      const rows = events.map(rowOf);
      const bytes = bytesOf(rows);
      demandFits(`an append to ${stream}`, bytes);
      const outcome = await writer.submit({ kind: 'append', stream, expected, rows }, bytes);
      if (outcome === WRONG_REVISION) throw new WrongRevision(stream, expected);
      return { revision: expected + rows.length, position: formatPosition(outcome) };
    },
    saveSnapshot: async (stream, { revision, version, state }, { replace = false } = {}) => {
      const text = jsonOf(state);
      const bytes = Buffer.byteLength(text);
      demandFits(`a snapshot of ${stream}`, bytes);
      const row = { stream, revision, version, state: text };
      await writer.submit({ kind: 'snapshot', ...row, replace }, bytes);
    },
    health: async () => {
      const detail = await writer.trouble();
      return detail === undefined ? { ok: true } : { ok: false, detail };
    },
    stats: writer.stats,
    close: () => {
      closed ??= shut();
      return closed;
    },
  };
  return store;
};

const startWriting = (
  options: SqliteStoreOptions,
  { file, buffer, sharedHead }: Pick<Parts, 'buffer' | 'sharedHead'> & { file: string },
): Promise<Writer> =>
  startWriter({
    file,
    queuedEventsMax: options.queuedEventsMax ?? 10_000,
    queuedBytesMax: options.queuedBytesMax ?? 32 * 1024 * 1024,
    onReady: (head) => {
      buffer.reset(head);
      publishHead(sharedHead, head);
    },
    onDone: (job, outcome) => {
      if (job.kind === 'append' && outcome !== WRONG_REVISION) buffer.push(job, outcome);
    },
    onCommitted: () => publishHead(sharedHead, buffer.head()),
    onFatal: (error) => options.onFatal?.(error),
  });

/**
 * The log in one SQLite file. All writing is done by one thread, which commits together what
 * came together; reading is done here.
 */
export const openSqliteStore = async (options: SqliteStoreOptions): Promise<SqliteStore> => {
  const { file, release } = lockDirectory(options.directory);
  const buffer = createLiveBuffer();
  const sharedHead = createSharedHead();
  let writer: Writer | undefined;
  try {
    writer = await startWriting(options, { file, buffer, sharedHead });
    return makeStore({ writer, reader: openReader(file), buffer, sharedHead, release });
  } catch (error) {
    await writer?.stop();
    release();
    throw error;
  }
};
