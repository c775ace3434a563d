import { z } from 'zod';
import { catalog } from '../../commands/sending/catalog.ts';
import { defineRoute } from '../route/route.ts';
import { CatalogEntry } from './schemas.ts';

/** Contract 4.4. */
export const catalogRoute = defineRoute({
  method: 'GET',
  path: '/v1/notifications/catalog',
  access: 'key',
  summary: 'List the 18 events and their variables',
  description: 'Needs no number, and is the same for every account.',
  answer: 'All 18 events, with their variables in positional order.',
  tags: ['Notifications'],
  responses: { 200: z.array(CatalogEntry) },
  errors: [],
  handle: () => catalog.map((entry) => ({ ...entry, variables: [...entry.variables] })),
});
