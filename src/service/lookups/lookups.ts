import type { Candidate } from '../../commands/bots/matching.ts';
import type { DueRun } from '../../commands/bots/waking.ts';
import type { Lookups } from '../../commands/core/lookups.ts';
import { bucketOfAccount } from '../../events/bucket.ts';
import { conversationIdOf } from '../../events/conversation.ts';
import type { EventReader } from '../../events/store.ts';
import type { AccountDocument } from '../../projections/accounts.ts';
import type { AdministratorDocument } from '../../projections/administrators.ts';
import { botRuns } from '../../projections/bot-runs.ts';
import { type BotDocument, bots } from '../../projections/bots.ts';
import { chargeclaims } from '../../projections/charge-claims.ts';
import { conversations } from '../../projections/conversations.ts';
import { deadletters } from '../../projections/dead-letters.ts';
import type { Projection } from '../../projections/define.ts';
import type { Lists } from '../../projections/engine/lists.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import type { KeyDocument } from '../../projections/keys.ts';
import { messages } from '../../projections/messages.ts';
import { numbers } from '../../projections/numbers.ts';
import type { OrganisationDocument } from '../../projections/organisations.ts';
import type { PersonDocument } from '../../projections/people.ts';
import { readThread } from '../../projections/read-threads.ts';
import { refunds } from '../../projections/refunds.ts';
import { isOpen, reservations } from '../../projections/reservations.ts';
import { type SessionDocument, sessions } from '../../projections/sessions.ts';
import { templates } from '../../projections/templates.ts';
import { WINDOW_MS } from '../../projections/thread.ts';
import { type Query, ViewsUnavailable } from '../../projections/views.ts';
import { cachedLookups as cached, ROWS_MAX } from './cached-lookups.ts';
import { createDueRows, createReachHead } from './due-rows.ts';
import { awaitLog, createLookupCache, type LookupCache } from './lookup-cache.ts';

const TEMPLATES_MAX = 6000;
/** Without the graphs, which may be large. */
const CANDIDATE_FIELDS = [
  'id',
  'createdAt',
  'phoneNumberId',
  'trigger',
  'triggerKeywords',
  'triggerMatchType',
  'isActive',
];

interface ViewLookupDeps {
  store: EventReader;
  reader: Reader;
  lists: Lists;
}

const candidateOf = ({ id: botId, ...bot }: BotDocument): Candidate => ({
  botId,
  createdAt: bot.createdAt,
  phoneNumberId: bot.phoneNumberId,
  trigger: bot.trigger,
  triggerKeywords: bot.triggerKeywords,
  triggerMatchType: bot.triggerMatchType,
  isActive: bot.isActive,
});

const createRunLookups = (
  deps: Pick<ViewLookupDeps, 'store' | 'reader'>,
): Pick<Lookups, 'dueRuns' | 'openRuns'> => ({
  dueRuns: createDueRows(
    deps,
    botRuns,
    ({ id: runId, conversationId, accountId, phoneNumberId, contactRef, ...run }, due) => ({
      runId,
      conversationId,
      accountId,
      phoneNumberId,
      contactRef,
      phase: run.phase as DueRun['phase'],
      due,
      dueAt: Date.parse(run.phaseAt),
    }),
    ['id', 'conversationId', 'accountId', 'phoneNumberId', 'contactRef', 'phase', 'phaseAt'],
  ),
  async openRuns({ accountId, phoneNumberId, after, upTo, limit }) {
    await deps.reader.reached([botRuns], upTo);
    const found = await deps.reader.find(botRuns, {
      where: { accountId, phoneNumberId, open: true, order: { gt: after, lte: upTo } },
      order: { field: 'order', direction: 'ascending' },
      limit,
    });
    return found.map(({ id: runId, conversationId, order }) => ({
      runId,
      conversationId,
      order,
    }));
  },
});

type ViewLookups = Pick<
  Lookups,
  | 'numbersOfWaba'
  | 'allTemplates'
  | 'windowExpiresAt'
  | 'bots'
  | 'dueRuns'
  | 'openRuns'
  | 'openDeadLetters'
>;

/** Look-ups whose answers are not kept: sends do not need them, or messages change them. */
const createViewLookups = (deps: ViewLookupDeps): ViewLookups => {
  const { store, reader, lists } = deps;
  const reachHead = async (projection: Projection) =>
    reader.reached([projection], await store.head());
  const reachBots = createReachHead(deps, [bots]);
  return {
    async numbersOfWaba(wabaId) {
      await reachHead(numbers);
      return reader.find(numbers, {
        where: { wabaId, linked: true },
        order: { field: 'order', direction: 'ascending' },
        limit: ROWS_MAX,
      });
    },
    async allTemplates(wabaId) {
      await awaitLog(deps, templates);
      const found = await lists.all(`business account ${wabaId}`, templates, {
        where: { wabaId },
        order: { field: 'order', direction: 'ascending' },
        limit: TEMPLATES_MAX,
      });
      return found.sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    async windowExpiresAt(conversation) {
      await reachHead(conversations);
      const thread = await readThread(reader, conversationIdOf(conversation));
      return thread?.lastInboundAt == null ? null : Date.parse(thread.lastInboundAt) + WINDOW_MS;
    },
    /** The bots' reactor keeps the answer itself, in step with the messages that it reads. */
    async bots(accountId) {
      await reachBots();
      const found = await lists.all(accountId, bots, {
        where: { accountId },
        order: { field: 'order', direction: 'descending' },
        limit: ROWS_MAX,
        fields: CANDIDATE_FIELDS,
      });
      return found.map(candidateOf);
    },
    ...createRunLookups(deps),
    async openDeadLetters({ reason, after, limit }) {
      await reachHead(deadletters);
      return reader.find(deadletters, {
        where: { state: 'open', reason, order: { gt: after } },
        order: { field: 'order', direction: 'ascending' },
        limit,
      });
    },
  };
};

type ChargeLookups = Pick<
  Lookups,
  | 'refundOf'
  | 'refundCauseOf'
  | 'openCharges'
  | 'openReservations'
  | 'messageOfCharge'
  | 'chargeClaims'
>;

interface Deps {
  store: Pick<EventReader, 'head' | 'read'>;
  reader: Reader;
}

/**
 * The buckets of which the read models show the whole log. `reached` accepts a halted or an older one, which
 * serves to show something, and not to move money.
 */
const shownBuckets = async (
  { store, reader }: Deps,
  source: Projection,
): Promise<ReadonlySet<number>> => {
  const head = await store.head();
  try {
    await reader.reached([source], head);
    return await reader.shows([source], head);
  } catch (error) {
    if (error instanceof ViewsUnavailable) return new Set();
    throw error;
  }
};

const isOfShown = (shown: ReadonlySet<number>, accountId: string): boolean =>
  shown.has(bucketOfAccount(accountId));

const demand = (isShown: boolean): void => {
  if (!isShown) throw new ViewsUnavailable('the read models do not show the whole log');
};

/** Further ones are found with the next ones that are settled. */
const HIDDEN_MAX = 5_000;

/**
 * Documents of accounts of which the read model shows the whole log, however many others come between. Throws
 * where it shows that of none.
 */
const findShown = async <Doc extends { accountId: string }>(
  deps: Deps,
  projection: Projection<Doc>,
  query: Query,
): Promise<Doc[]> => {
  const shown = await shownBuckets(deps, projection as Projection);
  demand(shown.size > 0);
  for (let { limit } = query; ; limit *= 2) {
    const rows = await deps.reader.find(projection, { ...query, limit });
    const found = rows.filter(({ accountId }) => isOfShown(shown, accountId));
    const isEnough = found.length >= query.limit || rows.length < limit || limit > HIDDEN_MAX;
    if (isEnough) return found.slice(0, query.limit);
  }
};

/** The newest revision of an account's stream. Later reads see at least this revision. */
const newestOf = async (store: Deps['store'], accountId: string): Promise<number> => {
  const [last] = await store.read(`account-${accountId}`, { direction: 'backwards', limit: 1 });
  return last?.revision ?? -1;
};

/** Answers what became of charges. No answer is kept, because each one moves money. */
export const createChargeLookups = (deps: Deps): ChargeLookups => {
  const { store, reader } = deps;
  return {
    async refundOf(accountId, chargeId) {
      const newest = await newestOf(store, accountId);
      await reader.reached([refunds], await store.head());
      // `reached` does not wait for halted views: the row says how far they are.
      const known = await reader.get(refunds, accountId);
      const asOfRevision = known?.of === 'account' ? Math.min(known.revision, newest) : -1;
      const refund = await reader.get(refunds, chargeId);
      const counted = refund?.of === 'charge' && refund.counted;
      return { refunded: refund !== undefined, counted, asOfRevision };
    },
    async refundCauseOf(chargeId) {
      try {
        const refund = await reader.get(refunds, chargeId);
        return refund?.of === 'charge' ? refund.cause : undefined;
      } catch (error) {
        if (error instanceof ViewsUnavailable) return undefined;
        throw error;
      }
    },
    async openCharges(accountId) {
      const asOfRevision = await newestOf(store, accountId);
      demand(isOfShown(await shownBuckets(deps, reservations), accountId));
      const open = await reader.find(reservations, {
        where: { ...isOpen, accountId, amount: { lt: 0 } },
        order: { field: 'reservedAt', direction: 'ascending' },
        limit: 1,
      });
      return { open: open.length > 0, asOfRevision };
    },
    openReservations: (before, limit) =>
      findShown(deps, reservations, {
        where: { reservedAt: { gt: '', lt: before } },
        order: { field: 'reservedAt', direction: 'ascending' },
        limit,
      }),
    async messageOfCharge(accountId, chargeId) {
      if (!isOfShown(await shownBuckets(deps, messages), accountId)) return null;
      const found = await reader.find(messages, {
        where: { accountId, chargeId },
        order: { field: 'order', direction: 'descending' },
        limit: 1,
      });
      return found[0]?.messageRef;
    },
    async chargeClaims(wanted) {
      if ('chargeId' in wanted) {
        demand(isOfShown(await shownBuckets(deps, chargeclaims), wanted.accountId));
        return reader.find(chargeclaims, {
          where: { chargeId: wanted.chargeId },
          order: { field: 'order', direction: 'ascending' },
          limit: wanted.limit,
        });
      }
      return findShown(deps, chargeclaims, {
        where: { reservedAt: { gt: wanted.reservedAfter } },
        order: { field: 'reservedAt', direction: 'ascending' },
        limit: wanted.limit,
      });
    },
  };
};

/** What authentication looks up. */
export interface Credentials {
  key(keyId: string): Promise<KeyDocument | undefined>;
  organisation(organisationId: string): Promise<OrganisationDocument | undefined>;
  administrator(administratorId: string): Promise<AdministratorDocument | undefined>;
  person(personId: string): Promise<PersonDocument | undefined>;
  /** The accounts of an organisation, the oldest first. */
  accountsOf(organisationId: string): Promise<readonly Pick<AccountDocument, 'id' | 'name'>[]>;
  session(sessionId: string): Promise<SessionDocument | undefined>;
  /** Sessions of a holder that started after a time and were not ended: the newest 1,000. */
  openSessions(holderId: string, after: string): Promise<readonly SessionDocument[]>;
  /** Ids of sessions that started up to a time and were not ended: the oldest. */
  sessionsUpTo(startedAt: string, limit: number): Promise<readonly string[]>;
}

/** What an account sets for all of its sends, which requests ask for before anything else. */
interface AccountDefaults {
  /** At once where the account is in memory. */
  defaultsOf(accountId: string): SendSettings | Promise<SendSettings>;
}

type SendSettings = Pick<
  AccountDocument,
  'strict' | 'quietHours' | 'timeZone' | 'contentRetentionMonths'
>;

/** Of an account that the read models do not show. */
const unset: SendSettings = {
  strict: false,
  quietHours: null,
  timeZone: 'UTC',
  contentRetentionMonths: null,
};

/** Answers what commands and authentication ask beside the stream they write. */
export const createLookups = (deps: {
  store: EventReader;
  reader: Reader;
  lists: Lists;
}): { lookups: Lookups & Credentials & AccountDefaults; cache: LookupCache } => {
  const cache = createLookupCache(deps, Object.values(cached));
  const account = cache.through(cached.account);
  const rateCards = cache.through(cached.rateCards);
  const templatesOf = cache.through(cached.templates);
  const lookups = {
    memo: cache.memo,
    account,
    defaultsOf: cache.throughOr<string, SendSettings | undefined>(cached.account, unset),
    organisation: cache.through(cached.organisation),
    key: cache.through(cached.key),
    administrator: cache.through(cached.administrator),
    person: cache.through(cached.person),
    accountsOf: cache.through(cached.accountsOf),
    session: cache.through(cached.session),
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
    plan: cache.through(cached.plan),
    rateCards: () => rateCards(undefined),
    number: cache.through(cached.number),
    numbers: cache.through(cached.numbers),
    templates: (wabaId, name, options) => templatesOf({ wabaId, name }, options),
    ...createViewLookups(deps),
    ...createChargeLookups(deps),
  } satisfies Lookups & Credentials & AccountDefaults;
  return { lookups, cache };
};
