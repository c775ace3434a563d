import { z } from 'zod';

// Everything about a contact is stored encrypted, under a data key of the contact (docs/privacy.md).
// A schema marks such fields here; nothing else in the code knows which fields these are.

/** One id of a contact in one account, and the data key of a UTC month that its events are sealed under. */
export interface DataSubject {
  /** The pseudonym in events, streams and read models. */
  ref: string;
  /** UTC, such as `2026-11`. */
  month: string;
  /** 32 bytes. */
  key: Uint8Array;
}

const marked = z.registry<{ isPersonal: true }>();

/**
 * Marks a top-level field of an event's data as personal. It is null once its key is destroyed. Data
 * with personal fields has a clear field `contactRef`, or `contactRefs` for content of several
 * contacts, which is readable while the keys of all of them live.
 */
export const personal = <T extends z.ZodType>(schema: T): z.ZodNullable<T> => {
  const field = z.nullable(schema);
  marked.add(field, { isPersonal: true });
  return field;
};

/** The oldest of some months; undefined of none. */
export const oldestMonth = (months: readonly string[]): string | undefined => {
  let oldest: string | undefined;
  for (const month of months) if (oldest === undefined || month < oldest) oldest = month;
  return oldest;
};

/** The names of the personal fields of a schema. */
export const personalFieldsOf = (schema: z.ZodObject): readonly string[] =>
  Object.entries(schema.shape)
    .filter(([, field]) => marked.has(field as z.ZodType))
    .map(([name]) => name);
