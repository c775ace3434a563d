import type { BotNode } from './graph.ts';

export type Data = BotNode['data'];

/** Where a field is in a form: where another one has, or has not, one of these values. */
type Condition = Readonly<Record<string, readonly string[]>>;

/** The ways of a choice: what each is called, and what it begins with. */
type Ways = Readonly<Record<string, { words: string; start: Data }>>;

/** A field of a node's form. What the forms do not name stays in the data as it is. */
export type NodeField = {
  /** Where the value is in the data, such as `validation.kind`. */
  name: string;
  label: string;
  hint?: string;
  when?: Condition;
  unless?: Condition;
  /** Belongs to this way of the form. */
  onWay?: string;
} & (
  | { kind: 'text' | 'area' | 'path'; placeholder?: string }
  | { kind: 'number'; min: number; max: number; step?: 'any' }
  | { kind: 'check' }
  | { kind: 'select'; options: readonly string[]; fallback: string }
  /** Names with texts. */
  | { kind: 'pairs' }
  | { kind: 'event' | 'hours' | 'json' | 'zone' }
  /** Objects, each with fields of its own. A fresh one gets an id of this letter and a number. */
  | {
      kind: 'list';
      of: string;
      max: number;
      idLetter?: string;
      fresh: Data;
      fields: readonly NodeField[];
    }
  /** One of several ways to say it: what the others need goes. */
  | { kind: 'way'; ways: Ways }
);

/** What the service knows of its types of nodes; `npm run openapi` writes the table. */
export type NodeTypes = Readonly<
  Record<
    string,
    {
      /** Data of a new node. */
      example: Data;
      /** An outcome, or one for the id of each object of a list. */
      outcomes: readonly (string | { each: string; as: string })[];
      form: readonly NodeField[];
    }
  >
>;

/** What is in the data under a name such as `validation.kind`. */
export const valueIn = (data: Data, name: string): unknown => {
  const [first = '', ...rest] = name.split('.');
  const inner = data[first];
  if (rest.length === 0) return inner;
  return typeof inner === 'object' && inner !== null
    ? valueIn(inner as Data, rest.join('.'))
    : undefined;
};

/** The data with a value under a name; everything else stays. Undefined removes the name. */
export const withValue = (data: Data, name: string, to: unknown): Data => {
  const [first = '', ...rest] = name.split('.');
  if (rest.length > 0) {
    const inner = data[first];
    const before = typeof inner === 'object' && inner !== null ? (inner as Data) : {};
    return { ...data, [first]: withValue(before, rest.join('.'), to) };
  }
  if (to !== undefined) return { ...data, [first]: to };
  const { [first]: _, ...others } = data;
  return others;
};

/** Which way the data goes; the last one where it goes none. */
export const wayOf = (data: Data, ways: Ways): string => {
  const names = Object.keys(ways);
  const known = names.filter((way) => data[way] !== undefined && data[way] !== null);
  return known.find((way) => data[way] !== '') ?? known[0] ?? names.at(-1) ?? '';
};

/** The data on another way. */
export const onWay = (data: Data, ways: Ways, way: string): Data => {
  const others = Object.keys(ways).filter((other) => other !== way);
  const without = others.reduce((left, other) => withValue(left, other, undefined), data);
  return { ...ways[way]?.start, ...without };
};

const isOneOf = (data: Data, condition: Condition): boolean =>
  Object.entries(condition).every(([name, values]) =>
    values.includes(String(valueIn(data, name) ?? '')),
  );

/** The fields that this data needs. */
export const fieldsFor = (fields: readonly NodeField[], data: Data): readonly NodeField[] => {
  const choice = fields.find((field) => field.kind === 'way');
  const way = choice && wayOf(data, choice.ways);
  return fields.filter(
    ({ when, unless, onWay }) =>
      (onWay === undefined || onWay === way) &&
      (when === undefined || isOneOf(data, when)) &&
      (unless === undefined || !isOneOf(data, unless)),
  );
};

/** A new object of a list, with a short id that no other has. */
export const freshItem = (
  { idLetter, fresh }: Extract<NodeField, { kind: 'list' }>,
  all: readonly unknown[],
): Data => {
  if (idLetter === undefined) return structuredClone(fresh);
  const used = new Set(all.map((one) => (one as { id?: unknown } | null)?.id));
  for (let number = 1; ; number += 1) {
    const id = `${idLetter}${number}`;
    if (!used.has(id)) return { id, ...structuredClone(fresh) };
  }
};
