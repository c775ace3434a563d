import { Interrupted } from '../../shared/retry.ts';
import type { Unsettled } from './reactor.ts';

/** Jobs of one key run one after the other; the keys of a group share its places. */
export interface KeyedJob {
  group: string;
  key: string;
  /** Never throws. */
  run(): Promise<void>;
}

export interface KeyedQueue {
  /** False when the group or the queue is full: it did not take the job. */
  offer(job: KeyedJob): boolean;
  /** The number of jobs that run or wait. */
  size(): number;
  /** Starts no further job, and drops those that wait. Resolves when the running jobs have ended. */
  drain(): Promise<void>;
}

interface Group {
  /** Keys that have a waiting job and no running one, in the order of their turns. */
  ready: string[];
  running: number;
  jobs: number;
  waiting: Map<string, KeyedJob[]>;
}

/**
 * Runs a bounded number of jobs at a time for each group, and one for each key. Groups do not wait
 * for each other; the keys of a group take turns. The fuller the queue, the fewer jobs a group may
 * hold: from half full on as many as it may run at a time, from seven eighths on one. So there is a
 * place for the next group, however many groups are stuck.
 */
export const createKeyedQueue = (limits: {
  runningPerGroup: number;
  jobsPerGroup: number;
  jobs: number;
}): KeyedQueue => {
  const groups = new Map<string, Group>();
  const running = new Set<Promise<void>>();
  let jobs = 0;
  let draining = false;

  const placesOfGroup = (): number => {
    if (jobs < limits.jobs / 2) return limits.jobsPerGroup;
    return jobs < (limits.jobs * 7) / 8 ? limits.runningPerGroup : 1;
  };

  const finish = (name: string, group: Group, key: string) => {
    const left = group.waiting.get(key);
    left?.shift();
    if (left?.length) group.ready.push(key);
    else group.waiting.delete(key);
    group.running -= 1;
    group.jobs -= 1;
    jobs -= 1;
    if (group.jobs === 0) groups.delete(name);
    else pump(name, group);
  };

  const pump = (name: string, group: Group) => {
    while (!draining && group.running < limits.runningPerGroup) {
      const key = group.ready.shift();
      if (key === undefined) return;
      const [job] = group.waiting.get(key)!;
      group.running += 1;
      const work = job!.run().finally(() => {
        running.delete(work);
        finish(name, group, key);
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
        waiting: new Map(),
      };
      if (draining || group.jobs >= placesOfGroup() || jobs >= limits.jobs) return false;
      groups.set(job.group, group);
      group.jobs += 1;
      jobs += 1;
      const sameKey = group.waiting.get(job.key);
      if (sameKey) sameKey.push(job);
      else {
        group.waiting.set(job.key, [job]);
        group.ready.push(job.key);
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
 * Offers a reactor's work to the queue; undefined when the queue has no room. Interrupted work stays
 * unsettled, so that the next start takes it up again. Any other end settles it.
 */
export const offerUntilSettled = (
  queue: KeyedQueue,
  job: {
    group: string;
    key: string;
    work: () => Promise<void>;
    onFault: (error: unknown) => void;
  },
): Unsettled | undefined => {
  const { group, key, work, onFault } = job;
  const done = Promise.withResolvers<void>();
  const taken = queue.offer({
    ...{ group, key },
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
