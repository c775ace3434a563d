import { createSharedHead, publishHead, type SharedHead } from '../shared-head.ts';
import {
  APPEND_BYTES_MAX,
  AppendTooLarge,
  type EventStore,
  mustBeAppend,
  type NewEvent,
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
  /** Created when missing. Only one process may have it open. */
  directory: string;
  /** Events that may wait to be written; default 10,000. */
  queuedEventsMax?: number;
  /** Bytes that may wait to be written; default 32 MiB. */
  queuedBytesMax?: number;
  /** Called once, when no write can succeed before a restart of the process. */
  onFatal?: (error: StoreUnavailable) => void;
}

export interface SqliteStore extends EventStore {
  /** For the metrics. */
  stats(): WriterStats;
  /** For threads of this process that read the same log. */
  sharedHead: SharedHead;
}

const jsonOf = (value: unknown): string => {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new Error('stored data must be JSON');
  return text;
};

const rowOf = ({ id, type, version, data, text, meta, link }: NewEvent): Row => ({
  id,
  type,
  version,
  data: text ?? jsonOf(data),
  meta: jsonOf(meta),
  ...(link && { link }),
});

const bytesOf = (rows: readonly Row[]): number =>
  rows.reduce(
    (sum, { id, type, data, meta }) =>
      sum + id.length + type.length + Buffer.byteLength(data) + Buffer.byteLength(meta),
    0,
  );

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
    // Only one process can hold the lock of the directory.
    soleWriter: true,
    append: async (stream, expected, events) => {
      mustBeAppend(expected, events);
      const rows = events.map(rowOf);
      const bytes = bytesOf(rows);
      if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream, bytes);
      const outcome = await writer.submit({ kind: 'append', stream, expected, rows }, bytes);
      if (outcome === WRONG_REVISION) throw new WrongRevision(stream, expected);
      return { revision: expected + rows.length, position: formatPosition(outcome) };
    },
    saveSnapshot: async (stream, { revision, version, state }, { replace = false } = {}) => {
      const text = jsonOf(state);
      const bytes = Buffer.byteLength(text);
      if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(`snapshot-${stream}`, bytes);
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
 * The log in one SQLite file. One thread writes, and commits concurrent appends together; the calling
 * thread reads.
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
