import type { Lookups } from '../../commands/core/lookups.ts';
import type { EventReader } from '../../events/store.ts';
import type { AdministratorDocument } from '../../projections/administrators.ts';
import type { Lists } from '../../projections/engine/lists.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import type { KeyDocument } from '../../projections/keys.ts';
import type { OrganisationDocument } from '../../projections/organisations.ts';
import { type SessionDocument, sessions } from '../../projections/sessions.ts';
import { cachedLookups as cached, ROWS_MAX } from './cached-lookups.ts';
import { createChargeLookups } from './charge-lookups.ts';
import { createLookupCache, type LookupCache } from './lookup-cache.ts';
import { createViewLookups } from './view-lookups.ts';

/** What authentication looks up. */
export interface Credentials {
  key(keyId: string): Promise<KeyDocument | undefined>;
  organisation(organisationId: string): Promise<OrganisationDocument | undefined>;
  administrator(administratorId: string): Promise<AdministratorDocument | undefined>;
  session(sessionId: string): Promise<SessionDocument | undefined>;
  /** Sessions of a holder that started after a time and were not ended: the newest 1,000. */
  openSessions(holderId: string, after: string): Promise<readonly SessionDocument[]>;
  /** Ids of sessions that started up to a time and were not ended: the oldest. */
  sessionsUpTo(startedAt: string, limit: number): Promise<readonly string[]>;
}

/** Defaults of an account, which requests ask for before anything else. */
export interface AccountDefaults {
  /** At once where the account is in memory. */
  strictByDefault(accountId: string): boolean | Promise<boolean>;
}

/** Answers what commands and authentication ask beside the stream they write. */
export const createLookups = (deps: {
  store: EventReader;
  reader: Reader;
  lists: Lists;
}): { lookups: Lookups & Credentials & AccountDefaults; cache: LookupCache } => {
  const cache = createLookupCache(deps, Object.values(cached));
  const lookups = {
    account: (accountId, options) => cache.get(cached.account, accountId, options),
    strictByDefault: (accountId) =>
      cache.known(cached.account, accountId)?.strict ??
      cache.get(cached.account, accountId).then((account) => account?.strict ?? false),
    organisation: (organisationId) => cache.get(cached.organisation, organisationId),
    key: (keyId) => cache.get(cached.key, keyId),
    administrator: (administratorId) => cache.get(cached.administrator, administratorId),
    session: (sessionId) => cache.get(cached.session, sessionId),
    async openSessions(holderId, after) {
      await deps.reader.reached([sessions], await deps.store.head());
      return deps.reader.find(sessions, {
        where: { holderId, startedAt: { gt: after } },
        order: { field: 'startedAt', direction: 'descending' },
        limit: ROWS_MAX,
      });
    },
    async sessionsUpTo(startedAt, limit) {
      await deps.reader.reached([sessions], await deps.store.head());
      const found = await deps.reader.find(sessions, {
        where: { startedAt: { lte: startedAt } },
        order: { field: 'startedAt', direction: 'ascending' },
        limit,
        fields: ['id'],
      });
      return found.map(({ id }) => id);
    },
    plan: (planId) => cache.get(cached.plan, planId),
    rateCards: () => cache.get(cached.rateCards, undefined),
    number: (phoneNumberId) => cache.get(cached.number, phoneNumberId),
    numbers: (accountId) => cache.get(cached.numbers, accountId),
    templates: (wabaId, name, options) => cache.get(cached.templates, { wabaId, name }, options),
    ...createViewLookups(deps),
    ...createChargeLookups(deps),
  } satisfies Lookups & Credentials & AccountDefaults;
  return { lookups, cache };
};
