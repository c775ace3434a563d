// What a form must know of a file before it is uploaded: its columns. The service reads the rest.

/** The head of a file lies in its first bytes. */
const HEAD_BYTES = 64 * 1024;

const CSV_FIELD = /("(?:[^"]|"")*"|[^,\r\n]*)(,|[\r\n]|$)/g;

/** The fields of the first line of CSV that is not empty; commas and line ends may stand in quotes. */
const csvHead = (text: string): readonly string[] => {
  const fields: string[] = [];
  for (const [, field = '', end] of text.replace(/^[\r\n]+/, '').matchAll(CSV_FIELD)) {
    const value = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
    fields.push(value.trim());
    if (end !== ',') break;
  }
  return fields;
};

const jsonHead = (text: string): readonly string[] => {
  const [line = ''] = text.trimStart().split('\n', 1);
  try {
    return Object.keys(JSON.parse(line) as object);
  } catch {
    throw new Error('The first line is no JSON: each line must be an object with the columns');
  }
};

/** The columns of a file of CSV or JSON Lines. Throws where it has none, with what to do. */
export const readColumns = async (file: File): Promise<readonly string[]> => {
  // A mark of the byte order is taken off.
  const text = new TextDecoder().decode(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (text.startsWith('PK')) throw new Error('It is a spreadsheet or a zip: save it as CSV UTF-8');
  const isLines = /\.(jsonl|ndjson)$/i.test(file.name) || /json/i.test(file.type);
  const found = isLines ? jsonHead(text) : csvHead(text);
  const columns = [...new Set(found)].filter((name) => name !== '');
  if (columns.length === 0) throw new Error('The file is empty');
  if (columns.length === 1 && /[;\t|]/.test(columns[0] ?? '')) {
    throw new Error('The file has one column only: columns are parted by commas');
  }
  return columns;
};

const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The column with one of these names, however it is written. */
export const columnFor = (columns: readonly string[], ...names: string[]): string | undefined =>
  columns.find((column) => names.some((name) => bare(name) === bare(column)));
