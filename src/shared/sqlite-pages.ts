import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { type Connection, pragma } from './sqlite.ts';

// `secure_delete` overwrites rows that are deleted, but not the copies that SQLite leaves behind when
// it moves rows from page to page: they stay in the unused space between the pointers of a page and its
// rows. That space has no meaning in the file format (sqlite.org/fileformat2.html, 1.6), so it may be
// overwritten while others read the file; only the one who writes the file may do so.

/** Bytes that are cleaned in one go: some milliseconds. */
const SLICE_BYTES = 1024 * 1024;

/** In front of the header of the first page. */
const FILE_HEADER_BYTES = 100;
/** Sizes of the headers of pages with rows, by the type of the page; others stay as they are. */
const HEADER_BYTES = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
]);
/** In a larger file, the number at the beginning of other pages could look like a type. */
const PAGES_MAX = 0x01_ff_ff_ff;

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** Overwrites the unused space of a page. False where there is none, or where it is clean. */
const cleanPage = (page: Buffer, number: number): boolean => {
  const start = number === 1 ? FILE_HEADER_BYTES : 0;
  const header = HEADER_BYTES.get(page[start]!);
  if (header === undefined) return false;
  const from = start + header + 2 * page.readUInt16BE(start + 3);
  // Zero means 65,536.
  const to = page.readUInt16BE(start + 5) || 65_536;
  if (to > page.length || from >= to) return false;
  const unused = page.subarray(from, to);
  if (unused.every((byte) => byte === 0)) return false;
  unused.fill(0);
  return true;
};

/** The numbers of the pages in a write-ahead log. */
const pagesInLog = (file: string, size: number): Set<number> => {
  const numbers = new Set<number>();
  const descriptor = openSync(`${file}-wal`, 'r');
  try {
    const header = Buffer.alloc(FRAME_HEADER_BYTES);
    const end = fstatSync(descriptor).size - size;
    for (let at = WAL_HEADER_BYTES; at <= end; at += FRAME_HEADER_BYTES + size) {
      readSync(descriptor, header, 0, FRAME_HEADER_BYTES, at);
      numbers.add(header.readUInt32BE(0));
    }
    return numbers;
  } finally {
    closeSync(descriptor);
  }
};

export interface FileCleaner {
  /**
   * Removes from the file what deleted rows have left there; other work, also writes by the same
   * connection, may run between two steps. Returns false when a reader keeps the write-ahead log from
   * being emptied. One run at a time.
   */
  clean(): Generator<void, boolean, void>;
  /** Call it when no connection of this process has the file open any more. */
  close(): void;
}

/** `database` is the only connection that writes the file. */
export const createFileCleaner = (database: Connection, file: string): FileCleaner => {
  // Stays open, because closing a file drops the locks that SQLite has on it in this process.
  let descriptor: number | undefined;
  const size = Number(pragma(database, 'page_size'));

  /** Does not wait for readers, so that other writes need not wait either. */
  const truncateLog = (): boolean => {
    const timeoutMs = Number(pragma(database, 'busy_timeout'));
    pragma(database, 'busy_timeout = 0');
    try {
      return pragma(database, 'wal_checkpoint(TRUNCATE)') === 0;
    } finally {
      pragma(database, `busy_timeout = ${timeoutMs}`);
    }
  };

  /** Cleans pages that are next to each other. */
  const cleanRun = (first: number, last: number): void => {
    descriptor ??= openSync(file, 'r+');
    const pages = Buffer.alloc((last - first + 1) * size);
    const bytes = readSync(descriptor, pages, 0, pages.length, (first - 1) * size);
    for (let at = 0; at + size <= bytes; at += size) {
      const number = first + at / size;
      const page = pages.subarray(at, at + size);
      if (cleanPage(page, number)) writeSync(descriptor, page, 0, size, (number - 1) * size);
    }
  };

  function* cleanAll(): Generator<void, void, void> {
    const count = Number(pragma(database, 'page_count'));
    const perSlice = Math.ceil(SLICE_BYTES / size);
    for (let first = 1; first <= count; first += perSlice) {
      cleanRun(first, Math.min(count, first + perSlice - 1));
      yield;
    }
  }

  /** Cleans what was written meanwhile, from pages in memory that were not clean. */
  const cleanRest = (): boolean => {
    const written = pagesInLog(file, size);
    if (!truncateLog()) return false;
    for (const number of written) cleanRun(number, number);
    fsyncSync(descriptor!);
    database.exec('PRAGMA shrink_memory');
    return true;
  };

  return {
    *clean() {
      if (!truncateLog()) return false;
      if (Number(pragma(database, 'page_count')) > PAGES_MAX) {
        database.exec('VACUUM');
        return truncateLog();
      }
      const every = Number(pragma(database, 'wal_autocheckpoint'));
      // Until the end, the log shows which pages were written.
      pragma(database, 'wal_autocheckpoint = 0');
      try {
        yield* cleanAll();
        return cleanRest();
      } finally {
        pragma(database, `wal_autocheckpoint = ${every}`);
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
};
