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

/** A value in personal fields that names further contacts. */
const Named = z.object({
  /** From the event's data down to the value. */
  path: z.array(z.union([z.string(), z.int()])),
  refs: z.array(z.string()),
  /** The value is gone, because one of these contacts was erased. */
  isErased: z.literal(true).optional(),
});
export type Named = z.output<typeof Named>;

/**
 * Fields of an event whose personal fields name further contacts. Each such value is sealed under the
 * keys of these contacts besides that of its own, all of one month, and so it goes with each of them.
 */
export const namesOthers = {
  otherRefs: z.array(z.string()).optional(),
  named: personal(z.array(Named)).optional(),
};

const unwrapped = (field: z.ZodType): z.ZodType =>
  field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field;

/** The names of the personal fields of a schema. */
export const personalFieldsOf = (schema: z.ZodObject): readonly string[] =>
  Object.entries(schema.shape)
    .filter(([, field]) => marked.has(unwrapped(field as z.ZodType)))
    .map(([name]) => name);
