import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { accounts } from '../../projections/accounts.ts';
import {
  AccountLimits,
  Account as AccountOfAdministrators,
  BalanceLow,
  present,
} from '../admin/accounts.ts';
import { mustGet } from '../admin/documents.ts';
import { actingFor } from '../edge/context.ts';
import { pastQuery } from '../route/past.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';

const { id, name, billing, currency, pausedReason } = AccountOfAdministrators.shape;

const Account = z
  .object({
    id,
    name,
    billing,
    currency,
    pausedReason,
    limits: AccountLimits.describe('The caps of the account.'),
    topUp: z
      .string()
      .nullable()
      .describe(
        'Where a top-up is asked for: an https URL, or `mailto:` and an address. Null where the operator names none.',
      ),
  })
  .meta({ id: 'OwnAccount' });

interface Deps {
  tenancy: Pick<Tenancy, 'setLimits'>;
  topUp: string | null;
}

const path = '/v1/account';
const common = { access: 'key', tags: ['Billing'], reads: [accounts] } as const;

/** Whose account a key is of, the terms that a caller plans by, and the warning that its owner sets. */
export const ownAccountRoutes = ({ tenancy, topUp }: Deps): readonly JsonRoute[] => {
  const show = async (models: ReadModels, accountId: string, now: number) => {
    const account = await mustGet(models, accounts, accountId, 'Account');
    return pick(Account, { ...present(account, now), topUp });
  };
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path,
      summary: 'Read the name, the unit and the caps of the account',
      description:
        'The account is that of the key; its balance is at `/v1/credits` or `/v1/wallet`.',
      request: { query: z.object(pastQuery) },
      responses: { 200: Account },
      errors: ['resource.unknown', 'resource.conflict'],
      handle: (_, { key, models, now }) => show(models, key.accountId, now),
    }),
    defineRoute({
      ...common,
      method: 'PATCH',
      path,
      scope: 'account:write',
      free: true,
      summary: 'Set the balance below which the account is warned',
      description: 'All other terms are those of the operator.',
      request: { body: z.object({ balanceLow: BalanceLow }) },
      responses: { 200: Account },
      errors: ['resource.unknown', 'request.invalid'],
      async handle({ body: { balanceLow } }, { key, requestId, upToDate, now }) {
        const change = { balanceLow, limits: {} };
        await tenancy.setLimits(key.accountId, change, actingFor({ key, requestId }));
        return show(await upToDate(), key.accountId, now);
      },
    }),
  ];
};
