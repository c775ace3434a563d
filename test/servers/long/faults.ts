import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import type { Cluster, Node } from '../cluster.ts';

/** How long a process stands still, in milliseconds: for less than a lease, or for much more. */
const FREEZE_MS = { min: 1_000, max: 12_000 };
const PAUSE_MS_MAX = 3_000;
/** Targets that are out at one time. */
const AT_ONCE = 2;
/** Between two faults some are answered, or that takes longer than this. */
const ANSWERS_BETWEEN = 10;
const ANSWERS_WITHIN_MS = 60_000;
/** Of the output of a process that ended by itself. */
const TAIL = 2_000;

const KINDS = ['kill', 'restart', 'freeze'] as const;
type Kind = (typeof KINDS)[number];

interface Target {
  name: string;
  kinds: readonly Kind[];
  hit(kind: Kind, freezeMs: number): Promise<void>;
}

export interface FaultsPlan {
  count: number;
  random: () => number;
  /** Processes of the servers themselves, by name, which can be frozen. */
  serverPids: Readonly<Record<string, number>>;
  answered(): number;
  onFault(line: string): void;
}

export interface FaultsOutcome {
  /** How many there were of each, by target and kind. */
  counts: Map<string, number>;
  problems: string[];
}

const freezePid = async (pid: number, freezeMs: number): Promise<void> => {
  process.kill(pid, 'SIGSTOP');
  try {
    await pause(freezeMs);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
};

const tailOf = ({ child }: Node): string => child.output().slice(-TAIL);

/** A place of the cluster, and the process that is in it now. */
const createSlot = (
  cluster: Cluster,
  role: Node['role'],
  first: Node,
  onProblem: (problem: string) => void,
): Pick<Target, 'hit'> => {
  const nodes = role === 'api' ? cluster.apis : cluster.workers;
  let node = first;
  /** The process that ends because of a fault. */
  let ending: Node | undefined;

  const watch = (watched: Node): void => {
    void watched.child.ended.then((status) => {
      if (ending === watched) return;
      onProblem(`${role} ended by itself, with ${status}: ${tailOf(watched)}`);
    });
  };
  const replace = async (end: () => Promise<unknown>): Promise<void> => {
    ending = node;
    nodes.splice(nodes.indexOf(node), 1);
    await end();
    node = await cluster.startNode(role);
    watch(node);
    nodes.push(node);
  };
  watch(first);

  return {
    async hit(kind, freezeMs) {
      const { child } = node;
      if (kind === 'freeze' && child.process.exitCode === null) {
        return freezePid(child.process.pid!, freezeMs);
      }
      if (kind === 'kill') return replace(() => child.kill());
      return replace(async () => {
        const status = await child.stop();
        if (status !== 0) onProblem(`${role} stopped with ${status}: ${tailOf(node)}`);
      });
    },
  };
};

/** Draws so many faults, one after the other and now and then two at once, under load. */
export const runFaults = async (
  cluster: Cluster,
  { count, random, serverPids, answered, onFault }: FaultsPlan,
): Promise<FaultsOutcome> => {
  const problems: string[] = [];
  let isOver = false;
  const onProblem = (problem: string) => {
    // After the faults the program itself ends processes.
    if (!isOver) problems.push(problem);
  };
  const slots = [...cluster.apis, ...cluster.workers].map((node, index): Target => {
    const { hit } = createSlot(cluster, node.role, node, onProblem);
    return { name: `${node.role} ${index}`, kinds: KINDS, hit };
  });
  const servers = Object.entries(serverPids).map(
    ([name, pid]): Target => ({
      name,
      kinds: ['freeze'],
      hit: (_, freezeMs) => freezePid(pid, freezeMs),
    }),
  );
  const targets = [...slots, ...servers];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const counts = new Map<string, number>();
  const out = new Map<Target, Promise<void>>();

  for (let nth = 1; nth <= count; nth += 1) {
    // All of it is drawn at once, so that the time that things take changes nothing of it.
    const target = pick(targets);
    const kind = pick(target.kinds);
    const freezeMs = FREEZE_MS.min + random() * (FREEZE_MS.max - FREEZE_MS.min);
    const pauseMs = random() * PAUSE_MS_MAX;
    await out.get(target);
    while (out.size >= AT_ONCE) await Promise.race(out.values());
    const text = kind === 'freeze' ? `freeze for ${(freezeMs / 1000).toFixed(1)} s` : kind;
    onFault(`${nth}: ${target.name}: ${text}`);
    const what = `${kind} ${target.name.replace(/ \d+$/, '')}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
    const hit = target
      .hit(kind, freezeMs)
      .catch((error: Error) => onProblem(`${target.name}: ${kind}: ${error.message}`))
      .finally(() => out.delete(target));
    out.set(target, hit);
    const enough = answered() + ANSWERS_BETWEEN;
    await pause(pauseMs);
    await until('answers', () => answered() >= enough, ANSWERS_WITHIN_MS).catch(() =>
      onProblem(`fewer than ${ANSWERS_BETWEEN} answers in ${ANSWERS_WITHIN_MS} ms`),
    );
  }
  await Promise.all(out.values());
  isOver = true;
  return { counts, problems };
};
