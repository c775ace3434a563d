import type { WaitingDelivery, WebhookLookups } from '../../commands/webhooks/ports.ts';
import { WEBHOOKS_LISTED_MAX } from '../../commands/webhooks/webhooks.ts';
import type { EventReader } from '../../events/store.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import {
  type WebhookDeliveryDocument,
  webhookdeliveries,
} from '../../projections/webhook-deliveries.ts';
import { type WebhookDocument, webhooks } from '../../projections/webhooks.ts';
import { createReachHead } from '../lookups/due-rows.ts';

/** Endpoints that are read at one time. */
const PAGE = 500;
/** Endpoints whose waiting deliveries are looked for at one time. */
const LOOKS = 16;

const waitingOf = (row: WebhookDeliveryDocument): WaitingDelivery => {
  const { endpointId, accountId, number, createdAt, attempts, lastCall, due, nextAttemptAt } = row;
  const { eventId, topic, stream, revision, asOf, orderKey, asked } = row;
  return {
    endpointId,
    accountId,
    due: due ?? '',
    dueAt: Date.parse(nextAttemptAt ?? createdAt),
    source: {
      eventId,
      topic,
      stream,
      revision,
      orderKey,
      ...(asOf !== undefined && { asOf }),
      ...(asked && { asked }),
    },
    begun: { number, begunAt: createdAt, attempts, lastCall },
  };
};

const readAll = async (reader: Pick<Reader, 'find'>): Promise<WebhookDocument[]> => {
  const all: WebhookDocument[] = [];
  for (;;) {
    const page = await reader.find(webhooks, {
      where: { order: { gt: all.at(-1)?.order ?? '' } },
      order: { field: 'order', direction: 'ascending' },
      limit: PAGE,
    });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
};

const endpointOf = ({ id: endpointId, disabledReason, ...webhook }: WebhookDocument) => {
  const { accountId, topics, activeSince } = webhook;
  return { endpointId, accountId, topics, activeSince, isActive: disabledReason === null };
};

const replayOf = ({ id: endpointId, accountId, topics, replay }: WebhookDocument) =>
  replay ? [{ endpointId, accountId, topics, replayId: replay.id, since: replay.since }] : [];

/** What the read models tell of endpoints and deliveries. */
export const createWebhookLookups = ({
  store,
  reader,
}: {
  store: Pick<EventReader, 'head'>;
  reader: Pick<Reader, 'reached' | 'find'>;
}): WebhookLookups => {
  const waiting: WebhookLookups['waiting'] = async ({ lane, after, limit }) => {
    const found = await reader.find(webhookdeliveries, {
      where: { endpointId: lane, due: { gt: after } },
      order: { field: 'due', direction: 'ascending' },
      limit,
    });
    return found.map(waitingOf);
  };

  return {
    waiting,
    async count(accountId) {
      await reader.reached([webhooks], await store.head());
      const found = await reader.find(webhooks, {
        where: { accountId },
        order: { field: 'order', direction: 'descending' },
        limit: WEBHOOKS_LISTED_MAX,
        fields: ['id'],
      });
      return found.length;
    },
    reachHead: createReachHead({ store, reader }, [webhooks, webhookdeliveries]),
    async all() {
      const all = await readAll(reader);
      const active = all.filter(({ disabledReason }) => disabledReason === null);
      const lagging: { endpointId: string; accountId: string }[] = [];
      for (let from = 0; from < active.length; from += LOOKS) {
        const look = async ({ id: endpointId, accountId }: WebhookDocument) => {
          const [first] = await waiting({ lane: endpointId, after: '', limit: 1 });
          if (first) lagging.push({ endpointId, accountId });
        };
        await Promise.all(active.slice(from, from + LOOKS).map(look));
      }
      return {
        endpoints: all.map(endpointOf),
        replays: active.flatMap(replayOf),
        waiting: lagging,
      };
    },
  };
};
