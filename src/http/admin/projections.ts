import { z } from 'zod';
import type { ProjectionStatus } from '../../projections/engine/status.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

const failure = z.object({
  message: z.string().describe('Explanation in one sentence.'),
  position: z.string().nullable().describe('Position of the event in the log, or null.'),
  stream: z.string().nullable().describe("Name of the event's stream."),
});

const Projection = z
  .object({
    name: z.string().describe('Name of the projection.'),
    version: z.int().describe("Grows when the read model's shape changes."),
    position: z.string().describe('Position in the log: opaque, compared as text.'),
    lag: z.number().nullable().describe('Age of the oldest unread event in ms, or null.'),
    state: z
      .enum(['live', 'catching-up', 'rebuilding', 'halted'])
      .describe('A `halted` projection keeps its last state.'),
    error: failure.nullable().describe('Why and at which event the projection halted, or null.'),
    rebuild: z
      .object({
        position: z.string().describe('Position in the log: opaque, compared as text.'),
        lag: z.number().nullable().describe('Age of the oldest unread event in ms, or null.'),
      })
      .nullable()
      .describe('Progress of a running rebuild, or null.'),
  })
  .meta({ id: 'Projection' });

export interface ProjectionDeps {
  projections: {
    status(): Promise<ProjectionStatus[]>;
    rebuild(name: string): Promise<void>;
  };
}

export const projectionRoutes = ({ projections }: ProjectionDeps): readonly JsonRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/admin/v1/projections',
    access: 'administrator',
    summary: 'Show how far each read model has read the log',
    description: 'A halted projection met an event that it cannot read; the others go on.',
    tags: ['Operations'],
    responses: {
      200: z.object({ projections: z.array(Projection).describe('Every read model.') }),
    },
    errors: [],
    handle: async () => ({ projections: await projections.status() }),
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
      return all.find(({ name }) => name === params.name)!;
    },
  }),
];
