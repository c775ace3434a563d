import { countryWord, createVolumes, type TheirVolume, volumeCategory } from './volumes.ts';

// An operator's own account of volumes, as CSV: an export of the provider's, or of a spreadsheet.

/** What each column may be called, in small letters with `_` between words. */
const names = {
  country: ['country', 'country_code'],
  category: ['category', 'pricing_category'],
  type: ['type', 'pricing_type'],
  volume: ['volume', 'quantity', 'messages', 'count'],
  cost: ['cost', 'amount'],
} as const;
type Column = keyof typeof names;
const required = ['country', 'category', 'volume'] as const;

const separators = [',', ';', '\t'];

/** The cells of a line; a cell in quotes may hold the separator, and two quotes for one. */
const cellsOf = (line: string, separator: string): string[] => {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (isQuoted && character === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
};

const columnsIn = (header: readonly string[]): Map<Column, number> => {
  const words = header.map((name) => name.toLowerCase().replaceAll(/[\s-]+/g, '_'));
  const found = (Object.keys(names) as Column[]).map((column) => {
    const at = words.findIndex((word) => (names[column] as readonly string[]).includes(word));
    return [column, at] as const;
  });
  return new Map(found.filter(([, at]) => at >= 0));
};

/** The volumes of a file, by category and country. Throws with the line that cannot be read. */
export const readBill = async (lines: AsyncIterable<string>): Promise<TheirVolume[]> => {
  const volumes = createVolumes();
  let columns: Map<Column, number> | undefined;
  let separator = ',';
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = text.replace(/^\ufeff/, '');
    if (line.trim() === '') continue;
    if (!columns) {
      separator = separators.find((one) => line.includes(one)) ?? ',';
      columns = columnsIn(cellsOf(line, separator));
      const missing = required.filter((column) => !columns?.has(column));
      if (missing.length > 0) {
        const known = missing.map((column) => names[column].join(' or '));
        throw new Error(`the first line must name the columns; missing: ${known.join(', ')}`);
      }
      continue;
    }
    const cells = cellsOf(line, separator);
    const cell = (column: Column) => cells[columns?.get(column) ?? -1] ?? '';
    const volume = /^\d{1,15}$/.test(cell('volume')) ? Number(cell('volume')) : Number.NaN;
    if (Number.isNaN(volume)) throw new Error(`line ${number}: the volume must be a whole number`);
    if (cell('category') === '') throw new Error(`line ${number}: the category is missing`);
    const isFree = cell('type').toUpperCase().startsWith('FREE');
    const cost = cell('cost') === '' ? Number.NaN : Number(cell('cost'));
    volumes.add(
      volumeCategory(cell('category').replaceAll(' ', '_')),
      countryWord(cell('country')),
      {
        ...(isFree ? { free: volume } : { billed: volume }),
        cost: Number.isNaN(cost) ? null : cost,
      },
    );
  }
  if (!columns) throw new Error('the file is empty');
  return volumes.list();
};
