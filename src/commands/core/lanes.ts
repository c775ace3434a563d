import { Interrupted } from './persist.ts';
import type { Unsettled } from './reactor.ts';

/** Work that one lane does in order; lanes of one group share its places. */
export interface LaneJob {
  group: string;
  lane: string;
  /** Never throws. */
  run(): Promise<void>;
}

export interface Lanes {
  /** False when the group or the whole is full: the job is not taken. */
  offer(job: LaneJob): boolean;
  /** Jobs that run or wait. */
  size(): number;
  /** Starts nothing any more; resolves when what runs has ended. What waits is dropped. */
  drain(): Promise<void>;
}

interface Group {
  /** Lanes that have a job to run and run none, in the order of their turns. */
  ready: string[];
  running: number;
  jobs: number;
  lanes: Map<string, LaneJob[]>;
}

/**
 * A bounded number of jobs at a time for each group, and one for each lane. No group waits for
 * another; within a group lanes take turns. The fuller the whole, the less a group may hold: from
 * the half on what it runs at a time, near the end one job, so however many groups are stuck there
 * are places for the next one.
 */
export const createLanes = (limits: {
  runningPerGroup: number;
  jobsPerGroup: number;
  jobs: number;
}): Lanes => {
  const groups = new Map<string, Group>();
  const running = new Set<Promise<void>>();
  let jobs = 0;
  let draining = false;

  const placesOfGroup = (): number => {
    if (jobs < limits.jobs / 2) return limits.jobsPerGroup;
    return jobs < (limits.jobs * 7) / 8 ? limits.runningPerGroup : 1;
  };

  const finish = (name: string, group: Group, lane: string) => {
    const left = group.lanes.get(lane);
    left?.shift();
    if (left?.length) group.ready.push(lane);
    else group.lanes.delete(lane);
    group.running -= 1;
    group.jobs -= 1;
    jobs -= 1;
    if (group.jobs === 0) groups.delete(name);
    else pump(name, group);
  };

  const pump = (name: string, group: Group) => {
    while (!draining && group.running < limits.runningPerGroup) {
      const lane = group.ready.shift();
      if (lane === undefined) return;
      const [job] = group.lanes.get(lane)!;
      group.running += 1;
      const work = job!.run().finally(() => {
        running.delete(work);
        finish(name, group, lane);
      });
      running.add(work);
    }
  };

  return {
    offer(job) {
      const group: Group = groups.get(job.group) ?? {
        ready: [],
        running: 0,
        jobs: 0,
        lanes: new Map(),
      };
      if (draining || group.jobs >= placesOfGroup() || jobs >= limits.jobs) return false;
      groups.set(job.group, group);
      group.jobs += 1;
      jobs += 1;
      const waiting = group.lanes.get(job.lane);
      if (waiting) waiting.push(job);
      else {
        group.lanes.set(job.lane, [job]);
        group.ready.push(job.lane);
      }
      pump(job.group, group);
      return true;
    },
    size: () => jobs,
    async drain() {
      draining = true;
      await Promise.all(running);
    },
  };
};

/**
 * Offers work for a reactor, undefined when there is no room. Work that the stop has interrupted
 * stays open, and is taken up again at the next start; any other end settles it.
 */
export const offerUntilSettled = (
  lanes: Lanes,
  job: {
    group: string;
    lane: string;
    work: () => Promise<void>;
    onFault: (error: unknown) => void;
  },
): Unsettled | undefined => {
  const { group, lane, work, onFault } = job;
  const done = Promise.withResolvers<void>();
  const taken = lanes.offer({
    ...{ group, lane },
    async run() {
      try {
        await work();
      } catch (error) {
        if (error instanceof Interrupted) return;
        onFault(error);
      }
      done.resolve();
    },
  });
  return taken ? { settled: done.promise } : undefined;
};
