import { oldestMonth } from '../events/sealing.ts';
import type { Recorded } from '../events/store.ts';
import type { Destroyed } from './define.ts';

// Fields of a document may be sealed under keys of different months. The document then tells the month
// of each, so that a sweep takes away exactly what a rebuild would not find any more.

/** A personal value, and the month of the key that seals it; empty for one that was stored in clear. */
export interface Held<T = string> {
  value: T;
  month: string;
}

/** Personal values of a document by the names of their fields; null for none, or an erased one. */
export type HeldFields<Name extends string = string> = Readonly<Record<Name, Held | null>>;

/** The months of a document's personal fields. */
export interface SealedMonths {
  /** The oldest of them; null where nothing is sealed. */
  sealedMonth: string | null;
  /** The months of those fields that have a later one. */
  laterMonths?: Readonly<Record<string, string>>;
}

type SealedIn = Pick<Recorded, 'sealedMonth'>;

/** A personal value of an event. */
export const heldIn = <T>({ sealedMonth }: SealedIn, value: T | null): Held<T> | null =>
  value === null ? null : { value, month: sealedMonth ?? '' };

/** A personal value of a document's field. */
export const heldBy = <T>(
  { sealedMonth, laterMonths }: SealedMonths,
  name: string,
  value: T | null,
): Held<T> | null =>
  value === null ? null : { value, month: laterMonths?.[name] ?? sealedMonth ?? '' };

/**
 * The later of two values. Never one of an older month: the newer key may outlive the older one, and
 * the result must not depend on what is erased by then.
 */
export const newest = <T>(kept: Held<T> | null, next: Held<T> | null): Held<T> | null => {
  if (kept === null || next === null) return next ?? kept;
  return next.month >= kept.month ? next : kept;
};

/** The months of these fields, and of `others` that tell their months themselves. */
export const monthsOf = (
  held: Readonly<Record<string, Held<unknown> | null>>,
  others: readonly string[] = [],
): SealedMonths => {
  let sealedMonth = oldestMonth(others) ?? null;
  for (const one of Object.values(held)) {
    if (one === null || one.month === '') continue;
    if (sealedMonth === null || one.month < sealedMonth) sealedMonth = one.month;
  }
  let laterMonths: Record<string, string> | undefined;
  for (const name of Object.keys(held)) {
    const month = held[name]?.month ?? '';
    if (month === '' || month === sealedMonth) continue;
    laterMonths ??= {};
    laterMonths[name] = month;
  }
  return laterMonths ? { sealedMonth, laterMonths } : { sealedMonth };
};

/** The value, unless the key that sealed it is destroyed. The refs of a sweep are the document's own. */
export const unlessDestroyed = <T>(held: Held<T> | null, destroyed: Destroyed): Held<T> | null => {
  if (held === null || held.month === '') return held;
  return 'through' in destroyed && held.month > destroyed.through ? held : null;
};
