import { z } from 'zod';
import { type DataSubject, type Named, personalFieldsOf } from './personal.ts';
import { open, type SealedUnder, seal, sealedUnder } from './sealing.ts';
import { SETTINGS_KEY, type SecretSettings } from './settings.ts';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Turns one stored shape into the next one. Sealed fields are not in it: they come as null. `stream` is
 * the name of the event's stream.
 */
export type Upcast = (stored: Record<string, unknown>, stream: string) => Record<string, unknown>;

/** What happened, in the words of its definition; not yet stamped or stored. */
export interface Fact<T extends string = string, D = unknown> {
  type: T;
  data: D;
  /** The oldest month of the keys that seal it; absent where nothing of it is sealed. */
  sealedMonth?: string;
  /** A key of its sealed part was destroyed. */
  isErased?: true;
}

export interface EventDefinition<T extends string = string, D = unknown> {
  type: T;
  version: number;
  schema: z.ZodType<D>;
  /** Whether its stored form is denser than its data. The metadata then repeats no account. */
  isPacked: boolean;
  /** The fields that are stored encrypted under the keys of contacts. */
  personal: readonly string[];
  /** Whether some of its data is stored encrypted under the key of settings. */
  holdsSettings: boolean;
  /** Parses, so that nothing malformed is ever stored. */
  of(data: D): Fact<T, D>;
  /**
   * The stored form. Personal fields are sealed under the keys of the subjects that the data names as
   * `contactRef` or `contactRefs`. Throws when one of them is not among `subjects`. Secret settings are
   * sealed under the key of `settings`, and stored in clear without it.
   */
  encode(data: D, subjects: readonly DataSubject[], settings?: DataSubject): Fields;
  /** Reads a stored shape of any version as today's. Sealed fields are null. Throws when it fits none. */
  decode(version: number, stored: unknown, stream?: string): D;
  /** The keys that the sealed part of an event needs. Throws when it is none. */
  sealedUnder(data: D, sealed: string): readonly SealedUnder[];
  /**
   * The data with its sealed fields; undefined where a key of its own contacts was destroyed, or lost
   * and made again. Throws when the sealed part was changed.
   */
  open(data: D, sealed: string, keys: readonly (Uint8Array | undefined)[]): D | undefined;
}

/** The contacts that data is about, whose keys seal its personal fields. */
export const contactRefsIn = (data: unknown): readonly string[] => {
  const { contactRef, contactRefs } = data as { contactRef?: unknown; contactRefs?: unknown };
  if (typeof contactRef === 'string') return [contactRef];
  return Array.isArray(contactRefs) ? (contactRefs as string[]) : [];
};

/** The further contacts that are named in personal fields. */
const otherRefsIn = (data: unknown): readonly string[] =>
  (data as { otherRefs?: readonly string[] }).otherRefs ?? [];

/** The subjects of a command, by their refs where they may be many. */
type Known = readonly DataSubject[] | Map<string, DataSubject>;

const subjectsOf = (type: string, refs: readonly string[], known: Known) =>
  refs.map((ref) => {
    const subject = known instanceof Map ? known.get(ref) : known.find((one) => one.ref === ref);
    if (!subject) throw new Error(`${type} is about ${ref}, whose data key its command lacks`);
    return subject;
  });

/** So that the keys of a value that names others expire together with those of its event. */
const mustShareMonth = (type: string, own: DataSubject, others: readonly DataSubject[]) => {
  if (others.every(({ month }) => month === own.month)) return;
  throw new Error(`${type} names contacts whose data keys are of another month`);
};

/** From an event's data down to a value in it. */
type Path = readonly (string | number)[];
/** JSON of any shape, on the way along a path. */
type Node = Record<string | number, unknown>;

const parentOf = (root: Fields, path: Path): Node =>
  path.slice(0, -1).reduce((at, step) => at[step] as Node, root as Node);

/** Takes a value out of its place. In a list, null stands there instead. */
export const takeOut = (root: Fields, path: Path): unknown => {
  const [parent, last] = [parentOf(root, path), path.at(-1)!];
  const value = parent[last];
  if (Array.isArray(parent)) parent[last as number] = null;
  else delete parent[last];
  return value;
};

const putBack = (root: Fields, path: Path, value: unknown): void => {
  parentOf(root, path)[path.at(-1)!] = value;
};

/** A value of its own within the sealed part of an event, which it is a part of. */
interface SealedValue extends Named {
  sealed: string;
}

const contextOfValue = (type: string) => `a value of ${type}`;

/** A copy out of which values at these paths can be taken; the rest is shared. */
const copiedAlong = (root: Fields, paths: readonly Path[]): Fields => {
  const copies = new Set<unknown>();
  const copyOf = (value: unknown): Node => {
    if (copies.has(value)) return value as Node;
    const copy = Array.isArray(value) ? [...value] : { ...(value as Node) };
    copies.add(copy);
    return copy as Node;
  };
  const left = copyOf(root);
  for (const path of paths) {
    let at = left;
    for (const step of path.slice(0, -1)) {
      at[step] = copyOf(at[step]);
      at = at[step] as Node;
    }
  }
  return left;
};

/** The personal fields with each value that names others sealed under the keys of these. */
const sealNamed = (type: string, hidden: Fields, known: Known): Fields => {
  const all = hidden.named as readonly Named[];
  const left = copiedAlong(
    hidden,
    all.map(({ path }) => path),
  );
  const named = all.map(({ path, refs }): SealedValue => {
    const text = JSON.stringify(takeOut(left, path));
    return { path, refs, sealed: seal(contextOfValue(type), subjectsOf(type, refs, known), text) };
  });
  return { ...left, named };
};

/** The inverse of `sealNamed`, as far as there are keys. */
const openNamed = (
  type: string,
  hidden: Fields,
  keyOf: ReadonlyMap<string, Uint8Array | undefined>,
): Fields => {
  const named = (hidden.named as readonly SealedValue[]).map(({ path, refs, sealed }): Named => {
    const keys = refs.flatMap((ref) => keyOf.get(ref) ?? []);
    const isHeld = keys.length === refs.length;
    const text = isHeld ? open({ type: contextOfValue(type), refs, sealed }, keys) : undefined;
    if (text === undefined) return { path, refs, isErased: true };
    putBack(hidden, path, JSON.parse(text));
    return { path, refs };
  });
  return { ...hidden, named };
};

const createSealing = (type: string, schema: z.ZodObject) => {
  const personal = personalFieldsOf(schema);
  const sealable = z.object(
    Object.fromEntries(personal.map((name) => [name, schema.shape[name] as z.ZodType])),
  );
  // A field that may be absent is absent while it is sealed, too.
  const shown = personal.filter((name) => !(schema.shape[name] instanceof z.ZodOptional));
  const nothing: Fields = Object.fromEntries(shown.map((name) => [name, null]));
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
    const known = hidden.named ? new Map(subjects.map((one) => [one.ref, one])) : subjects;
    const text = JSON.stringify(hidden.named ? sealNamed(type, hidden, known) : hidden);
    if (text !== '{}') {
      const own = subjectsOf(type, contactRefsIn(data), known);
      if (!own[0]) throw new Error(`${type} has personal data and names no contact`);
      const others = otherRefsIn(data);
      if (others.length > 0) mustShareMonth(type, own[0], subjectsOf(type, others, known));
      stored.sealed = seal(type, own, text);
    }
    return stored;
  };

  const openData = (
    data: Fields,
    sealed: string,
    keys: readonly (Uint8Array | undefined)[],
  ): Fields | undefined => {
    const refs = contactRefsIn(data);
    const own = keys.slice(0, refs.length).filter((key) => key !== undefined);
    const text = own.length === refs.length ? open({ type, refs, sealed }, own) : undefined;
    if (text === undefined) return undefined;
    const hidden = JSON.parse(text) as Fields;
    const others = otherRefsIn(data).map((ref, at) => [ref, keys[refs.length + at]] as const);
    const whole = hidden.named ? openNamed(type, hidden, new Map(others)) : hidden;
    return { ...data, ...sealable.parse({ ...nothing, ...whole }) };
  };

  return { personal, nothing, encode, openData };
};

/** The sealing of settings, in the same form. */
const createSettingsSealing = (type: string, { paths, unopened }: SecretSettings<never>) => {
  const encode = (data: Fields, _: unknown, key: DataSubject | undefined): Fields => {
    const stored: Record<string, unknown> = { ...data };
    for (const name of Object.keys(unopened)) {
      if (data[name] === unopened[name]) delete stored[name];
    }
    const places = key ? paths(stored as never) : [];
    if (!key || places.length === 0) return stored;
    const left = structuredClone(stored);
    const secrets = places.map((path) => [path, takeOut(left, path)]);
    return { ...left, sealed: seal(type, [key], JSON.stringify(secrets)) };
  };

  const openData = (
    data: Fields,
    sealed: string,
    [key]: readonly (Uint8Array | undefined)[],
  ): Fields | undefined => {
    const text = key && open({ type, refs: [SETTINGS_KEY.ref], sealed }, [key]);
    if (text === undefined) return undefined;
    const whole = structuredClone(data);
    for (const [path, value] of JSON.parse(text) as [Path, unknown][]) putBack(whole, path, value);
    return whole;
  };

  return { personal: [], nothing: unopened, encode, openData };
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
  settings?: SecretSettings<z.output<S>>,
): EventDefinition<T, z.output<S>> => {
  type Data = z.output<S>;
  const version = upcasts.length + 1;
  const { pack, unpack } = form;
  const { personal, nothing, encode, openData } = settings
    ? createSettingsSealing(type, settings)
    : createSealing(type, schema);
  const refsIn = settings ? () => [SETTINGS_KEY.ref] : contactRefsIn;
  return {
    type,
    version,
    schema: schema as unknown as z.ZodType<Data>,
    isPacked: form !== plain,
    personal,
    holdsSettings: settings !== undefined,
    of: (data) => ({ type, data: schema.parse(data) as Data }),
    encode: (data, subjects, key) => pack(encode(data as Fields, subjects, key)),
    decode: (storedVersion, stored, stream = '') => {
      if (!Number.isInteger(storedVersion) || storedVersion < 1 || storedVersion > version) {
        throw new Error(
          `${type} is stored in version ${storedVersion}; this program knows 1 to ${version}`,
        );
      }
      const whole = { ...nothing, ...(stored as Record<string, unknown>) };
      const isWhole = personal.length === 0 && !settings;
      const given = isWhole ? (stored as Record<string, unknown>) : whole;
      if (storedVersion === version) return schema.parse(unpack(given, stream)) as Data;
      const current = upcasts
        .slice(storedVersion - 1)
        .reduce((data, upcast) => upcast(data, stream), given);
      return schema.parse(current) as Data;
    },
    sealedUnder(data, sealed) {
      const own = sealedUnder(refsIn(data), sealed);
      return [...own, ...otherRefsIn(data).map((ref) => ({ ref, month: own[0]!.month }))];
    },
    open: (data, sealed, keys) => openData(data as Fields, sealed, keys) as Data | undefined,
  };
};

/** The fact that a definition makes. */
export type FactOf<D> = D extends EventDefinition<infer T, infer Data> ? Fact<T, Data> : never;
