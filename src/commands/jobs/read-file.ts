import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { AppError, isRefusal } from '../../shared/errors.ts';
import { InexactNumber, parseJsonStrict } from '../../shared/json.ts';

// The files of jobs, read as they come: CSV with a head, or JSON Lines. Whatever makes a file unusable is
// said with its reason and place, before anything of it can be sent.

export interface FileBounds {
  rowsMax: number;
  bytesMax: number;
}

export const fileBounds: Readonly<FileBounds> = {
  rowsMax: 100_000,
  bytesMax: 100 * 1024 * 1024,
};
/** A row is a handful of texts. */
const ROW_CHARACTERS_MAX = 64 * 1024;
/** Rows between which other work gets its turn. */
const ROWS_PER_TURN = 100;

/** Which columns of the file hold what. */
export interface Columns {
  to: string;
  clientReference?: string | undefined;
  variables: Readonly<Record<string, string>>;
}

/** A row by its columns; `problem` where it has no use. */
export interface FileRow {
  fields: Readonly<Record<string, unknown>>;
  problem?: string;
}

export const unusable = (reason: string): AppError => new AppError('job.unusable', reason);

async function* decoded(content: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  const decode = (chunk?: Buffer) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw unusable('The file is not UTF-8: save it as "CSV UTF-8", or convert it');
    }
  };
  for await (const chunk of content) {
    if (isFirst && chunk.subarray(0, 2).toString('latin1') === 'PK') {
      throw unusable('The file is a zip or a spreadsheet: save it as CSV, or unpack it');
    }
    isFirst = false;
    const text = decode(chunk);
    if (text.includes('\0')) throw unusable('The file holds NUL characters: it is no text');
    if (text !== '') yield text;
  }
  decode();
}

const mustHave = (head: readonly string[], { to, clientReference, variables }: Columns): void => {
  const wanted = [to, ...(clientReference === undefined ? [] : [clientReference])];
  const missing = [...wanted, ...Object.values(variables)].find((name) => !head.includes(name));
  const twice = head.find((name, at) => head.indexOf(name) !== at);
  if (twice !== undefined) throw unusable(`The file has two columns "${twice.slice(0, 100)}"`);
  if (missing === undefined) return;
  const has = head.map((name) => `"${name.slice(0, 50)}"`).slice(0, 20);
  const delimiter =
    head.length === 1 && /[;\t|]/.test(head[0]!) ? '; columns are parted by commas' : '';
  throw unusable(`The file has no column "${missing}", but ${has.join(', ')}${delimiter}`);
};

const csvProblems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed: the file may end in the middle',
  CSV_MAX_RECORD_SIZE: 'a row is longer than 64 KB: a quote may not be closed',
  INVALID_OPENING_QUOTE: 'a quote stands within a field without quotes',
  CSV_INVALID_CLOSING_QUOTE: 'something follows a closing quote',
};

const csvProblem = (error: unknown): AppError => {
  if (isRefusal(error)) return error;
  const {
    code = '',
    message = '',
    lines,
  } = error as { code?: string; message?: string; lines?: number };
  const where = lines === undefined ? '' : `Line ${lines}: `;
  return unusable(`${where}${csvProblems[code] ?? message.slice(0, 200)}`);
};

async function* csvRows(content: AsyncIterable<Buffer>, columns: Columns): AsyncGenerator<FileRow> {
  const parser = parse({
    bom: true,
    // Else the first line end of the file is that of all its lines.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_CHARACTERS_MAX,
  });
  const source = Readable.from(decoded(content));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let head: readonly string[] | undefined;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (!head) {
        head = record.map((name) => name.trim());
        mustHave(head, columns);
        continue;
      }
      const fields = Object.fromEntries(head.map((name, at) => [name, record[at]]));
      const differs = record.length !== head.length;
      const problem = `has ${record.length} fields, and the head has ${head.length}`;
      yield differs ? { fields, problem } : { fields };
    }
  } catch (error) {
    throw csvProblem(error);
  } finally {
    source.destroy();
  }
  if (!head) throw unusable('The file is empty');
}

const TOO_LONG = 'holds a number with more digits than are kept: write it as a text';

const rowOfLine = (line: string, at: number): FileRow => {
  let value: unknown;
  try {
    value = parseJsonStrict(line);
  } catch (error) {
    if (error instanceof InexactNumber) return { fields: {}, problem: TOO_LONG };
    throw unusable(`Line ${at} is no JSON: the file may end in the middle`);
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject
    ? { fields: value as FileRow['fields'] }
    : { fields: {}, problem: 'is no object with the columns as its fields' };
};

async function* jsonRows(content: AsyncIterable<Buffer>): AsyncGenerator<FileRow> {
  let rest = '';
  let at = 0;
  for await (const text of decoded(content)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    if (rest.length > ROW_CHARACTERS_MAX) throw unusable(`Line ${at + 1} is longer than 64 KB`);
    for (const line of lines) {
      at += 1;
      if (line.trim() !== '') yield rowOfLine(line, at);
    }
  }
  if (rest.trim() !== '') yield rowOfLine(rest, at + 1);
}

/** The rows of a file, numbered from 1. Throws where it cannot be used. */
export async function* readFile(
  content: AsyncIterable<Buffer>,
  format: 'csv' | 'jsonl',
  columns: Columns,
  { rowsMax }: Pick<FileBounds, 'rowsMax'> = fileBounds,
): AsyncGenerator<{ row: number } & FileRow> {
  let row = 0;
  for await (const one of format === 'csv' ? csvRows(content, columns) : jsonRows(content)) {
    row += 1;
    if (row > rowsMax)
      throw unusable(`The file has more than ${rowsMax.toLocaleString('en')} rows: split it`);
    yield { row, ...one };
    if (row % ROWS_PER_TURN === 0) await nextTurn();
  }
  if (row === 0) throw unusable('The file has no rows');
}
