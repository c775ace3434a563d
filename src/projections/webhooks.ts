import type { EventOf, KnownEvent } from '../events/index.ts';
import type { Position } from '../events/store.ts';
import type { WebhookSettings } from '../events/webhook.ts';
import { defineProjection } from './define.ts';

/** An endpoint of an account. */
export interface WebhookDocument extends Omit<WebhookSettings, 'graph'> {
  /** How it is called: after Standard Webhooks, or as the provider calls. */
  format: 'standard' | 'graph';
  id: string;
  accountId: string;
  /** Null while it is active. */
  disabledReason: 'owner' | 'gone' | 'failing' | null;
  /** It receives the events after this position of the log. */
  activeSince: Position;
  /** Until then the secret before signs too; null before the first rotation. */
  previousSecretUntil: string | null;
  replay: { id: string; since: string; startedAt: string } | null;
  createdAt: string;
  updatedAt: string;
  order: Position;
}

type Own = { data: { endpointId: string }; meta: KnownEvent['meta']; position: Position };

const endpointId = (event: Own) => event.data.endpointId;

const changed = <E extends Own>(
  change: (event: E, webhook: WebhookDocument) => Partial<WebhookDocument>,
) => ({
  key: endpointId as (event: E) => string,
  fold: (webhook: WebhookDocument | undefined, event: E) =>
    webhook && { ...webhook, updatedAt: event.meta.at, ...change(event, webhook) },
});

const settingsOf = ({ url, topics, description, graph }: WebhookSettings) => ({
  url,
  topics,
  description,
  format: graph ? ('graph' as const) : ('standard' as const),
});

export const webhooks = defineProjection<WebhookDocument>({
  name: 'webhooks',
  version: 2,
  indexes: [['accountId', '-order'], ['order']],
  words: ['accountId'],
  on: {
    WebhookCreated: {
      key: endpointId,
      fold: (_, { data, meta, position }) => ({
        id: data.endpointId,
        accountId: data.accountId,
        ...settingsOf(data),
        disabledReason: null,
        activeSince: position,
        previousSecretUntil: null,
        replay: null,
        createdAt: meta.at,
        updatedAt: meta.at,
        order: position,
      }),
    },
    WebhookChanged: changed((event: EventOf<'WebhookChanged'>) => settingsOf(event.data)),
    WebhookRotated: changed((event: EventOf<'WebhookRotated'>) => ({
      previousSecretUntil: event.data.previousUntil,
    })),
    WebhookDisabled: changed((event: EventOf<'WebhookDisabled'>) => ({
      disabledReason: event.data.reason,
      replay: null,
    })),
    WebhookEnabled: changed((event: EventOf<'WebhookEnabled'>) => ({
      disabledReason: null,
      activeSince: event.position,
    })),
    WebhookDeleted: { key: endpointId, fold: () => null },
    WebhookReplayStarted: changed((event: EventOf<'WebhookReplayStarted'>) => ({
      replay: { id: event.data.replayId, since: event.data.since, startedAt: event.meta.at },
    })),
    WebhookReplayEnded: changed(() => ({ replay: null })),
  },
});
