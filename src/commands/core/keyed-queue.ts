import { Interrupted } from '../../shared/retry.ts';
import { keepTrace } from '../../shared/trace-context.ts';
import type { Unsettled } from './reactor-checkpoints.ts';

/** Jobs of one key run one after the other; the keys of a group share its places. */
interface KeyedJob {
  group: string;
  key: string;
  /**
   * May resolve to a time, in ms since 1970: the job runs again once a `wake` has passed it. Until then
   * its key waits, and its place among the running jobs is free.
   */
  work(): Promise<unknown>;
}

interface KeyedQueue {
  /**
   * Queues the job; undefined when the group or the queue is full. It settles with whether the work
   * succeeded. Interrupted work, and work that a drain drops, stays unsettled: the next start takes
   * it up again.
   */
  offer(job: KeyedJob): Unsettled<boolean> | undefined;
  /** Runs the jobs again whose time has come. */
  wake(nowMs: number): void;
  /** Starts no further job, and drops those that wait. Resolves when the running jobs have ended. */
  drain(): Promise<void>;
}

interface Limits {
  runningPerGroup: number;
  jobsPerGroup: number;
  jobs: number;
  /** Called for each job whose work fails, unless it was interrupted. */
  onFault: (error: unknown, job: KeyedJob) => void;
}

interface Queued extends KeyedJob {
  settle(succeeded: boolean): void;
}

interface Group {
  /** Keys that have a waiting job and no running one, in the order of their turns. */
  ready: string[];
  running: number;
  jobs: number;
  waiting: Map<string, Queued[]>;
}

/** Resolves to the time of the next run; undefined when there is none. */
const run = async (job: Queued, onFault: Limits['onFault']): Promise<number | undefined> => {
  try {
    const next = await job.work();
    if (typeof next === 'number') return next;
    job.settle(true);
  } catch (error) {
    if (error instanceof Interrupted) return undefined;
    onFault(error, job);
    job.settle(false);
  }
  return undefined;
};

/** The fuller the queue, the fewer jobs a group may hold. */
const placesOfGroup = (limits: Limits, jobs: number): number => {
  if (jobs < limits.jobs / 2) return limits.jobsPerGroup;
  return jobs < (limits.jobs * 7) / 8 ? limits.runningPerGroup : 1;
};

const enqueue = (group: Group, job: Queued): void => {
  const sameKey = group.waiting.get(job.key);
  if (sameKey) sameKey.push(job);
  else {
    group.waiting.set(job.key, [job]);
    group.ready.push(job.key);
  }
};

/**
 * Runs a bounded number of jobs at a time for each group, and one for each key. Groups do not wait
 * for each other; the keys of a group take turns. The fuller the queue, the fewer jobs a group may
 * hold: from half full on as many as it may run at a time, from seven eighths on one. So there is a
 * place for the next group, however many groups are stuck. `p-queue` knows neither groups nor keys.
 */
export const createKeyedQueue = (limits: Limits): KeyedQueue => {
  const groups = new Map<string, Group>();
  const running = new Set<Promise<void>>();
  /** Keys whose first job waits for its time. */
  const resting = new Set<{ name: string; group: Group; key: string; atMs: number }>();
  let jobs = 0;
  let draining = false;

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
      const work = run(job!, limits.onFault).then((atMs) => {
        running.delete(work);
        if (atMs === undefined) {
          finish(name, group, key);
          return;
        }
        group.running -= 1;
        resting.add({ name, group, key, atMs });
        pump(name, group);
      });
      running.add(work);
    }
  };

  return {
    offer(job) {
      const known = groups.get(job.group);
      const group: Group = known ?? { ready: [], running: 0, jobs: 0, waiting: new Map() };
      const places = placesOfGroup(limits, jobs);
      if (draining || group.jobs >= places || jobs >= limits.jobs) return undefined;
      groups.set(job.group, group);
      group.jobs += 1;
      jobs += 1;
      const { promise: settled, resolve: settle } = Promise.withResolvers<boolean>();
      enqueue(group, { ...job, work: keepTrace(job.work), settle });
      pump(job.group, group);
      return { settled };
    },
    wake(nowMs) {
      for (const rest of resting) {
        if (rest.atMs > nowMs) continue;
        resting.delete(rest);
        rest.group.ready.push(rest.key);
        pump(rest.name, rest.group);
      }
    },
    async drain() {
      draining = true;
      await Promise.all(running);
    },
  };
};
