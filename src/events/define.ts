import { z } from 'zod';
import { type DataSubject, personalFieldsOf } from './personal.ts';
import { open, type SealedUnder, seal, sealedUnder } from './sealing.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The id in a stream's name, after `<category>-`, also where a shared log puts more before the name. */
export const idInStream = (stream: string, category: string): string => {
  const start = `${category}-`;
  return stream.slice(stream.indexOf(start) + start.length);
};

/**
 * Turns one stored shape into the next one. Sealed fields are not in it: they come as null. `stream` is
 * the name of the event's stream.
 */
export type Upcast = (stored: Record<string, unknown>, stream: string) => Record<string, unknown>;

/** What happened, in the words of its definition; not yet stamped or stored. */
export interface Fact<T extends string = string, D = unknown> {
  type: T;
  data: D;
  /** Its stored form, where that was made already. */
  stored?: Fields;
  /** The oldest month of the keys that seal it; absent where nothing of it is sealed. */
  sealedMonth?: string;
  /** A key of its sealed part was destroyed. */
  isErased?: true;
}

/** Makes the stored form of a fact: its personal fields sealed under the keys of their contacts. */
export type Encode = (fact: Fact) => Fields;

export interface EventDefinition<T extends string = string, D = unknown> {
  type: T;
  version: number;
  schema: z.ZodType<D>;
  /** Whether its stored form is denser than its data. The metadata then repeats no account. */
  isPacked: boolean;
  /** The fields that are stored encrypted. */
  personal: readonly string[];
  /** Parses, so that nothing malformed is ever stored. */
  of(data: D): Fact<T, D>;
  /**
   * The stored form. Personal fields are sealed under the keys of the subjects that the data names as
   * `contactRef` or `contactRefs`. Throws when one of them is not among `subjects`.
   */
  encode(data: D, subjects: readonly DataSubject[]): Fields;
  /** Reads a stored shape of any version as today's. Sealed fields are null. Throws when it fits none. */
  decode(version: number, stored: unknown, stream?: string): D;
  /** The keys that the sealed part of an event needs. Throws when it is none. */
  sealedUnder(data: D, sealed: string): readonly SealedUnder[];
  /**
   * The data with its sealed fields; undefined where lost keys of the same names sealed them. Throws
   * when the sealed part was changed.
   */
  open(data: D, sealed: string, keys: readonly Uint8Array[]): D | undefined;
}

/** The contacts that data is about, whose keys seal its personal fields. */
export const contactRefsIn = (data: unknown): readonly string[] => {
  const { contactRef, contactRefs } = data as { contactRef?: unknown; contactRefs?: unknown };
  if (typeof contactRef === 'string') return [contactRef];
  return Array.isArray(contactRefs) ? (contactRefs as string[]) : [];
};

const subjectsOf = (type: string, data: unknown, known: readonly DataSubject[]) => {
  const refs = contactRefsIn(data);
  if (refs.length === 0) throw new Error(`${type} has personal data and names no contact`);
  return refs.map((ref) => {
    const subject = known.find((one) => one.ref === ref);
    if (!subject) throw new Error(`${type} is about ${ref}, whose data key its command lacks`);
    return subject;
  });
};

const createSealing = (type: string, schema: z.ZodObject) => {
  const personal = personalFieldsOf(schema);
  const sealable = z.object(
    Object.fromEntries(personal.map((name) => [name, schema.shape[name] as z.ZodType])),
  );
  const nothing: Fields = Object.fromEntries(personal.map((name) => [name, null]));
  const isSealed = new Set(personal);

  const encode = (data: Fields, subjects: readonly DataSubject[]): Fields => {
    if (personal.length === 0) return data;
    const stored: Record<string, unknown> = {};
    const hidden: Record<string, unknown> = {};
    for (const name of Object.keys(data)) {
      const value = data[name];
      if (!isSealed.has(name)) stored[name] = value;
      else if (value !== null && value !== undefined) hidden[name] = value;
    }
    const text = JSON.stringify(hidden);
    if (text !== '{}') stored.sealed = seal(type, subjectsOf(type, data, subjects), text);
    return stored;
  };

  const openData = (
    data: Fields,
    sealed: string,
    keys: readonly Uint8Array[],
  ): Fields | undefined => {
    const hidden = open({ type, refs: contactRefsIn(data), sealed }, keys);
    if (hidden === undefined) return undefined;
    return { ...data, ...sealable.parse({ ...nothing, ...JSON.parse(hidden) }) };
  };

  return { personal, nothing, encode, openData };
};

/** A denser stored form of the newest version. Personal fields are not in it. */
export interface Form {
  pack(data: Fields): Fields;
  /** `stream` is the name of the event's stream. */
  unpack(stored: Fields, stream: string): Fields;
}

const plain: Form = { pack: (data) => data, unpack: (stored) => stored };

/**
 * Defines an event once: its stored name, its schema, and how older shapes become today's. The
 * version is counted from the upcasts, so it can be neither forgotten nor wrong.
 */
export const defineEvent = <T extends string, S extends z.ZodObject>(
  type: T,
  schema: S,
  upcasts: readonly Upcast[] = [],
  form: Form = plain,
): EventDefinition<T, z.output<S>> => {
  type Data = z.output<S>;
  const version = upcasts.length + 1;
  const { pack, unpack } = form;
  const { personal, nothing, encode, openData } = createSealing(type, schema);
  return {
    type,
    version,
    schema: schema as unknown as z.ZodType<Data>,
    isPacked: form !== plain,
    personal,
    of: (data) => ({ type, data: schema.parse(data) as Data }),
    encode: (data, subjects) => pack(encode(data as Fields, subjects)),
    decode: (storedVersion, stored, stream = '') => {
      if (!Number.isInteger(storedVersion) || storedVersion < 1 || storedVersion > version) {
        throw new Error(
          `${type} is stored in version ${storedVersion}; this program knows 1 to ${version}`,
        );
      }
      const whole = { ...nothing, ...(stored as Record<string, unknown>) };
      const given = personal.length === 0 ? (stored as Record<string, unknown>) : whole;
      if (storedVersion === version) return schema.parse(unpack(given, stream)) as Data;
      const current = upcasts
        .slice(storedVersion - 1)
        .reduce((data, upcast) => upcast(data, stream), given);
      return schema.parse(current) as Data;
    },
    sealedUnder: (data, sealed) => sealedUnder(contactRefsIn(data), sealed),
    open: (data, sealed, keys) => openData(data as Fields, sealed, keys) as Data | undefined,
  };
};

/** The fact that a definition makes. */
export type FactOf<D> = D extends EventDefinition<infer T, infer Data> ? Fact<T, Data> : never;
