import { z } from 'zod';
import type { Lookups } from '../../commands/core/lookups.ts';
import type { Numbers } from '../../commands/numbers/numbers.ts';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import type { Webhooks } from '../../commands/webhooks/webhooks.ts';
import { accounts } from '../../projections/accounts.ts';
import { administrators } from '../../projections/administrators.ts';
import { keys } from '../../projections/keys.ts';
import { numbers } from '../../projections/numbers.ts';
import { webhooks } from '../../projections/webhooks.ts';
import { isoTime } from '../../shared/clock.ts';
import type { Generation } from '../../shared/installation-key.ts';
import { reply } from '../edge/respond.ts';
import { readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { listWebhooks } from '../v1/webhooks.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

// `waybill secret rotate --deep`: a new key, then one call for each account and each administrator.

export interface SecretDeps {
  /** Adds a generation to the key of the installation. */
  extendKey: () => Promise<Generation>;
  tenancy: Tenancy;
  numbers: Numbers;
  webhooks: Webhooks;
  lookups: Pick<Lookups, 'numbers'>;
}

const common = { access: 'administrator', tags: ['Operations'], method: 'POST' } as const;

const rotateRoute = ({ extendKey }: Pick<SecretDeps, 'extendKey'>) =>
  defineRoute({
    ...common,
    path: '/admin/v1/secret/rotations',
    summary: 'Make a new key for tokens and for the hashes of keys',
    description:
      'Access tokens, secrets of webhooks, sessions, and hashes of API keys and tokens that are made from `from` on are under it; by then every instance has read it. Earlier ones stay valid.',
    answer: 'Made. Nothing that is stored has changed yet.',
    responses: {
      201: z.object({
        key: z.string().describe('Name of the key.'),
        from: z.iso.datetime().describe('When it begins to be used, ISO 8601.'),
        waitMs: z.int().describe('Milliseconds until then.'),
      }),
    },
    errors: [],
    async handle(_, { now }) {
      const { name, from } = await extendKey();
      const waitMs = Math.max(0, Math.ceil(from - now));
      return reply(201, { key: name, from: isoTime(from), waitMs });
    },
  });

const renewed = z.object({
  renewed: z
    .int()
    .describe('Things that were not under the newest key. Their values stay the same.'),
});

const PAGE = 100;

/** All keys of an account, a page at a time. */
async function* keysOf(models: ReadModels, accountId: string) {
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await readPage(
      models,
      ADMINISTRATION,
      keys,
      { limit: PAGE, cursor },
      { accountId },
    );
    yield* rows;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const accountRoute = ({ tenancy, numbers: linked, webhooks: endpoints, lookups }: SecretDeps) =>
  defineRoute({
    ...common,
    reads: [accounts, keys, numbers, webhooks],
    path: '/admin/v1/accounts/:id/renew-secrets',
    summary: 'Put what an account holds of secrets under the newest key',
    description:
      'The access tokens of its numbers, the secrets of its webhooks, and the hashes of its API keys. All of them stay valid. A repeated call changes nothing.',
    responses: { 200: renewed },
    errors: ['resource.unknown', 'number.unknown'],
    async handle({ params }, context) {
      const models = await context.upToDate();
      const { id: accountId } = await mustGet(models, accounts, params.id, 'Account');
      const on = { ...actingOn(context), accountId };
      let count = 0;
      for await (const key of keysOf(models, accountId)) {
        if (await tenancy.rehashKey(key, on)) count += 1;
      }
      for (const { phoneNumberId } of await lookups.numbers(accountId)) {
        if (await linked.sealToken(phoneNumberId, on)) count += 1;
      }
      for (const { id } of await listWebhooks(models, accountId)) {
        if (await endpoints.sealAnew(id, on)) count += 1;
      }
      return { renewed: count };
    },
  });

const administratorRoute = ({ tenancy }: Pick<SecretDeps, 'tenancy'>) =>
  defineRoute({
    ...common,
    reads: [administrators],
    path: '/admin/v1/administrators/:id/renew-secrets',
    summary: "Put the hash of an administrator's token under the newest key",
    description: 'The token stays valid. A repeated call changes nothing.',
    responses: { 200: renewed },
    errors: ['resource.unknown'],
    async handle({ params }, context) {
      const models = await context.upToDate();
      const found = await mustGet(models, administrators, params.id, 'Administrator');
      const isNew = await tenancy.rehashAdministrator(found, actingOn(context));
      return { renewed: isNew ? 1 : 0 };
    },
  });

export const secretRoutes = (deps: SecretDeps): readonly JsonRoute[] => [
  rotateRoute(deps),
  accountRoute(deps),
  administratorRoute(deps),
];
