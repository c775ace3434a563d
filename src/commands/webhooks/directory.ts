import type { EventOf, KnownEvent } from '../../events/index.ts';
import type { WebhookTopic } from '../../events/webhook.ts';
import type { KnownEndpoint } from './ports.ts';
import { typesOf } from './sources.ts';

type EndpointEvent = EventOf<
  'WebhookCreated' | 'WebhookChanged' | 'WebhookDisabled' | 'WebhookEnabled' | 'WebhookDeleted'
>;

/** The endpoint after an event of it. */
const changedBy = (
  { type, data, position }: EndpointEvent,
  known: KnownEndpoint | undefined,
): KnownEndpoint | undefined => {
  const { endpointId, accountId } = data;
  switch (type) {
    case 'WebhookCreated':
      return { endpointId, accountId, topics: data.topics, activeSince: position, isActive: true };
    case 'WebhookChanged':
      return known && { ...known, topics: data.topics };
    case 'WebhookDisabled':
      return known && { ...known, isActive: false };
    case 'WebhookEnabled':
      return known && { ...known, isActive: true, activeSince: position };
    case 'WebhookDeleted':
      return undefined;
  }
};

const topicsIn = (asked: ReadonlyMap<WebhookTopic, number>): ReadonlySet<WebhookTopic> =>
  new Set([...asked].flatMap(([topic, times]) => (times > 0 ? [topic] : [])));

/**
 * The endpoints of all accounts, in step with the followed log. Names the events that have to be read: of
 * topics that no endpoint asks for, none.
 */
export const createDirectory = () => {
  const byAccount = new Map<string, Map<string, KnownEndpoint>>();
  /** How many active endpoints ask for a topic. */
  const asked = new Map<WebhookTopic, number>();
  let told: readonly KnownEvent['type'][] = [];

  const count = ({ topics }: KnownEndpoint, by: 1 | -1) => {
    for (const topic of topics) asked.set(topic, (asked.get(topic) ?? 0) + by);
  };

  const put = (accountId: string, endpointId: string, next: KnownEndpoint | undefined) => {
    const before = topicsIn(asked);
    const ofAccount = byAccount.get(accountId) ?? new Map<string, KnownEndpoint>();
    const known = ofAccount.get(endpointId);
    if (known?.isActive) count(known, -1);
    if (next?.isActive) count(next, 1);
    if (next) ofAccount.set(endpointId, next);
    else ofAccount.delete(endpointId);
    if (ofAccount.size > 0) byAccount.set(accountId, ofAccount);
    else byAccount.delete(accountId);
    const after = topicsIn(asked);
    if (before.symmetricDifference(after).size > 0) told = typesOf(after);
  };

  const find = (accountId: string, endpointId: string) => byAccount.get(accountId)?.get(endpointId);

  return {
    /** The types of events that some endpoint is told: the same object until the topics change. */
    told: () => told,
    load(endpoints: readonly KnownEndpoint[]): void {
      byAccount.clear();
      asked.clear();
      told = [];
      for (const one of endpoints) put(one.accountId, one.endpointId, one);
    },
    note(event: EndpointEvent): void {
      const { accountId, endpointId } = event.data;
      put(accountId, endpointId, changedBy(event, find(accountId, endpointId)));
    },
    isActive: (accountId: string, endpointId: string): boolean =>
      find(accountId, endpointId)?.isActive ?? false,
    topicsOf: (accountId: string, endpointId: string): readonly WebhookTopic[] =>
      find(accountId, endpointId)?.topics ?? [],
    wants: (accountId: string, topics: readonly WebhookTopic[]): boolean =>
      [...(byAccount.get(accountId)?.values() ?? [])].some(
        (one) => one.isActive && one.topics.some((topic) => topics.includes(topic)),
      ),
    /** The active endpoints of an account that ask for a topic, since before the event. */
    of: (accountId: string, topic: string, position: string): readonly KnownEndpoint[] =>
      [...(byAccount.get(accountId)?.values() ?? [])].filter(
        (one) =>
          one.isActive && one.activeSince < position && one.topics.some((name) => name === topic),
      ),
  };
};

export type Directory = ReturnType<typeof createDirectory>;
