import type { Privacy } from '../../commands/privacy/privacy.ts';
import { locateCharge } from '../../events/charge-form.ts';
import { readCharge } from '../../events/completed.ts';
import { contactIn } from '../../events/contact.ts';
import type { EventReader } from '../../events/store.ts';
import { isThread } from '../../projections/absorbed-threads.ts';
import { accounts } from '../../projections/accounts.ts';
import { bots } from '../../projections/bots.ts';
import { conversations } from '../../projections/conversations.ts';
import { messages } from '../../projections/messages.ts';
import { numbers } from '../../projections/numbers.ts';
import { refusals } from '../../projections/refusals.ts';
import type { ConversationDocument } from '../../projections/thread.ts';
import type { Query } from '../../projections/views.ts';
import { ADMINISTRATION } from '../admin/context.ts';
import type { ReadModels } from '../route/read-models.ts';
import type { ContactRefs } from '../v1/contact-filter.ts';
import { findMessage, type MessageSearch } from '../v1/message.ts';
import { findRequest } from './find-requests.ts';

/** Results of one kind. */
export const RESULTS_MAX = 10;
/** Accounts and organisations whose names are compared: the newest. */
export const NAMES_MAX = 1_000;

export const kinds = [
  ...(['message', 'charge', 'refusal', 'contact', 'conversation', 'number'] as const),
  ...(['bot', 'account', 'organisation', 'key', 'action'] as const),
] as const;

/** What a text stands for; `id` of a contact is the number or user id that was asked for. */
export interface Found {
  kind: (typeof kinds)[number];
  id: string;
  accountId: string | null;
  title: string | null;
}

export interface FindDeps {
  store: EventReader;
  secrets: MessageSearch['secrets'];
  subjects: ContactRefs;
  privacy: Pick<Privacy, 'findSubjects'>;
}

export type Finder = (q: string) => Promise<readonly Found[]>;

export const newest = { order: { field: 'order', direction: 'descending' } } as const;

/** Shorter numbers are parts of names and ids. */
const DIGITS_MIN = 5;

/** The contact that a text stands for: a number, or a user id. */
export const contactFor = (q: string): string | undefined => {
  const id = contactIn(q);
  return id === undefined || id.length < DIGITS_MIN ? undefined : id;
};

/** A charge, by its id or by that of its row in the ledger. */
export const chargeFinder =
  ({ store }: FindDeps, ownerId?: string): Finder =>
  async (q) => {
    const id = q.replace(/^led_/, 'chg_');
    const accountId = locateCharge(id)?.accountId;
    if (accountId === undefined || (ownerId ?? accountId) !== accountId) return [];
    const charge = await readCharge(store, { accountId, chargeId: id });
    return charge ? [{ kind: 'charge', id, accountId, title: charge.data.reason }] : [];
  };

/** What a request charged; what it did otherwise, administrators find by its `action`. */
export const requestFinder =
  ({ store }: FindDeps, accountIds: readonly string[]): Finder =>
  async (q) => {
    const found = await findRequest(store, accountIds, q);
    return found
      .slice(0, RESULTS_MAX)
      .map(
        ({ accountId, chargeId: id, reason: title }) =>
          ({ kind: 'charge', id, accountId, title }) as const,
      );
  };

/** Sends that were refused before a charge: by the last recipient, or the first or last request. */
export const refusalFinder =
  ({ subjects }: FindDeps, models: ReadModels, accountId: string): Finder =>
  async (q) => {
    const contact = contactFor(q);
    const ref = contact === undefined ? undefined : await subjects.refOf(accountId, contact);
    const asked: readonly Query['where'][] = [
      { accountId, firstRequestId: q },
      { accountId, lastRequestId: q },
      ...(ref === undefined ? [] : [{ accountId, contactRef: ref }]),
    ];
    const page = { ...newest, limit: RESULTS_MAX };
    const pages = await Promise.all(
      asked.map((where) => models.page(accountId, refusals, { ...page, where })),
    );
    const found = new Map(pages.flatMap(({ rows }) => rows).map((one) => [one.id, one]));
    return [...found.values()].slice(0, RESULTS_MAX).map(({ id, code, count, minute }) => {
      const title = `${count} × ${code}, ${minute}`;
      return { kind: 'refusal' as const, id, accountId, title };
    });
  };

/** Looks without what a name does not need, and off the thread that answers others. */
export const named = { where: {}, ...newest, limit: NAMES_MAX, fields: ['id', 'name'] } as const;

/** Accounts in which a reference, a customer's name and the id of a request are looked for. */
export const ACCOUNTS_MAX = 200;

/** The ids of the newest accounts. */
export const newestAccounts = async (
  models: ReadModels,
  limit = ACCOUNTS_MAX,
): Promise<readonly string[]> => {
  const all = await models.all(ADMINISTRATION, accounts, { ...named, limit });
  return all.map(({ id }) => id);
};

export const isFor = (name: string, q: string): boolean =>
  name.toLowerCase().includes(q.toLowerCase());

export const referenceFinder =
  (models: ReadModels, accountIds: readonly string[]): Finder =>
  async (q) => {
    if (accountIds.length === 0) return [];
    const found = await models.find(messages, {
      where: { accountId: { in: accountIds }, clientReference: q },
      ...newest,
      limit: RESULTS_MAX,
    });
    return found.flatMap((one) =>
      one.recorded && one.metaMessageId !== null
        ? [{ kind: 'message', id: one.metaMessageId, accountId: one.accountId, title: q } as const]
        : [],
    );
  };

export const numberFinder =
  (models: ReadModels, ownerId?: string): Finder =>
  async (q) => {
    const number = await models.get(numbers, q);
    if (!number?.linked || (ownerId ?? number.accountId) !== number.accountId) return [];
    const { phoneNumberId: id, accountId, displayPhoneNumber: title } = number;
    return [{ kind: 'number', id, accountId, title }];
  };

/** The bots of an account, by their ids or by parts of their names. */
export const botFinder =
  (models: ReadModels, accountId: string): Finder =>
  async (q) => {
    const own = await models.all(accountId, bots, { ...named, where: { accountId } });
    return own
      .filter(({ id, name }) => id === q || isFor(name, q))
      .slice(0, RESULTS_MAX)
      .map(({ id, name }) => ({ kind: 'bot', id, accountId, title: name }) as const);
  };

/** Conversations of an account with a part of a name, a number or a user id: one page of the newest. */
export const threadsWith = async (
  models: ReadModels,
  owner: string,
  accountId: string,
  text: string,
): Promise<readonly ConversationDocument[]> => {
  const where = { accountId, searchText: { contains: text.toLowerCase() } };
  const page = { where, ...newest, limit: RESULTS_MAX };
  return (await models.page(owner, conversations, page)).rows.filter(isThread);
};

/**
 * What an account has under a text: a message, a customer, conversations by name. Whoever sees no contents
 * finds no conversation by a part of a name or a number.
 */
export const withinAccount =
  (deps: FindDeps, models: ReadModels, accountId: string, seesContents: boolean): Finder =>
  async (q) => {
    const contact = contactFor(q);
    const [message, ref, threads, references] = await Promise.all([
      findMessage({ ...deps, models }, accountId, q),
      contact === undefined ? undefined : deps.subjects.refOf(accountId, contact),
      seesContents ? threadsWith(models, accountId, accountId, contact ?? q) : [],
      referenceFinder(models, [accountId])(q),
    ]);
    return [
      ...(message ? [{ kind: 'message', id: q, accountId, title: message.text } as const] : []),
      ...(ref === undefined
        ? []
        : [{ kind: 'contact', id: contact!, accountId, title: null } as const]),
      ...threads.map(
        ({ id, contactName: title }) => ({ kind: 'conversation', id, accountId, title }) as const,
      ),
      ...references,
    ];
  };
