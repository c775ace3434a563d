import { z } from 'zod';
import type { Period } from '../../audit/statement.ts';
import type { WhatIf, WhatIfProgress } from '../../audit/what-if.ts';
import { whatIfJson } from '../../audit/what-if-report.ts';
import { readRules, WhatIfRules } from '../../audit/what-if-rules.ts';
import { Category } from '../../events/category.ts';
import type { EventReader } from '../../events/store.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import { readSealedId, sealedIdOf } from '../../shared/sealed-id.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { section } from './statement.ts';
import { mustBeKnown, mustBePeriod, periodQuery } from './whole-log.ts';

/** What is asked. */
export interface WhatIfQuestion {
  period: Period;
  /** Undefined for all accounts. */
  accountIds?: string[] | undefined;
  rules: WhatIfRules;
}

export type WhatIfState =
  | { state: 'waiting' }
  | { state: 'running'; progress: WhatIfProgress }
  | { state: 'failed'; error: string }
  | { state: 'done'; result: WhatIf };

const ACCOUNTS_MAX = 100;
const ID_MAX = 8_000;

const Question = z.object({
  ...periodQuery,
  accountIds: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(ACCOUNTS_MAX)
    .optional()
    .describe('Only these accounts; all when absent.'),
  with: WhatIfRules.default({}).describe('The other rules. What is absent stays as it was.'),
});

const money = (what: string) => z.string().describe(`${what}, a decimal string.`);
const { grants: _, cost, ...sums } = section;
const oneUnit = {
  ...sums,
  granted: section.opening.describe('Sum of grants and adjustments.'),
  cost: cost.unwrap().describe('What was sold, and what it costs.'),
};
const Side = z.object({
  ...oneUnit,
  others: z
    .array(z.object(oneUnit))
    .optional()
    .describe('The other units in which accounts counted.'),
});

const Answer = z
  .object({
    id: z.string().describe('Id under which the answer is read.'),
    state: z
      .enum(['waiting', 'running', 'done', 'failed'])
      .describe('`waiting` while another question is answered.'),
    progress: z
      .object({
        events: z.int().describe('Events that were read.'),
        accounts: z.int().describe('Accounts that are done.'),
        ofAccounts: z.int().describe('All accounts that are asked for.'),
      })
      .optional()
      .describe('While it is `running`.'),
    error: z.string().optional().describe('Why it is `failed`.'),
    accounts: z.int().optional().describe('Number of accounts that were decided.'),
    skipped: z
      .array(
        z.object({
          accountId: z.string().describe('Id of the account.'),
          reason: z.string().describe('Why.'),
        }),
      )
      .optional()
      .describe('The first 1,000 accounts that the rules cannot decide.'),
    real: Side.nullable().optional().describe('As statements have it; null without accounts.'),
    // biome-ignore lint/suspicious/noThenProperty: the name of the API, and never a function
    then: Side.nullable().optional().describe('The same under the other rules.'),
    differences: z
      .array(
        z.object({
          category: Category.describe('Category of the price.'),
          market: z.string().describe('Market of the rate card.'),
          currency: z.string().describe('ISO 4217 code.'),
          count: z.int().describe('Charges, those given back included.'),
          real: money('What was sold, refunds taken off'),
          // biome-ignore lint/suspicious/noThenProperty: the same
          then: money('What would have been sold'),
          difference: money('`then` without `real`'),
        }),
      )
      .optional()
      .describe('By category and market.'),
    refused: z
      .array(
        z.object({
          code: z
            .string()
            .describe(
              'As in the counts of refusals; `BELOW_ZERO` for a taking back that would pass the balance.',
            ),
          billing: z.enum(['credits', 'wallet']).describe('What the account counts in.'),
          currency: z.string().describe('ISO 4217 code.'),
          count: z.int().describe('Number of them.'),
          amount: z.union([z.int(), z.string()]).describe('What they would have cost.'),
        }),
      )
      .optional()
      .describe('What happened, and would have been refused.'),
  })
  .meta({ id: 'WhatIf' });

const kind = { prefix: 'whatif', context: 'what-if' };

export interface WhatIfDeps {
  log: Pick<EventReader, 'read'>;
  secrets: Pick<Secrets, 'seal' | 'open'>;
  /** How far an answer is; begins it where nothing is under way. */
  whatIfs: (id: string, question: WhatIfQuestion) => WhatIfState;
}

const shown = (id: string, told: WhatIfState) => {
  if (told.state !== 'done') return { id, ...told };
  return { id, state: told.state, ...whatIfJson(told.result) };
};

const common = {
  access: 'auditor',
  tags: ['Audit'],
} as const;

/** The same history under other rules. Nothing is stored: an id holds its question. */
export const whatIfRoutes = ({ log, secrets, whatIfs }: WhatIfDeps): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/what-if',
    summary: 'Decide the same history under other rules',
    description:
      'The sends of a period are priced and decided again, with another plan, rate card or caps; grants stay. Reads only. A send that was refused then stays refused. Read the answer until its `state` is `done` or `failed`.',
    answer: 'Where to read the answer.',
    request: { body: Question },
    responses: { 202: Answer },
    errors: ['resource.unknown'],
    async handle({ body: { accountIds, with: rules, ...asked } }) {
      const question = { period: mustBePeriod(asked), accountIds, rules };
      for (const accountId of accountIds ?? []) await mustBeKnown(log, accountId);
      await readRules(log, rules);
      const id = sealedIdOf(secrets, kind, question);
      if (id.length > ID_MAX) {
        throw invalidFields({
          with: ['is too long: publish the rate card, and name it by its id'],
        });
      }
      return shown(id, whatIfs(id, question));
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/what-if/:id',
    summary: 'Read what would have been',
    description:
      'Counted from the log. `differences` add up to the difference of `cost.sold`. An instance keeps an answer for 10 minutes, and counts it again after that.',
    answer: 'How far it is, or the answer.',
    request: { params: z.object({ id: z.string().max(ID_MAX).describe('Its id.') }) },
    responses: { 200: Answer },
    errors: ['resource.unknown'],
    handle({ params: { id } }) {
      try {
        return shown(id, whatIfs(id, readSealedId(secrets, kind, id) as WhatIfQuestion));
      } catch (cause) {
        const details = { cause: cause as Error };
        throw new AppError('resource.unknown', 'What-if not found', details);
      }
    },
  }),
];
