import type { Meta } from '../store.ts';
import type { SourceEvent } from './ports.ts';

/**
 * Streams of which there are many and long ones, and whose events concern their account alone.
 * Everything else (plans, numbers, organisations ...) may concern anybody.
 */
const OF_ONE_ACCOUNT: ReadonlySet<string> = new Set([
  'account',
  'message',
  'conversation',
  'request',
]);

/**
 * Whose order an event is part of: its account's, or everybody's where undefined. A message must
 * stand behind its reservation and a list in the order in which things happened, so the events of
 * an account are copied one after the other; accounts do not know of each other.
 */
export const laneOf = ({ stream, revision, meta }: SourceEvent): string | undefined => {
  const category = stream.slice(0, stream.indexOf('-'));
  if (!OF_ONE_ACCOUNT.has(category)) return undefined;
  // Accounts are listed in the order in which they were opened.
  if (category === 'account' && revision === 0) return undefined;
  return (JSON.parse(meta) as Partial<Meta>).accountId;
};

export interface Lanes {
  /** Resolves once it has a place. Throws what an append threw. */
  put(event: SourceEvent): Promise<void>;
  /** Resolves once all is appended. Throws what an append threw, when no other is under way. */
  idle(): Promise<void>;
}

export interface LanesOptions {
  /** Appends events that follow one another in one stream. */
  append: (events: readonly SourceEvent[]) => Promise<void>;
  /** Appends under way at a time. */
  runningMax: number;
  /** How many positions the oldest event under way and the newest may be apart. */
  spanMax: number;
}

interface Lane {
  name: string;
  waiting: SourceEvent[];
}

/** In characters, each of at most three bytes: an append stays below 1 MiB, a larger event alone. */
const APPEND_MAX = 256 * 1024;
const APPEND_EVENTS_MAX = 500;
const WAITING_MAX = 8 * 1024 * 1024;
const FRAME = 300;
const EVERYBODY = '';

const sizeOf = ({ data, meta }: SourceEvent): number => data.length + meta.length + FRAME;

/** The first events of a lane that can be appended as one. */
const takeRun = ({ waiting }: Lane): readonly SourceEvent[] => {
  const [first] = waiting as [SourceEvent, ...SourceEvent[]];
  let count = 1;
  let size = sizeOf(first);
  while (count < Math.min(waiting.length, APPEND_EVENTS_MAX)) {
    const next = waiting[count]!;
    size += sizeOf(next);
    if (next.stream !== first.stream || size > APPEND_MAX) break;
    count += 1;
  }
  return waiting.splice(0, count);
};

/** Appends the events of each lane in their order, and those of several lanes side by side. */
export const createLanes = ({ append, runningMax, spanMax }: LanesOptions): Lanes => {
  const lanes = new Map<string, Lane>();
  const ready: Lane[] = [];
  /** Lanes of the streams that have events under way, and how many. */
  const streams = new Map<string, { lane: string; count: number }>();
  /** Positions under way, in order. */
  const open = new Set<number>();
  let size = 0;
  let running = 0;
  let failure: { error: unknown } | undefined;
  let changed: PromiseWithResolvers<void> | undefined;

  const change = (): Promise<void> => {
    changed ??= Promise.withResolvers();
    return changed.promise;
  };

  const close = (event: SourceEvent): void => {
    open.delete(event.position);
    size -= sizeOf(event);
    const use = streams.get(event.stream)!;
    use.count -= 1;
    if (use.count === 0) streams.delete(event.stream);
  };

  const work = async (lane: Lane): Promise<void> => {
    const run = takeRun(lane);
    running += 1;
    await append(run).then(
      () => run.forEach(close),
      (error: unknown) => {
        failure ??= { error };
      },
    );
    running -= 1;
    if (lane.waiting.length > 0) ready.push(lane);
    else lanes.delete(lane.name);
    begin();
    changed?.resolve();
    changed = undefined;
  };

  const begin = (): void => {
    while (running < runningMax && !failure) {
      const lane = ready.shift();
      if (!lane) return;
      void work(lane);
    }
  };

  const idle = async (): Promise<void> => {
    while (running > 0 || (open.size > 0 && !failure)) await change();
    if (failure) throw failure.error;
  };

  const isFull = (position: number): boolean => {
    const [oldest] = open;
    return oldest !== undefined && (position - oldest >= spanMax || size >= WAITING_MAX);
  };

  const enter = (event: SourceEvent, name: string): void => {
    open.add(event.position);
    size += sizeOf(event);
    const use = streams.get(event.stream) ?? { lane: name, count: 0 };
    streams.set(event.stream, { ...use, count: use.count + 1 });
    const lane = lanes.get(name);
    if (lane) {
      lane.waiting.push(event);
      return;
    }
    const fresh: Lane = { name, waiting: [event] };
    lanes.set(name, fresh);
    ready.push(fresh);
    begin();
  };

  return {
    async put(event) {
      const name = laneOf(event);
      const other = streams.get(event.stream);
      const isShared = name === undefined || (other !== undefined && other.lane !== name);
      if (isShared) await idle();
      while (isFull(event.position) && !failure) await change();
      if (failure) throw failure.error;
      enter(event, name ?? EVERYBODY);
      if (name === undefined) await idle();
    },
    idle,
  };
};
