import { z } from 'zod';
import { accounts } from '../../projections/accounts.ts';
import { bots } from '../../projections/bots.ts';
import { conversations } from '../../projections/conversations.ts';
import { keys } from '../../projections/keys.ts';
import { messages } from '../../projections/messages.ts';
import { numbers } from '../../projections/numbers.ts';
import { organisations } from '../../projections/organisations.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import {
  anywhere,
  chargeFinder,
  type FindDeps,
  type Finder,
  kinds,
  numberFinder,
  withinAccount,
} from './finders.ts';

const Result = z
  .object({
    kind: z.enum(kinds).describe('What was found.'),
    id: z.string().describe('Its id; of a contact the digits or the user id that were asked for.'),
    accountId: z.string().nullable().describe('Id of its account, or null.'),
    title: z.string().nullable().describe('A name or a text that tells it from others, or null.'),
  })
  .meta({ id: 'FindResult' });

const common = {
  method: 'GET',
  summary: 'Find whatever an id, a number or a name stands for',
  description:
    'Ids of messages, charges, ledger rows, numbers, bots, accounts and keys; numbers and user ids of customers; references of yours; names. Up to ten of each kind.',
  request: {
    query: z.object({ q: z.string().trim().min(2).max(300).describe('What to look for.') }),
  },
  responses: { 200: z.object({ results: z.array(Result).describe('What was found.') }) },
  errors: [],
} as const;

const resultsOf = async (q: string, finders: readonly Finder[]) => {
  const found = await Promise.all(finders.map((find) => find(q)));
  return { results: found.flat() };
};

/** The one box of the console, and of whoever has an id and wonders what it is. */
export const findRoutes = (deps: FindDeps): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    path: '/v1/find',
    access: 'key',
    scope: 'messages:read',
    tags: ['Messages'],
    reads: [messages, conversations, bots, numbers],
    handle: ({ query: { q } }, { key: { accountId }, models }) =>
      resultsOf(q, [
        chargeFinder(deps, accountId),
        numberFinder(models, accountId),
        withinAccount(deps, models, accountId),
      ]),
  }),
  defineRoute({
    ...common,
    path: '/admin/v1/find',
    access: 'administrator',
    tags: ['Operations'],
    reads: [messages, numbers, accounts, organisations, keys],
    handle: ({ query: { q } }, { models }) =>
      resultsOf(q, [chargeFinder(deps), numberFinder(models), anywhere(deps, models)]),
  }),
];
