import { accounts } from '../../projections/accounts.ts';
import { actions } from '../../projections/actions.ts';
import { keys } from '../../projections/keys.ts';
import { organisations } from '../../projections/organisations.ts';
import { ViewsUnavailable } from '../../projections/views.ts';
import { ADMINISTRATION } from '../admin/context.ts';
import type { ReadModels } from '../route/read-models.ts';
import { findAnywhere } from '../v1/message.ts';
import {
  ACCOUNTS_MAX,
  contactFor,
  type FindDeps,
  type Finder,
  type Found,
  isFor,
  named,
  newest,
  newestAccounts,
  RESULTS_MAX,
  referenceFinder,
  requestFinder,
  threadsWith,
} from './finders.ts';

/** Until no further account is looked into for a customer's name. */
const NAMES_WITHIN_MS = 1_000;

/** What administrators did with a request. */
export const actionFinder =
  (models: ReadModels): Finder =>
  async (q) => {
    const where = { requestId: q };
    const found = await models.find(actions, { where, ...newest, limit: RESULTS_MAX });
    return found.map(
      ({ id, accountId, type }) => ({ kind: 'action', id, accountId, title: type }) as const,
    );
  };

/** Whether a text can be a part of a name: it has a letter, and is no id. */
const mayBeName = (q: string): boolean =>
  contactFor(q) === undefined &&
  /\p{L}/u.test(q) &&
  !/^([a-z]{2,5}_|wamid\.|[0-9a-f-]{36}$)/i.test(q);

/**
 * Customers by parts of their names, one account after the other until there are enough. What takes too
 * long is left out: whatever else was found is answered.
 */
const customersNamed = async (
  models: ReadModels,
  accountIds: readonly string[],
  q: string,
): Promise<readonly Found[]> => {
  const found = new Map<string, Found>();
  const latestAt = performance.now() + NAMES_WITHIN_MS;
  for (const accountId of accountIds) {
    let threads: Awaited<ReturnType<typeof threadsWith>>;
    try {
      threads = await threadsWith(models, ADMINISTRATION, accountId, q);
    } catch (error) {
      if (error instanceof ViewsUnavailable) break;
      throw error;
    }
    for (const { waId, userId, contactName: title } of threads) {
      const id = waId ?? userId;
      if (id !== null) found.set(`${accountId} ${id}`, { kind: 'contact', id, accountId, title });
    }
    if (found.size >= RESULTS_MAX || performance.now() > latestAt) break;
  }
  return [...found.values()].slice(0, RESULTS_MAX);
};

/** Accounts, organisations and keys by their ids, and the first two and customers by parts of their names. */
const tenancyFinder = async (
  models: ReadModels,
  q: string,
  seesContents: boolean,
): Promise<readonly Found[]> => {
  const [all, owners, key, account, owner] = await Promise.all([
    models.all(ADMINISTRATION, accounts, named),
    models.all(ADMINISTRATION, organisations, named),
    q.startsWith('key_') ? models.get(keys, q) : undefined,
    q.startsWith('acc_') ? models.get(accounts, q) : undefined,
    q.startsWith('org_') ? models.get(organisations, q) : undefined,
  ]);
  const ids = all.slice(0, ACCOUNTS_MAX).map(({ id }) => id);
  const [references, customers] = await Promise.all([
    referenceFinder(models, ids)(q),
    seesContents && mayBeName(q) ? customersNamed(models, ids, q) : [],
  ]);
  return [
    ...[...(account ? [account] : []), ...all.filter(({ name }) => isFor(name, q))]
      .slice(0, RESULTS_MAX)
      .map(({ id, name }) => ({ kind: 'account', id, accountId: id, title: name }) as const),
    ...[...(owner ? [owner] : []), ...owners.filter(({ name }) => isFor(name, q))]
      .slice(0, RESULTS_MAX)
      .map(({ id, name }) => ({ kind: 'organisation', id, accountId: null, title: name }) as const),
    ...(key
      ? [{ kind: 'key', id: key.keyId, accountId: key.accountId, title: key.name } as const]
      : []),
    ...references,
    ...customers,
  ];
};

/** Whoever sees no contents finds no customer by a name. */
export const anywhere =
  (deps: FindDeps, models: ReadModels, seesContents: boolean): Finder =>
  async (q) => {
    const contact = contactFor(q);
    const [found, subjects] = await Promise.all([
      findAnywhere({ ...deps, models }, q),
      contact === undefined ? [] : deps.privacy.findSubjects(contact, null),
    ]);
    const holders = [...new Set(subjects.map(({ accountId }) => accountId))];
    return [
      ...found.map(
        ({ accountId, text: title }) => ({ kind: 'message', id: q, accountId, title }) as const,
      ),
      ...holders
        .slice(0, RESULTS_MAX)
        .map((accountId) => ({ kind: 'contact', id: contact!, accountId, title: null }) as const),
      ...(await tenancyFinder(models, q, seesContents)),
    ];
  };

/** What a request charged one of the newest accounts. */
export const requestAnywhere =
  (deps: FindDeps, models: ReadModels): Finder =>
  async (q) =>
    requestFinder(deps, await newestAccounts(models))(q);
