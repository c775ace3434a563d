import { LRUCache } from 'lru-cache';
import type { Candidate } from '../commands/bots/matching.ts';
import type {
  DueRun,
  Lookups,
  NumberRecord,
  OpenRun,
  TemplateRow,
} from '../commands/core/lookups.ts';
import { standardPlan } from '../commands/pricing/pricing.ts';
import { defaultRateCard } from '../commands/pricing/rate-card.ts';
import { type ConversationKey, conversationIdOf } from '../events/conversation.ts';
import type { KnownEvent } from '../events/index.ts';
import type { PlanTerms, RateCard } from '../events/pricing.ts';
import {
  type EventReader,
  interestIn,
  type Meta,
  type Position,
  StoreUnavailable,
} from '../events/store.ts';
import { accounts } from '../projections/accounts.ts';
import { administrators } from '../projections/administrators.ts';
import { botRuns } from '../projections/bot-runs.ts';
import { bots } from '../projections/bots.ts';
import { conversations, WINDOW_MS } from '../projections/conversations.ts';
import type { Projection } from '../projections/define.ts';
import type { Lists } from '../projections/engine/lists.ts';
import type { Reader } from '../projections/engine/reader.ts';
import { keys } from '../projections/keys.ts';
import { numbers } from '../projections/numbers.ts';
import { organisations } from '../projections/organisations.ts';
import { plans } from '../projections/plans.ts';
import { ratecards } from '../projections/rate-cards.ts';
import { type TemplateDocument, templates } from '../projections/templates.ts';
import { ViewsUnavailable } from '../projections/views.ts';
import { createChargeLookups } from './charge-lookups.ts';
import {
  isTemplateEvent,
  type TemplateEvent,
  templateEventTypes,
  withTemplateEvent,
} from './template-rows.ts';

/** Entries kept of each kind. */
const CACHE_MAX = 20_000;
/** Rows of one answer: numbers of an account, languages of a template, published cards. */
const ROWS_MAX = 1000;
const TEMPLATES_MAX = 6000;
const CANDIDATE_FIELDS = [
  ...['id', 'createdAt', 'phoneNumberId', 'trigger', 'triggerKeywords', 'triggerMatchType'],
  'isActive',
];

type EventOf<T extends KnownEvent['type']> = Extract<KnownEvent, { type: T }>;

const ofOrganisation = (event: { data: { organisationId: string } }) => [
  `organisation ${event.data.organisationId}`,
];
const ofAccount = (event: { data: { accountId: string } }) => [`account ${event.data.accountId}`];
const ofKey = (event: { data: { keyId: string } }) => [`key ${event.data.keyId}`];
const ofAdministrator = (event: { data: { administratorId: string } }) => [
  `administrator ${event.data.administratorId}`,
];
const ofNumber = ({ data, meta }: { data: { phoneNumberId: string }; meta: Meta }) => [
  `number ${data.phoneNumberId}`,
  `numbers ${meta.accountId}`,
];
const templatesName = ({ wabaId, name }: { wabaId: string; name: string }) =>
  `templates ${wabaId} ${name}`;

/** What each event makes old of the remembered answers, by their names. */
const stale: { [T in KnownEvent['type']]?: (event: EventOf<T>) => string[] } = {
  AccountOpened: ofAccount,
  PlanAssigned: ofAccount,
  OrganisationCreated: ofOrganisation,
  OrganisationSuspended: ofOrganisation,
  OrganisationReinstated: ofOrganisation,
  ApiKeyCreated: ofKey,
  ApiKeyStateChanged: ofKey,
  AdministratorCreated: ofAdministrator,
  AdministratorRevoked: ofAdministrator,
  PlanPublished: ({ data }) => [`plan ${data.planId}`],
  RateCardPublished: () => ['ratecards'],
  PhoneTokenSet: ofNumber,
  PhoneProfileRead: ofNumber,
  PhoneWebhookSet: ofNumber,
  PhoneLinked: ofNumber,
  PhoneUnlinked: ofNumber,
};

interface Remembered {
  value: unknown;
}

/**
 * Answers what commands and authentication ask beside the stream they write: from the views, and
 * from memory once asked. The followed log forgets what it changes, and brings remembered rows of
 * templates up to date; while the log cannot be followed nothing is remembered, so a revocation is
 * never missed.
 */
export const createLookups = (deps: { store: EventReader; reader: Reader; lists: Lists }) => {
  const { store, reader, lists } = deps;
  const cache = new LRUCache<string, Remembered>({ max: CACHE_MAX });
  const underWay = new Map<string, Promise<unknown>>();
  let following = false;

  /**
   * Waits until the views have seen the whole log. False when the log is away: what they hold is
   * then the newest that can be had, and whoever runs the projections may still bring them on.
   */
  const haveSeenAll = async (sources: readonly Projection[]): Promise<boolean> => {
    try {
      await reader.reached(sources, await store.head());
      return true;
    } catch (error) {
      const logIsAway = error instanceof StoreUnavailable && !(error instanceof ViewsUnavailable);
      if (!logIsAway) throw error;
      return false;
    }
  };

  /** Reads once for all who ask meanwhile, from views that have seen the whole log. */
  const remember = <T>(
    key: string,
    sources: readonly Projection[],
    load: () => Promise<T>,
  ): Promise<T> | T => {
    const known = cache.get(key);
    if (known) return known.value as T;
    const running = underWay.get(key);
    if (running) return running as Promise<T>;
    const read = async () => {
      const isFresh = await haveSeenAll(sources);
      const value = await load();
      // It may be there by now for all that anybody can tell.
      if (!isFresh && value === undefined) throw new StoreUnavailable('the log is away');
      // What was forgotten while it was being read is no longer under way.
      const mayKeep = isFresh && following && underWay.get(key) === reading;
      if (mayKeep && value !== undefined) cache.set(key, { value });
      return value;
    };
    const reading: Promise<T> = read().finally(() => {
      if (underWay.get(key) === reading) underWay.delete(key);
    });
    underWay.set(key, reading);
    return reading;
  };

  const forget = (...names: readonly string[]) => {
    for (const name of names) {
      cache.delete(name);
      underWay.delete(name);
    }
  };

  const forgetAll = () => {
    cache.clear();
    underWay.clear();
  };

  const lookups = {
    async account(accountId: string, { fresh = false }: { fresh?: boolean } = {}) {
      if (fresh) forget(`account ${accountId}`);
      return remember(`account ${accountId}`, [accounts], () => reader.get(accounts, accountId));
    },
    async organisation(organisationId: string) {
      return remember(`organisation ${organisationId}`, [organisations], () =>
        reader.get(organisations, organisationId),
      );
    },
    async key(keyId: string) {
      return remember(`key ${keyId}`, [keys], () => reader.get(keys, keyId));
    },
    async administrator(administratorId: string) {
      return remember(`administrator ${administratorId}`, [administrators], () =>
        reader.get(administrators, administratorId),
      );
    },
    async plan(planId: string): Promise<PlanTerms | undefined> {
      return remember(`plan ${planId}`, [plans], async () => {
        const published = await reader.get(plans, planId);
        return published ?? (planId === standardPlan.planId ? standardPlan : undefined);
      });
    },
    async rateCards(): Promise<readonly RateCard[]> {
      return remember('ratecards', [ratecards], async () => {
        const published = await reader.find(ratecards, {
          where: {},
          order: { field: 'order', direction: 'ascending' },
          limit: ROWS_MAX,
        });
        return [defaultRateCard, ...published];
      });
    },
    async numbers(accountId: string): Promise<readonly NumberRecord[]> {
      return remember(`numbers ${accountId}`, [numbers], () =>
        reader.find(numbers, {
          where: { accountId, linked: true },
          order: { field: 'order', direction: 'ascending' },
          limit: ROWS_MAX,
        }),
      );
    },
    async number(phoneNumberId: string): Promise<NumberRecord | undefined> {
      return remember(`number ${phoneNumberId}`, [numbers], async () => {
        const number = await reader.get(numbers, phoneNumberId);
        return number?.linked ? number : undefined;
      });
    },
    /** Not remembered: only the provider's notices ask. */
    async numbersOfWaba(wabaId: string): Promise<readonly NumberRecord[]> {
      await reader.reached([numbers], await store.head());
      return reader.find(numbers, {
        where: { wabaId, linked: true },
        order: { field: 'order', direction: 'ascending' },
        limit: ROWS_MAX,
      });
    },
    async templates(
      wabaId: string,
      name: string,
      { fresh = false }: { fresh?: boolean } = {},
    ): Promise<readonly TemplateRow[]> {
      const answer = templatesName({ wabaId, name });
      if (fresh) forget(answer);
      return remember(answer, [templates], () =>
        reader.find(templates, {
          where: { wabaId, name },
          order: { field: 'language', direction: 'ascending' },
          limit: ROWS_MAX,
        }),
      );
    },
    /** Not remembered: a whole mirror is asked for by people, not by sends. */
    async allTemplates(wabaId: string): Promise<readonly TemplateRow[]> {
      await haveSeenAll([templates]);
      const found = await lists.all(`business account ${wabaId}`, templates, {
        where: { wabaId },
        order: { field: 'order', direction: 'ascending' },
        limit: TEMPLATES_MAX,
      });
      return found.sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    /** Not remembered: every message of a customer changes it. */
    async windowExpiresAt(conversation: ConversationKey): Promise<number | null> {
      await reader.reached([conversations], await store.head());
      const thread = await reader.get(conversations, conversationIdOf(conversation));
      return thread?.lastInboundAt == null ? null : Date.parse(thread.lastInboundAt) + WINDOW_MS;
    },
    /** Not remembered: the bots' own reactor does that, in step with the messages it sees. */
    async bots(accountId: string): Promise<readonly Candidate[]> {
      await reader.reached([bots], await store.head());
      const found = await lists.all(accountId, bots, {
        where: { accountId },
        order: { field: 'order', direction: 'descending' },
        limit: ROWS_MAX,
        // Graphs may be large, and only what may start a bot is asked for.
        fields: CANDIDATE_FIELDS,
      });
      return found.map((bot) => ({
        botId: bot.id,
        createdAt: bot.createdAt,
        phoneNumberId: bot.phoneNumberId,
        trigger: bot.trigger,
        triggerKeywords: bot.triggerKeywords,
        triggerMatchType: bot.triggerMatchType,
        isActive: bot.isActive,
      }));
    },
    async dueRuns(
      due: { waitingUntil: string; actingSince: string; limit: number },
      { fresh }: { fresh: boolean },
    ): Promise<readonly DueRun[]> {
      if (fresh) await reader.reached([botRuns], await store.head());
      const find = async (phase: 'waiting' | 'acting', phaseAt: string) => {
        const found = await reader.find(botRuns, {
          where: { phase, phaseAt: { lte: phaseAt } },
          order: { field: 'phaseAt', direction: 'ascending' },
          limit: due.limit,
        });
        return found.map(({ id: runId, conversationId, accountId, phoneNumberId, waId }) => ({
          ...{ runId, conversationId, accountId, phoneNumberId, waId, phase },
        }));
      };
      const waiting = await find('waiting', due.waitingUntil);
      return [...waiting, ...(await find('acting', due.actingSince))];
    },
    async openRuns(of: {
      accountId: string;
      phoneNumberId: string;
      after: Position;
      upTo: Position;
      limit: number;
    }): Promise<readonly OpenRun[]> {
      const { accountId, phoneNumberId, after, upTo, limit } = of;
      await reader.reached([botRuns], upTo);
      const found = await reader.find(botRuns, {
        where: { accountId, phoneNumberId, open: true, order: { gt: after, lte: upTo } },
        order: { field: 'order', direction: 'ascending' },
        limit,
      });
      return found.map(({ id: runId, conversationId, order }) => ({
        ...{ runId, conversationId, order },
      }));
    },
    ...createChargeLookups({ store, reader }),
  } satisfies Lookups & Record<string, unknown>;

  /** The event comes once as it is written here and again by the log: its last coming is in the log's order. */
  const noteTemplate = (event: TemplateEvent) => {
    const name = templatesName(event.data);
    underWay.delete(name);
    const known = cache.get(name);
    if (!known) return;
    cache.set(name, { value: withTemplateEvent(known.value as TemplateDocument[], event) });
  };

  const note = (event: KnownEvent) => {
    if (isTemplateEvent(event)) return noteTemplate(event);
    const namesOf = Object.hasOwn(stale, event.type) ? stale[event.type] : undefined;
    if (namesOf) forget(...(namesOf as (event: KnownEvent) => string[])(event));
  };

  return {
    lookups,
    /** Takes in what the log says, and what is written to it; forgets what that makes old. */
    note,
    interest: interestIn([...Object.keys(stale), ...templateEventTypes]),
    /** The log is followed from here on, or no longer. */
    setFollowing(now: boolean) {
      following = now;
      forgetAll();
    },
  };
};

export type Directory = ReturnType<typeof createLookups>['lookups'];
