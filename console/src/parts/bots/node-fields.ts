import type { BotNode } from './graph.ts';

export type Data = BotNode['data'];

interface Named {
  /** Where the value is in the data, such as `validation.kind`. */
  name: string;
  label: string;
  hint?: string;
}

/** A field of a node's form. What the forms do not name stays in the data as it is. */
export type NodeField = Named &
  (
    | { kind: 'text' | 'area' | 'path'; placeholder?: string }
    | { kind: 'number'; min: number; max: number; step?: 'any' }
    | { kind: 'check' }
    | { kind: 'select'; options: readonly string[]; fallback: string }
    /** Names with texts. */
    | { kind: 'pairs' }
    | { kind: 'event' | 'hours' | 'json' | 'zone' }
    /** Objects, each with fields of its own. */
    | {
        kind: 'list';
        of: string;
        max: number;
        fresh: (all: readonly unknown[]) => Data;
        fields: (item: Data) => readonly NodeField[];
      }
    /** One of several ways to say it: what the others need goes. */
    | { kind: 'way'; ways: Readonly<Record<string, Data>>; words: Readonly<Record<string, string>> }
  );

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

type Ways = Readonly<Record<string, Data>>;

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
  return { ...ways[way], ...without };
};
