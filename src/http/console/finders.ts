import { locateCharge } from '../../commands/core/identifiers.ts';
import type { Privacy } from '../../commands/privacy/privacy.ts';
import { readCharge } from '../../events/completed.ts';
import type { EventReader } from '../../events/store.ts';
import { isThread } from '../../projections/absorbed-threads.ts';
import { accounts } from '../../projections/accounts.ts';
import { bots } from '../../projections/bots.ts';
import { conversations } from '../../projections/conversations.ts';
import { keys } from '../../projections/keys.ts';
import { messages } from '../../projections/messages.ts';
import { numbers } from '../../projections/numbers.ts';
import { organisations } from '../../projections/organisations.ts';
import { findAnywhere } from '../admin/messages.ts';
import type { ReadModels } from '../route/read-models.ts';
import type { ContactRefs } from '../v1/contact-filter.ts';
import { findMessage, type MessageSearch } from '../v1/find-message.ts';

/** Results of one kind. */
const RESULTS_MAX = 10;
/** Accounts and organisations whose names are compared: the newest. */
const NAMES_MAX = 1_000;
/** Accounts in which a reference is looked for. */
const ACCOUNTS_MAX = 200;

export const kinds = [
  ...(['message', 'charge', 'contact', 'conversation', 'number'] as const),
  ...(['bot', 'account', 'organisation', 'key'] as const),
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

const newest = { order: { field: 'order', direction: 'descending' } } as const;

const digitsOf = (q: string): string | undefined => {
  const digits = q.replaceAll(/[\s().-]/g, '').replace(/^\+/, '');
  return /^\d{5,20}$/.test(digits) ? digits : undefined;
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

const isFor = (name: string, q: string): boolean => name.toLowerCase().includes(q.toLowerCase());

const referenceFinder =
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

/** Accounts, organisations and keys: by their ids, and the first two by parts of their names. */
const tenancyFinder = async (models: ReadModels, q: string): Promise<readonly Found[]> => {
  const [all, owners, key] = await Promise.all([
    models.find(accounts, { where: {}, ...newest, limit: NAMES_MAX }),
    models.find(organisations, { where: {}, ...newest, limit: NAMES_MAX }),
    q.startsWith('key_') ? models.get(keys, q) : undefined,
  ]);
  const account = q.startsWith('acc_') ? await models.get(accounts, q) : undefined;
  const named = [...(account ? [account] : []), ...all.filter(({ name }) => isFor(name, q))];
  const organisation = owners.filter(({ id, name }) => id === q || isFor(name, q));
  const references = await referenceFinder(
    models,
    all.slice(0, ACCOUNTS_MAX).map(({ id }) => id),
  )(q);
  return [
    ...named
      .slice(0, RESULTS_MAX)
      .map(({ id, name }) => ({ kind: 'account', id, accountId: id, title: name }) as const),
    ...organisation
      .slice(0, RESULTS_MAX)
      .map(({ id, name }) => ({ kind: 'organisation', id, accountId: null, title: name }) as const),
    ...(key
      ? [{ kind: 'key', id: key.keyId, accountId: key.accountId, title: key.name } as const]
      : []),
    ...references,
  ];
};

export const anywhere =
  (deps: FindDeps, models: ReadModels): Finder =>
  async (q) => {
    const contact = digitsOf(q) ?? (/^[A-Z]{2}\.\w+$/.test(q) ? q : undefined);
    const [message, subjects] = await Promise.all([
      findAnywhere({ ...deps, models }, q),
      contact === undefined ? [] : deps.privacy.findSubjects(contact, null),
    ]);
    const holders = [...new Set(subjects.map(({ accountId }) => accountId))];
    return [
      ...(message
        ? [{ kind: 'message', id: q, accountId: message.accountId, title: message.text } as const]
        : []),
      ...holders
        .slice(0, RESULTS_MAX)
        .map((accountId) => ({ kind: 'contact', id: contact!, accountId, title: null }) as const),
      ...(await tenancyFinder(models, q)),
    ];
  };

/** What an account has under a text: a message, a customer, conversations by name, bots. */
export const withinAccount =
  (deps: FindDeps, models: ReadModels, accountId: string): Finder =>
  async (q) => {
    const digits = digitsOf(q);
    const [message, ref, threads, own, references] = await Promise.all([
      findMessage({ ...deps, models }, accountId, q),
      digits === undefined ? undefined : deps.subjects.refOf(accountId, digits),
      models.page(accountId, conversations, {
        where: { accountId, searchText: { contains: (digits ?? q).toLowerCase() } },
        ...newest,
        limit: RESULTS_MAX,
      }),
      models.find(bots, { where: { accountId }, ...newest, limit: NAMES_MAX }),
      referenceFinder(models, [accountId])(q),
    ]);
    return [
      ...(message ? [{ kind: 'message', id: q, accountId, title: message.text } as const] : []),
      ...(ref === undefined
        ? []
        : [{ kind: 'contact', id: digits!, accountId, title: null } as const]),
      ...threads.rows
        .filter(isThread)
        .map(
          (one) =>
            ({ kind: 'conversation', id: one.id, accountId, title: one.contactName }) as const,
        ),
      ...own
        .filter(({ id, name }) => id === q || isFor(name, q))
        .slice(0, RESULTS_MAX)
        .map(({ id, name }) => ({ kind: 'bot', id, accountId, title: name }) as const),
      ...references,
    ];
  };
