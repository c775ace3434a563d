import type { IndexFields } from '../define.ts';
import { checkedName, comparedFields, parseIndex } from '../walk.ts';

/**
 * How a column holds its field: a word by its number in the table of words, a position of the log as
 * a number, any other value as it is.
 */
export type Kind = 'word' | 'position' | 'value';

export interface Column {
  field: string;
  kind: Kind;
  name: string;
}

/**
 * The table of a collection: packed documents, and some fields in columns of their own, so that
 * indexes and filters need no JSON. Collections of an older program have whole documents, and some have
 * indexes over expressions instead of columns.
 */
export interface Shape {
  table: string;
  columns: readonly Column[];
  /** By the number in the name of the index. */
  indexes: readonly IndexFields[];
  /** False for a collection of an older program. */
  packs: boolean;
}

const PREFIXES: Readonly<Record<Kind, string>> = { word: 'w_', position: 'p_', value: 'f_' };
const TYPES: Readonly<Record<Kind, string>> = { word: 'INTEGER', position: 'ANY', value: 'ANY' };
const KINDS = Object.keys(PREFIXES) as Kind[];

/** The field with an event's position, in every projection that has one. */
const POSITION = 'order';

const columnOf = (field: string, kind: Kind): Column => ({
  field,
  kind,
  name: PREFIXES[kind] + field,
});

const columnNamed = (name: string): Column[] =>
  KINDS.flatMap((kind) =>
    name.startsWith(PREFIXES[kind]) ? columnOf(name.slice(PREFIXES[kind].length), kind) : [],
  );

/** The shape of a collection of this program. */
export const newShape = (
  collection: string,
  indexes: readonly IndexFields[],
  filters: readonly string[],
  words: readonly string[],
): Shape => {
  const kindOf = (field: string): Kind => {
    if (words.includes(field)) return 'word';
    return field === POSITION ? 'position' : 'value';
  };
  return {
    table: checkedName(collection),
    columns: comparedFields(indexes, filters).map((field) => columnOf(field, kindOf(field))),
    indexes,
    packs: true,
  };
};

/** The statements that create a collection and its indexes when missing. */
export const tableOf = ({ table, columns, indexes }: Shape): string[] => {
  const nameOf = (field: string) => columns.find((one) => one.field === field)!.name;
  const all = columns.map(({ name, kind }) => `${name} ${TYPES[kind]}, `).join('');
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
      id TEXT PRIMARY KEY, position ANY NOT NULL, ${all}document TEXT NOT NULL
    ) STRICT`,
    ...indexes.map((one, number) => {
      const parts = parseIndex(one);
      const keys = parts.map(({ name, descending }) => nameOf(name) + (descending ? ' DESC' : ''));
      const sparse = parts.filter((part) => part.sparse);
      const where = sparse.map(({ name }) => `${nameOf(name)} IS NOT NULL`).join(' AND ');
      return (
        `CREATE INDEX IF NOT EXISTS ${indexName(table, number)} ON ${table} ` +
        `(${keys.join(', ')})${where && ` WHERE ${where}`}`
      );
    }),
  ];
};

export const indexName = (table: string, number: number): string => `${table}__${number}`;

const INDEXED = /(?:([fwp]_\w+)|json_extract\(document, '\$\.(\w+)'\))( DESC)?/g;

const fieldsIn = (text: string): string[] => {
  const [, keys = '', where = ''] =
    /\((.*?)\)(?: WHERE (.*))?$/s.exec(text.replace(/^.*? ON \w+ /s, '')) ?? [];
  return [...keys.matchAll(INDEXED)].map(([, column, extracted, descending]) => {
    const name = extracted ?? columnNamed(column!)[0]!.field;
    const isSparse = column !== undefined && where.includes(`${column} `);
    return `${descending ? '-' : ''}${name}${isSparse ? '?' : ''}`;
  });
};

interface Described {
  name: string;
  type: string;
}

/** A collection's shape, from SQLite's schema; undefined for a missing collection. */
export const shapeOf = (
  collection: string,
  all: (text: string, parameter: string) => readonly unknown[],
): Shape | undefined => {
  const table = checkedName(collection);
  const described = all('SELECT name, type FROM pragma_table_info(?)', table) as Described[];
  if (described.length === 0) return undefined;
  const indexes: IndexFields[] = [];
  const made = all(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?`,
    table,
  ) as { name: string; sql: string }[];
  for (const { name, sql } of made)
    indexes[Number(name.slice(indexName(table, 0).length - 1))] = fieldsIn(sql);
  return {
    table,
    columns: described.flatMap(({ name }) => columnNamed(name)),
    indexes,
    packs: described.some(({ name, type }) => name === 'position' && type === 'ANY'),
  };
};
