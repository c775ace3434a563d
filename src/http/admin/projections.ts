import { z } from 'zod';
import type { ProjectionStatus } from '../../projections/engine/status.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

const failure = z.object({
  message: z.string().describe('Explanation in one sentence.'),
  position: z.string().nullable().describe('Position of the event in the log, or null.'),
  stream: z.string().nullable().describe("Name of the event's stream."),
});

const place = {
  position: z.string().describe('Position in the log: opaque, compared as text.'),
  lag: z.number().nullable().describe('Age of the oldest unread event in ms, or null.'),
};

const Projection = z
  .object({
    name: z.string().describe('Name of the projection.'),
    version: z.int().describe("Grows when the read model's shape changes."),
    ...place,
    state: z
      .enum(['live', 'catching-up', 'rebuilding', 'halted'])
      .describe('A `halted` projection keeps its last state.'),
    partitions: z
      .array(z.object(place))
      .describe(
        'Each partition of its documents, by number. `position` and `lag` are of the slowest.',
      ),
    error: failure.nullable().describe('Why and at which event the projection halted, or null.'),
    rebuild: z.object(place).nullable().describe('Progress of a running rebuild, or null.'),
  })
  .meta({ id: 'Projection' });

const Partition = z
  .object({
    partition: z.int().describe('Its number, from 0.'),
    worker: z.string().nullable().describe('Id of the process that fills it, or null.'),
    reactors: z
      .string()
      .nullable()
      .describe('The same: it runs its reactors too, such as forwards and bots.'),
    lag: z.number().nullable().describe('The greatest lag of a read model there, in ms, or null.'),
  })
  .meta({ id: 'Partition' });

export interface ProjectionDeps {
  projections: {
    status(): Promise<ProjectionStatus[]>;
    rebuild(name: string): Promise<void>;
  };
  /** The process that works on each partition; null where none does now. */
  partitionHolders: () => Promise<readonly (string | null)[]>;
}

/** The partitions over all projections and reactors, those included that no process fills. */
export const partitionsOf = (
  all: readonly ProjectionStatus[],
  holders: readonly (string | null)[],
): z.output<typeof Partition>[] =>
  holders.map((worker, partition) => {
    const lags = all.flatMap((one) => one.partitions[partition]?.lag ?? []);
    const isKnown = all.every((one) => one.partitions[partition]?.lag !== null);
    const lag = isKnown ? Math.max(0, ...lags) : null;
    return { partition, worker, reactors: worker, lag };
  });

const shownOf = ({ isHaltedHere: _, ...shown }: ProjectionStatus) => shown;

export const projectionRoutes = ({
  projections,
  partitionHolders,
}: ProjectionDeps): readonly JsonRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/admin/v1/projections',
    access: 'administrator',
    summary: 'Show how far each read model has read the log',
    description: 'A halted projection met an event that it cannot read; the others go on.',
    tags: ['Operations'],
    responses: {
      200: z.object({
        projections: z.array(Projection).describe('Every read model.'),
        partitions: z
          .array(Partition)
          .describe('The parts of all read models that the workers share.'),
      }),
    },
    errors: [],
    async handle() {
      const [all, holders] = await Promise.all([projections.status(), partitionHolders()]);
      return { projections: all.map(shownOf), partitions: partitionsOf(all, holders) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/admin/v1/projections/:name/rebuild',
    access: 'administrator',
    summary: 'Fill a read model anew from the log; the old one serves meanwhile',
    description: 'Sends, forwards and charges nothing. `rebuild` shows the progress.',
    answer: 'Started. The new read model serves once it has caught up.',
    tags: ['Operations'],
    responses: { 202: Projection },
    errors: ['resource.unknown'],
    async handle({ params }) {
      await projections.rebuild(params.name);
      const all = await projections.status();
      return shownOf(all.find(({ name }) => name === params.name)!);
    },
  }),
];
