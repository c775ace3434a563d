import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { type AccountDecider, chargesAreOpen, OpenChargesUnknown } from '../account/account.ts';
import type { Limits, OpenCharges } from '../account/state.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { canPrice } from '../pricing/pricing.ts';
import { type AdministratorTerms, administratorDecider } from './administrator.ts';
import { type ApiKeyTerms, apiKeyDecider } from './api-key.ts';
import { organisationDecider } from './organisation.ts';

/** The plan of an account that names none. */
export const DEFAULT_PLAN_ID = 'standard';
/** Requests in 60 seconds, for a key that names no other limit (contract 8). */
export const DEFAULT_RATE_LIMIT = 120;

/** Looks for open charges of an account that is charged again after each look. */
const LOOKS_MAX = 3;

export interface KeyRequest {
  accountId: string;
  name: string;
  allowedOrigins?: readonly string[] | undefined;
  rateLimit?: number | undefined;
  expiresAt?: string | undefined;
  scopes?: readonly string[] | undefined;
}

/** An id of ours: a prefix that says whose, and a UUID that sorts by time. */
const makeId = (ids: Ids, prefix: string) => `${prefix}_${ids.uuid().replaceAll('-', '')}`;

/** Who may use the service: organisations, their accounts and keys, and administrators. */
export const createTenancy = (deps: {
  writer: Writer;
  account: AccountDecider;
  lookups: Pick<Lookups, 'account' | 'plan' | 'rateCards' | 'openCharges'>;
  secrets: Secrets;
  ids: Ids;
  clock: Clock;
}) => {
  const { writer, account, lookups, secrets, ids, clock } = deps;

  /** The terms of a plan under which messages can be priced now. */
  const mustKnowPlan = async (planId: string) => {
    const plan = await lookups.plan(planId);
    if (!plan) throw new AppError('resource.unknown', 'Plan not found');
    if (!canPrice(plan, await lookups.rateCards(), clock.now())) {
      throw new AppError('account.conflict', `No rate card in ${plan.currency} is in force`);
    }
    return { planId, billing: plan.billing, currency: plan.currency };
  };

  return {
    async createOrganisation(name: string, context: CommandContext): Promise<string> {
      const organisationId = makeId(ids, 'org');
      const command = { type: 'Create' as const, organisationId, name };
      await writer.execute(organisationDecider, organisationId, command, context);
      return organisationId;
    },

    async setSuspended(
      organisationId: string,
      suspended: boolean,
      reason: string | null,
      context: CommandContext,
    ): Promise<void> {
      const type = suspended ? ('Suspend' as const) : ('Reinstate' as const);
      const command = { type, organisationId, reason };
      await writer.execute(organisationDecider, organisationId, command, context);
    },

    async openAccount(
      organisationId: string,
      request: { name: string; planId?: string | undefined },
      context: CommandContext,
    ): Promise<string> {
      const { state } = await writer.load(organisationDecider, organisationId);
      if (!state.created) throw new AppError('resource.unknown', 'Organisation not found');
      const terms = await mustKnowPlan(request.planId ?? DEFAULT_PLAN_ID);
      const accountId = makeId(ids, 'acc');
      const { name } = request;
      await writer.execute(
        account(accountId),
        accountId,
        { type: 'Open', accountId, organisationId, name, terms },
        { ...context, accountId },
      );
      return accountId;
    },

    async assignPlan(accountId: string, planId: string, context: CommandContext): Promise<void> {
      const terms = await mustKnowPlan(planId);
      const on = { ...context, accountId };
      let found: OpenCharges | undefined;
      for (let look = 0; look <= LOOKS_MAX; look += 1) {
        try {
          const command = { type: 'AssignPlan' as const, terms, found };
          await writer.execute(account(accountId), accountId, command, on);
          return;
        } catch (error) {
          if (!(error instanceof OpenChargesUnknown)) throw error;
          found = await lookups.openCharges(accountId);
        }
      }
      throw chargesAreOpen();
    },

    async setLimits(
      accountId: string,
      limits: Partial<Limits>,
      context: CommandContext,
    ): Promise<void> {
      const command = { type: 'SetLimits' as const, limits };
      const on = { ...context, accountId };
      await writer.execute(account(accountId), accountId, command, on);
    },

    /** The whole key is in the answer and nowhere else. */
    async createKey(
      request: KeyRequest,
      context: CommandContext,
    ): Promise<{ terms: ApiKeyTerms; key: string }> {
      const owner = await lookups.account(request.accountId);
      if (!owner) throw new AppError('resource.unknown', 'Account not found');
      const handle = ids.secret(8);
      const key = `wb_live_${handle}_${ids.secret(32)}`;
      const terms: ApiKeyTerms = {
        keyId: `key_${handle}`,
        accountId: owner.id,
        organisationId: owner.organisationId,
        name: request.name,
        prefix: `wb_live_${handle}`,
        secretHash: secrets.hashToken(key),
        allowedOrigins: request.allowedOrigins ? [...request.allowedOrigins] : null,
        rateLimit: request.rateLimit ?? DEFAULT_RATE_LIMIT,
        expiresAt: request.expiresAt ?? null,
        scopes: request.scopes ? [...request.scopes] : null,
      };
      const on = { ...context, accountId: owner.id };
      await writer.execute(apiKeyDecider, terms.keyId, { type: 'Create', terms }, on);
      return { terms, key };
    },

    async setKeyState(
      keyId: string,
      state: 'active' | 'inactive' | 'revoked',
      context: CommandContext,
    ): Promise<void> {
      await writer.execute(apiKeyDecider, keyId, { type: 'SetState', keyId, state }, context);
    },

    /** Notes that a key is in use. */
    async noteKeyUse(keyId: string, at: number, context: CommandContext): Promise<void> {
      const command = { type: 'NoteUse' as const, keyId, usedAt: isoTime(at) };
      await writer.execute(apiKeyDecider, keyId, command, context);
    },

    async createAdministrator(
      request: { name: string; email: string; role: 'admin' | 'auditor' },
      context: CommandContext,
    ): Promise<{ terms: AdministratorTerms; token: string }> {
      const handle = ids.secret(8);
      const token = `wb_adm_${handle}_${ids.secret(32)}`;
      const terms: AdministratorTerms = {
        administratorId: `adm_${handle}`,
        ...request,
        prefix: `wb_adm_${handle}`,
        secretHash: secrets.hashToken(token),
      };
      const id = terms.administratorId;
      await writer.execute(administratorDecider, id, { type: 'Create', terms }, context);
      return { terms, token };
    },

    async revokeAdministrator(administratorId: string, context: CommandContext): Promise<void> {
      const command = { type: 'Revoke' as const, administratorId };
      await writer.execute(administratorDecider, administratorId, command, context);
    },
  };
};

export type Tenancy = ReturnType<typeof createTenancy>;
