import { type Position, StoreUnavailable } from '../../events/store.ts';
import { projections } from '../../projections/all.ts';
import { createReader, NotReached, type Shown } from '../../projections/engine/reader.ts';
import type { ProjectionStatus } from '../../projections/engine/status.ts';
import type { ViewsReader } from '../../projections/views.ts';
import type { Clock } from '../../shared/clock.ts';
import { DamagedFile } from '../../shared/damaged-file.ts';
import { AppError } from '../../shared/errors.ts';
import type { Log } from '../../shared/logger.ts';
import { createDelays } from '../../shared/retry.ts';
import { createWorkerThread, type WorkerThread } from '../../shared/worker-thread.ts';
import type { ProjectionEngine } from '../deps.ts';
import type { Folds } from '../tracing/folds.ts';
import type { Failure, ProjectorData, Report, Task } from './protocol.ts';

export interface Projector {
  /** Rejects when the thread cannot write the views. */
  probe(): Promise<void>;
  /** The engine of the thread, as an engine of this thread; this thread reads the views itself. */
  engine(views: ViewsReader, clock: Clock): ProjectionEngine;
  close(): Promise<void>;
  /** Ends the thread as a fault would; for tests. */
  crash(): void;
}

/** The thread is down and will be started again. */
class ProjectorDown extends Error {
  constructor(reason: string) {
    super(`the thread of the projections does not answer: ${reason}`);
    this.name = 'ProjectorDown';
  }
}

/** Far more than requests that wait for a read model at one time. */
const CALLS_MAX = 10_000;
const RESTART_DELAYS = { minMs: 100, maxMs: 10_000 };
/** The start was not what killed a thread that lived this long. */
const STEADY_MS = 60_000;

type Thread = WorkerThread<Task, unknown>;

interface ProjectorDeps {
  logger: Log;
  /** The key of the installation; throws StoreUnavailable until it is known. */
  key: () => Uint8Array;
  /** Called with the events of traces that the thread has folded; absent while traces are off. */
  onFolds?: ((folds: Folds) => void) | undefined;
}

/** What the thread has reported, and how far this thread has seen each projection. */
interface State {
  started: boolean;
  /** The collection that serves each projection. */
  serving: Readonly<Record<string, string>>;
  seen: Map<string, { collection: string; checkpoint: Position }>;
}

const errorOf = ({ message, notReached, remedy, retryAfterSeconds }: Failure): Error => {
  if (remedy !== undefined) return new DamagedFile(message, remedy);
  if (notReached) return new NotReached(notReached.projections, notReached.position);
  return retryAfterSeconds === undefined
    ? new Error(message)
    : new StoreUnavailable(message, { retryAfterSeconds });
};

const createThread = (
  data: ProjectorData,
  state: State,
  { logger, key, onFolds }: ProjectorDeps,
): Thread => {
  const delays = createDelays(RESTART_DELAYS);
  const startAgain = () =>
    thread.run({ kind: 'start', key: key() }).catch((err) => {
      logger.error({ err }, 'the projections could not be started again');
      thread.crash();
    });
  const thread: Thread = createWorkerThread<Task, unknown, Failure, Report>({
    program: new URL('./thread.ts', import.meta.url),
    data,
    name: 'projector',
    callsMax: CALLS_MAX,
    errorOf,
    unavailable: (reason) => new ProjectorDown(reason),
    onReport(report) {
      if (report.kind === 'serving') state.serving = report.live;
      else if (report.kind === 'folds') onFolds?.(report.folds);
      else if (report.kind === 'log') logger[report.level](report.fields, report.text);
      else if (state.started) startAgain();
    },
    restartMs(cause, livedMs) {
      if (livedMs > STEADY_MS) delays.reset();
      const restartMs = delays.next();
      logger.error({ cause, restartMs }, 'the thread of the projections died');
      return restartMs;
    },
  });
  return thread;
};

/** Looks into the views only where an earlier look has not seen the position. */
const haveReached = async (
  { serving, seen }: State,
  views: ViewsReader,
  { names, position }: { names: readonly string[]; position: Position },
): Promise<boolean> => {
  for (const name of names) {
    const collection = serving[name];
    if (collection === undefined) return false;
    const last = seen.get(name);
    if (last?.collection === collection && last.checkpoint >= position) continue;
    const checkpoint = await views.checkpoint(collection);
    seen.set(name, { collection, checkpoint });
    if (checkpoint < position) return false;
  }
  return true;
};

const createEngine = (
  thread: Thread,
  state: State,
  { views, clock, key }: { views: ViewsReader; clock: Clock } & Pick<ProjectorDeps, 'key'>,
): ProjectionEngine => ({
  async start() {
    await thread.run({ kind: 'start', key: key() });
    state.started = true;
  },
  async stop() {
    state.started = false;
    if (thread.ready()) await thread.run({ kind: 'stop' });
  },
  // The views in files have one partition, which the thread folds while it is started.
  hold: async () => undefined,
  reader: createReader({
    views,
    clock,
    local: {
      running: () => state.started && thread.ready(),
      serving: (name) => state.serving[name],
      async reached(names, position, timeoutMs) {
        if (await haveReached(state, views, { names, position })) return 'all';
        const shown = thread.run({ kind: 'reached', names, position, timeoutMs });
        return (await shown.catch((error) => {
          throw error instanceof ProjectorDown ? new NotReached(names, position) : error;
        })) as Shown;
      },
    },
  }),
  status: () => thread.run({ kind: 'status' }) as Promise<ProjectionStatus[]>,
  async rebuild(name) {
    if (!projections.some((one) => one.name === name)) {
      throw new AppError('resource.unknown', 'Projection not found');
    }
    await thread.run({ kind: 'rebuild', name });
  },
  async erase(destroyed, after, isDone = false) {
    await thread.run({ kind: 'erase', destroyed, after, isDone });
  },
  async clean() {
    await thread.run({ kind: 'clean' });
  },
});

/**
 * Runs the projections in a thread of their own, so that requests do not share one with them. A
 * thread that dies is started again and continues from its checkpoints. Meanwhile this thread reads
 * the views, and waiting for a read model fails as late.
 */
export const startProjector = async ({
  logger,
  key,
  onFolds,
  ...data
}: Omit<ProjectorData, 'isTraced'> & ProjectorDeps): Promise<Projector> => {
  const state: State = { started: false, serving: {}, seen: new Map() };
  const isTraced = onFolds !== undefined;
  const thread = createThread({ ...data, isTraced }, state, { logger, key, onFolds });
  await thread.open().catch(({ message }: Error) => {
    throw new Error(`the projections cannot be started: ${message}`);
  });
  return {
    async probe() {
      const health = (await thread.run({ kind: 'probe' })) as Awaited<
        ReturnType<ViewsReader['health']>
      >;
      if (!health.ok) throw new Error(health.detail);
    },
    engine: (views, clock) => createEngine(thread, state, { views, clock, key }),
    close: () => thread.close({ kind: 'close' }).catch(() => undefined),
    crash: thread.crash,
  };
};
