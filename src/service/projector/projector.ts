import type { SharedHead } from '../../events/shared-head.ts';
import type { Position } from '../../events/store.ts';
import { projections } from '../../projections/all.ts';
import type { Engine } from '../../projections/engine/engine.ts';
import type { Log } from '../../projections/engine/log.ts';
import { createReader, NotReached } from '../../projections/engine/reader.ts';
import type { ProjectionStatus } from '../../projections/engine/status.ts';
import type { ViewsReader } from '../../projections/views.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { ProjectorDown, startProjectorWorker } from './supervisor.ts';

export interface Projector {
  /** Rejects when the thread cannot write the views. */
  probe(): Promise<void>;
  /** The engine in its thread, as if it were here; reads are answered here. */
  engine(
    views: ViewsReader,
    clock: Clock,
  ): Pick<Engine, 'start' | 'stop' | 'reader' | 'status' | 'rebuild'>;
  close(): Promise<void>;
  /** Ends the thread as a fault would; for tests. */
  crash(): Promise<void>;
}

/**
 * Runs the projections in a thread of their own, so that requests do not share one with them. A
 * thread that dies is started again and goes on from its checkpoints; meanwhile reads go on, and
 * who waits for a read model waits for the new thread.
 */
export const startProjector = async (options: {
  directory: string;
  head: SharedHead;
  logger: Log;
}): Promise<Projector> => {
  const { directory, head, logger } = options;
  let started = false;
  let serving: Readonly<Record<string, string>> = {};

  const worker = await startProjectorWorker(
    { directory, head },
    {
      onSaid(said) {
        if (said.kind === 'serving') serving = said.live;
        else logger[said.level](said.fields, said.text);
      },
      onReady() {
        if (!started) return;
        worker.ask({ kind: 'start' }).catch((err) => {
          logger.error({ err }, 'the projections could not be started again');
          worker.crash();
        });
      },
      onDown: (cause, restartMs) =>
        logger.error({ cause, restartMs }, 'the thread of the projections died'),
    },
  );

  /** How far each projection had come when it was last looked at, in which collection. */
  const seen = new Map<string, { collection: string; checkpoint: Position }>();

  const areThere = async (views: ViewsReader, names: readonly string[], position: Position) => {
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

  const engine: Projector['engine'] = (views, clock) => ({
    async start() {
      await worker.ask({ kind: 'start' });
      started = true;
    },
    async stop() {
      started = false;
      if (worker.up()) await worker.ask({ kind: 'stop' });
    },
    reader: createReader({
      views,
      clock,
      local: {
        running: () => started && worker.up(),
        serving: (name) => serving[name],
        seen(name) {
          const last = seen.get(name);
          return last?.collection === serving[name] ? last : undefined;
        },
        async reached(names, position, timeoutMs) {
          if (await areThere(views, names, position)) return;
          await worker.ask({ kind: 'reached', names, position, timeoutMs }).catch((error) => {
            throw error instanceof ProjectorDown ? new NotReached(names, position) : error;
          });
        },
      },
    }),
    status: () => worker.ask({ kind: 'status' }) as Promise<ProjectionStatus[]>,
    async rebuild(name) {
      if (!projections.some((one) => one.name === name)) {
        throw new AppError('resource.unknown', 'Projection not found');
      }
      await worker.ask({ kind: 'rebuild', name });
    },
  });

  return {
    async probe() {
      const health = (await worker.ask({ kind: 'probe' })) as Awaited<
        ReturnType<ViewsReader['health']>
      >;
      if (!health.ok) throw new Error(health.detail);
    },
    engine,
    close: worker.close,
    crash: worker.crash,
  };
};
