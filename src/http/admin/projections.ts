import { z } from 'zod';
import type { ProjectionStatus } from '../../projections/engine/status.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

const failure = z.object({
  message: z.string(),
  position: z.string().nullable(),
  stream: z.string().nullable(),
});

const Projection = z.object({
  name: z.string(),
  version: z.int(),
  position: z.string(),
  lag: z.number().nullable(),
  state: z.enum(['live', 'catching-up', 'rebuilding', 'halted']),
  error: failure.nullable(),
  rebuild: z.object({ position: z.string(), lag: z.number().nullable() }).nullable(),
});

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
    tags: ['Operations'],
    responses: { 200: z.object({ projections: z.array(Projection) }) },
    errors: [],
    handle: async () => ({ projections: await projections.status() }),
  }),
  defineRoute({
    method: 'POST',
    path: '/admin/v1/projections/:name/rebuild',
    access: 'administrator',
    summary: 'Fill a read model anew from the log; the old one serves meanwhile',
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
