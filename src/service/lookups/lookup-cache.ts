import type { Memo } from '../../commands/core/lookups.ts';
import { type EventOf, type KnownEvent, newerType } from '../../events/index.ts';
import {
  type EventReader,
  interestIn,
  type Recorded,
  StoreUnavailable,
  UNREADABLE,
} from '../../events/store.ts';
import type { Handler, Projection } from '../../projections/define.ts';
import type { Reader, Shown } from '../../projections/engine/reader.ts';
import { ViewsUnavailable } from '../../projections/views.ts';
import { createGrowingCache } from '../../shared/growing-cache.ts';

/** Says for each event which answer it changes. */
export type ChangesOf<Of> = { [T in KnownEvent['type']]?: (event: EventOf<T>) => Of };

/** A look-up whose answers are kept until an event changes them. `Of` says what is looked up. */
interface CachedLookup<Of, Value> {
  /** Unique among all look-ups. */
  name: string;
  /** What distinguishes two answers, where `Of` is no text. */
  id?(of: Of): string;
  projection: Projection;
  /**
   * The stream that alone makes the document, where nothing may be granted on an old one: it is read while the
   * projection does not show all.
   */
  stream?(of: Of): string;
  /** An undefined answer is not kept. */
  load(reader: Reader, of: Of): Promise<Value>;
  on: ChangesOf<Of>;
  /** The answer after such an event; when absent, the event drops the answer. */
  fold?(value: Value, event: KnownEvent): Value;
}

/** The key of an answer among those of all look-ups. */
const keyOf = <Of>({ name, id }: Pick<CachedLookup<Of, never>, 'name' | 'id'>, of: Of): string =>
  `${name} ${id ? id(of) : of}`;

/** Answers of all look-ups together. */
const ANSWERS_MAX = 20_000;

const createAnswers = () => ({
  kept: createGrowingCache<string, { value: unknown }>(ANSWERS_MAX),
  loading: new Map<string, Promise<unknown>>(),
});
type Answers = ReturnType<typeof createAnswers>;

const drop = ({ kept, loading }: Answers, key: string): void => {
  kept.delete(key);
  loading.delete(key);
};

/** What an event does to the kept answers. */
type Effect = (answers: Answers, event: KnownEvent) => void;

const effectOf = <Of, Value>(
  lookup: CachedLookup<Of, Value>,
  of: (event: KnownEvent) => Of,
): Effect => {
  const { fold } = lookup;
  if (!fold) return (answers, event) => drop(answers, keyOf(lookup, of(event)));
  return ({ kept, loading }, event) => {
    const changed = keyOf(lookup, of(event));
    // An answer that is being loaded may lack the event: it is not kept.
    loading.delete(changed);
    const known = kept.get(changed);
    if (known) kept.set(changed, { value: fold(known.value as Value, event) });
  };
};

export const defineLookup = <Of, Value>(lookup: CachedLookup<Of, Value>) => ({
  ...lookup,
  effects: Object.entries(lookup.on).map(
    ([type, of]) => [type, effectOf(lookup, of as (event: KnownEvent) => Of)] as const,
  ),
});

type DefinedLookups = readonly { effects: readonly (readonly [type: string, Effect])[] }[];

interface Sources {
  store: EventReader;
  reader: Reader;
}

/** Waits until the views of the projection have seen the whole log, or will not soon: that may be away, too. */
export const awaitLog = async (
  { store, reader }: Sources,
  projection: Projection,
): Promise<Shown | 'away'> => {
  try {
    return await reader.reached([projection], await store.head());
  } catch (error) {
    const logIsAway = error instanceof StoreUnavailable && !(error instanceof ViewsUnavailable);
    if (!logIsAway) throw error;
    return 'away';
  }
};

/** The document as its own stream makes it. */
const foldStream = async (
  { store }: Pick<Sources, 'store'>,
  { on }: Projection,
  id: string,
  stream: string,
): Promise<unknown> => {
  const handlers = on as Record<string, Handler<unknown, Recorded> | undefined>;
  let document: unknown;
  for (const event of await store.read(stream)) {
    const handler = handlers[event.type];
    if (handler) document = handler.fold(document, event, id, () => undefined) ?? undefined;
  }
  return document;
};

/** Values of one memo. */
const MADE_MAX = 10_000;

/** See `Lookups.memo`. `version` is another number once an answer has changed; undefined while none is kept. */
export const createMemo = <Value extends {}>(
  version: () => number | undefined,
  isWhole: (value: Value) => boolean = () => true,
): Memo<Value> => {
  const made = createGrowingCache<string, Value>(MADE_MAX);
  /** The version of the answers that they are made of. */
  let keptOf: number | undefined;
  return (key, make) => {
    const madeOf = version();
    if (madeOf !== keptOf) made.clear();
    keptOf = madeOf;
    const kept = made.get(key);
    if (kept) return kept;
    return make().then((value) => {
      if (madeOf !== undefined && madeOf === version() && isWhole(value)) made.set(key, value);
      return value;
    });
  };
};

export type LookupCache = ReturnType<typeof createLookupCache>;

/** Keeps answers only while the log is followed, so that a revocation is never missed. */
export const createLookupCache = (sources: Sources, lookups: DefinedLookups) => {
  const answers = createAnswers();
  const { kept, loading } = answers;
  const effects = Map.groupBy(
    lookups.flatMap((lookup) => lookup.effects),
    ([type]) => type,
  );
  /** Of which an answer was kept since the last time that all were forgotten. */
  const answered = new Set<Projection>();
  let following = false;
  let changes = 0;
  /** Another number once an answer changes, or could not be kept; undefined while none is kept. */
  const version = (): number | undefined => (following ? changes : undefined);
  const forgetAll = () => {
    changes += 1;
    kept.clear();
    loading.clear();
    answered.clear();
  };

  /** Reads once for all concurrent callers. `fresh` drops what was kept before. */
  const through =
    <Of, Value>(lookup: CachedLookup<Of, Value>) =>
    async (of: Of, options?: { fresh?: boolean }): Promise<Value> => {
      const key = keyOf(lookup, of);
      if (options?.fresh) {
        changes += 1;
        drop(answers, key);
      }
      const known = kept.get(key);
      if (known) return known.value as Value;
      const running = loading.get(key);
      if (running) return running as Promise<Value>;
      const read = async () => {
        const { projection } = lookup;
        const shown = await awaitLog(sources, projection);
        const stream = shown === 'halted' || shown === 'older' ? lookup.stream?.(of) : undefined;
        const value = stream
          ? ((await foldStream(sources, projection, String(of), stream)) as Value)
          : await lookup.load(sources.reader, of);
        const isFresh = shown === 'all' || stream !== undefined;
        if (!isFresh && value === undefined) {
          throw new StoreUnavailable(`the newest events are not known: ${shown}`);
        }
        // An answer that was dropped while it was loaded is no longer in `loading`.
        const mayKeep = isFresh && following && loading.get(key) === load;
        if (!mayKeep) changes += 1;
        else if (value !== undefined) {
          kept.set(key, { value });
          answered.add(projection);
        }
        return value;
      };
      const load: Promise<Value> = read().finally(() => {
        if (loading.get(key) === load) loading.delete(key);
      });
      loading.set(key, load);
      return load;
    };

  return {
    /** Whether answers out of the projection are kept: those need no read model that is up to date. */
    keeps: (projection: Projection): boolean => answered.has(projection),
    through,
    /** The same, at once where the answer is kept, and with another answer in place of none. */
    throughOr:
      <Of, Value>(lookup: CachedLookup<Of, Value>, none: NonNullable<Value>) =>
      (of: Of): NonNullable<Value> | Promise<NonNullable<Value>> => {
        const known = kept.get(keyOf(lookup, of));
        return known
          ? (known.value as NonNullable<Value>)
          : through(lookup)(of).then((value) => value ?? none);
      },
    /** Takes in an event that was appended here, or that the log delivered. */
    note(event: KnownEvent): void {
      const newer = (event as Recorded).type === UNREADABLE ? newerType(event) : undefined;
      // What it changes is not known here.
      if (newer !== undefined && effects.has(newer)) forgetAll();
      const caused = effects.get(event.type);
      if (!caused) return;
      changes += 1;
      for (const [, effect] of caused) effect(answers, event);
    },
    version,
    memo: <Value extends {}>(isWhole?: (value: Value) => boolean) => createMemo(version, isWhole),
    interest: interestIn(effects.keys()),
    /** Says whether the log is followed from here on. */
    setFollowing(now: boolean): void {
      following = now;
      forgetAll();
    },
  };
};
