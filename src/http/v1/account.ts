import { z } from 'zod';
import { accounts } from '../../projections/accounts.ts';
import { AccountLimits, Account as AccountOfAdministrators, present } from '../admin/accounts.ts';
import { mustGet } from '../admin/documents.ts';
import { pastQuery } from '../route/past.ts';
import { pick } from '../route/pick.ts';
import { defineRoute } from '../route/route.ts';

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

/** Whose account a key is of, and the terms that a caller plans by. */
export const accountRoute = ({ topUp }: { topUp: string | null }) =>
  defineRoute({
    method: 'GET',
    path: '/v1/account',
    access: 'key',
    summary: 'Read the name, the unit and the caps of the account',
    description: 'The account is that of the key; its balance is at `/v1/credits` or `/v1/wallet`.',
    tags: ['Billing'],
    request: { query: z.object(pastQuery) },
    responses: { 200: Account },
    errors: ['resource.unknown', 'resource.conflict'],
    reads: [accounts],
    async handle(_, { key: { accountId }, models, now }) {
      const account = await mustGet(models, accounts, accountId, 'Account');
      return pick(Account, { ...present(account, now), topUp });
    },
  });
