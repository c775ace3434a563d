import type { Clock } from '../../shared/clock.ts';

/** Lanes that are looked at at one time. */
const LOOKS_MAX = 16;
/** Ticks without a look after one that failed or found no room. */
const RESTING_TICKS = 10;

export const NEVER = Number.POSITIVE_INFINITY;

/** Something that waits in a lane. */
export interface DueRow {
  /** Its place in the order of its lane. */
  due: string;
  /** When it is due, in ms since 1970. */
  dueAt: number;
}

/** What waits, by the read models. */
export interface DueRows<Row extends DueRow> {
  /** Waits until the read models have seen the whole log. */
  reachHead(): Promise<void>;
  /** Those of a lane, the first due first, after a place in their order. */
  waiting(of: { lane: string; after: string; limit: number }): Promise<readonly Row[]>;
  /** The lanes in which some wait, each once, in the order of their names, after a name. */
  lanes(of: { after: string }): Promise<readonly string[]>;
}

interface Lane {
  /** When to look, in ms since 1970. */
  lookAt: number;
  looks: boolean;
  restingTicks: number;
}

interface TimersDeps {
  /**
   * Takes what is due in the lane into work, the first due first. Resolves to the time of what comes next,
   * NEVER for nothing, or undefined where there is no room for what is due.
   */
  take(name: string): Promise<number | undefined>;
  clock: Clock;
  onFailure: (error: unknown) => void;
}

/** What waits for its time in the log, in lanes, each in order. */
export interface Timers {
  /** Something in the lane is due then, in ms since 1970. */
  expect(name: string, at: number): void;
  /** Looks where something is due. Called every moment; reads nothing while nothing is. */
  tick(): void;
  drain(): Promise<void>;
}

/** Rows that are read at one time. */
const PAGE = 200;

/**
 * Offers the rows of a lane that are due, those in hand left out, until one finds no room. Resolves to what
 * a look of `createTimers` does.
 */
export const takeDue = async <Row extends DueRow>(
  lane: string,
  of: {
    rows: Pick<DueRows<Row>, 'reachHead' | 'waiting'>;
    /** Rows that are due until then are taken, in ms since 1970. */
    until: number;
    /** Whether a row is or was in memory, at the call or since: what has ended since may still be found. */
    inHand(): (row: Row) => boolean;
    /** False without room. */
    offer(row: Row): boolean;
  },
): Promise<number | undefined> => {
  const { rows, until, offer } = of;
  const isInHand = of.inHand();
  // What ended before is not found.
  await rows.reachHead();
  for (let after = ''; ; ) {
    const page = await rows.waiting({ lane, after, limit: PAGE });
    for (const row of page) {
      after = row.due;
      if (row.dueAt > until) return row.dueAt;
      if (!isInHand(row) && !offer(row)) return undefined;
    }
    if (page.length < PAGE) return NEVER;
  }
};

/** Calls back for each lane in which something waits. */
export const forEachLane = async (
  rows: Pick<DueRows<DueRow>, 'reachHead' | 'lanes'>,
  found: (name: string) => void,
): Promise<void> => {
  await rows.reachHead();
  for (let after: string | undefined = ''; after !== undefined; ) {
    const names = await rows.lanes({ after });
    for (const name of names) found(name);
    after = names.at(-1);
  }
};

/** Whether to look now. Counts the ticks of a rest. */
const mayLook = (lane: Lane, now: number): boolean => {
  if (lane.looks) return false;
  if (lane.restingTicks === 0) return lane.lookAt <= now;
  lane.restingTicks -= 1;
  return false;
};

/**
 * The timers of whatever waits: an event names when it is due, a read model has a row of it in order, and
 * memory only the earliest time of each lane. So a lane without anything due costs no look, and nothing is
 * lost with a process: the rows tell the next one.
 */
export const createTimers = (deps: TimersDeps): Timers => {
  const { take, clock, onFailure } = deps;
  const lanes = new Map<string, Lane>();
  const looking = new Set<Promise<void>>();

  const look = async (name: string, lane: Lane): Promise<void> => {
    lane.looks = true;
    lane.lookAt = NEVER;
    try {
      const next = await take(name);
      lane.lookAt = Math.min(lane.lookAt, next ?? clock.now());
      if (next === undefined) lane.restingTicks = RESTING_TICKS;
    } catch (error) {
      onFailure(error);
      lane.lookAt = clock.now();
      lane.restingTicks = RESTING_TICKS;
    } finally {
      lane.looks = false;
    }
  };

  return {
    expect(name, at) {
      const known = lanes.get(name);
      if (known) known.lookAt = Math.min(known.lookAt, at);
      else lanes.set(name, { lookAt: at, looks: false, restingTicks: 0 });
    },
    tick() {
      const now = clock.now();
      for (const [name, lane] of lanes) {
        if (lane.lookAt === NEVER && !lane.looks) lanes.delete(name);
        else if (looking.size < LOOKS_MAX && mayLook(lane, now)) {
          const running = look(name, lane).finally(() => looking.delete(running));
          looking.add(running);
        }
      }
    },
    async drain() {
      await Promise.all(looking);
    },
  };
};
