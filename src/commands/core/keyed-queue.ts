import { Interrupted } from '../../shared/retry.ts';
import type { Unsettled } from './reactor.ts';

/** Jobs of one key run one after the other; the keys of a group share its places. */
interface KeyedJob {
  group: string;
  key: string;
  work(): Promise<void>;
}

interface KeyedQueue {
  /**
   * Queues the job; undefined when the group or the queue is full. It settles with whether the work
   * succeeded. Interrupted work, and work that a drain drops, stays unsettled: the next start takes
   * it up again.
   */
  offer(job: KeyedJob): Unsettled<boolean> | undefined;
  /** The number of jobs that run or wait. */
  size(): number;
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

const run = async (job: Queued, onFault: Limits['onFault']): Promise<void> => {
  try {
    await job.work();
    job.settle(true);
  } catch (error) {
    if (error instanceof Interrupted) return;
    onFault(error, job);
    job.settle(false);
  }
};

/**
 * Runs a bounded number of jobs at a time for each group, and one for each key. Groups do not wait
 * for each other; the keys of a group take turns. The fuller the queue, the fewer jobs a group may
 * hold: from half full on as many as it may run at a time, from seven eighths on one. So there is a
 * place for the next group, however many groups are stuck.
 */
export const createKeyedQueue = (limits: Limits): KeyedQueue => {
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
      const work = run(job!, limits.onFault).finally(() => {
        running.delete(work);
        finish(name, group, key);
      });
      running.add(work);
    }
  };

  return {
    offer(job) {
      const known = groups.get(job.group);
      const group: Group = known ?? { ready: [], running: 0, jobs: 0, waiting: new Map() };
      if (draining || group.jobs >= placesOfGroup() || jobs >= limits.jobs) return undefined;
      groups.set(job.group, group);
      group.jobs += 1;
      jobs += 1;
      const { promise: settled, resolve: settle } = Promise.withResolvers<boolean>();
      const sameKey = group.waiting.get(job.key);
      if (sameKey) sameKey.push({ ...job, settle });
      else {
        group.waiting.set(job.key, [{ ...job, settle }]);
        group.ready.push(job.key);
      }
      pump(job.group, group);
      return { settled };
    },
    size: () => jobs,
    async drain() {
      draining = true;
      await Promise.all(running);
    },
  };
};
