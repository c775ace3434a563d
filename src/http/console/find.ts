import { z } from 'zod';
import { accounts } from '../../projections/accounts.ts';
import { actions } from '../../projections/actions.ts';
import { bots } from '../../projections/bots.ts';
import { conversations } from '../../projections/conversations.ts';
import { keys } from '../../projections/keys.ts';
import { messages } from '../../projections/messages.ts';
import { numbers } from '../../projections/numbers.ts';
import { organisations } from '../../projections/organisations.ts';
import { refusals } from '../../projections/refusals.ts';
import { hasScope, isHidden } from '../edge/admission.ts';
import { operatorRights } from '../edge/roles.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { actionFinder, anywhere, requestAnywhere } from './find-anywhere.ts';
import {
  botFinder,
  chargeFinder,
  type FindDeps,
  type Finder,
  kinds,
  numberFinder,
  refusalFinder,
  requestFinder,
  withinAccount,
} from './finders.ts';

const Result = z
  .object({
    kind: z.enum(kinds).describe('What was found.'),
    id: z.string().describe('Its id; of a contact the digits or the user id.'),
    accountId: z.string().nullable().describe('Id of its account, or null.'),
    title: z.string().nullable().describe('A name or a text that tells it from others, or null.'),
  })
  .meta({ id: 'FindResult' });

const common = {
  method: 'GET',
  summary: 'Find whatever an id, a number or a name stands for',
  request: {
    query: z.object({ q: z.string().trim().min(2).max(300).describe('What to look for.') }),
  },
  responses: { 200: z.object({ results: z.array(Result).describe('What was found.') }) },
  errors: [],
} as const;

const DESCRIPTION =
  'Ids of messages, charges, ledger rows, numbers, bots, accounts and keys; numbers and user ids of customers; references of yours; names; the `X-Request-Id` of an answer, which leads to what the request charged. Up to ten of each kind. Names are those of the newest 1,000, of customers, for roles that see them, those who wrote last. A request id that the service made is found by its time, one of your own among the newest 10,000 movements.';

/** `otherwise` costs more, and is asked where the others know nothing. */
const resultsOf = async (q: string, finders: readonly Finder[], otherwise: Finder) => {
  const found = (await Promise.all(finders.map((find) => find(q)))).flat();
  return { results: found.length > 0 ? found : await otherwise(q) };
};

/** The one box of the console, and of whoever has an id and wonders what it is. */
export const findRoutes = (deps: FindDeps): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    path: '/v1/find',
    description: `${DESCRIPTION} Numbers are found by keys with the scope \`phones:read\` too, bots by those with \`bots:read\`.`,
    access: 'key',
    scope: 'messages:read',
    tags: ['Messages'],
    reads: [messages, conversations, bots, numbers, refusals],
    handle({ query: { q } }, { key, models }) {
      const { accountId } = key;
      const finders = [
        chargeFinder(deps, accountId),
        withinAccount(deps, models, accountId, !isHidden({ key })),
        refusalFinder(deps, models, accountId),
      ];
      if (hasScope(key, 'phones:read')) finders.push(numberFinder(models, accountId));
      if (hasScope(key, 'bots:read')) finders.push(botFinder(models, accountId));
      return resultsOf(q, finders, requestFinder(deps, [accountId]));
    },
  }),
  defineRoute({
    ...common,
    path: '/admin/v1/find',
    description: DESCRIPTION,
    access: 'administrator',
    tags: ['Operations'],
    reads: [messages, conversations, numbers, accounts, organisations, keys, actions],
    handle({ query: { q } }, { administrator, models }) {
      const { seesContents } = operatorRights[administrator.role];
      const finders = [
        chargeFinder(deps),
        numberFinder(models),
        actionFinder(models),
        anywhere(deps, models, seesContents),
      ];
      return resultsOf(q, finders, requestAnywhere(deps, models));
    },
  }),
];
