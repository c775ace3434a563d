import type { WebhookSource, WebhookTopic } from '../../events/webhook.ts';
import type { DueRow, DueRows } from '../core/timers.ts';
import type { Begun } from './endpoint.ts';

/** An endpoint that receives events of its account. */
export interface KnownEndpoint {
  endpointId: string;
  accountId: string;
  topics: readonly WebhookTopic[];
  /** It receives the events after this position of the log. */
  activeSince: string;
  isActive: boolean;
}

/** A replay that has not ended. */
export interface OpenReplay {
  endpointId: string;
  accountId: string;
  replayId: string;
  since: string;
  topics: readonly WebhookTopic[];
}

/** One event for one endpoint. */
export interface Delivery {
  endpointId: string;
  accountId: string;
  source: WebhookSource;
  /** Absent before its first record. */
  begun?: Begun;
}

/** Names the event as the cause of what is written of its delivery. */
export const contextOf = ({ accountId, source: { eventId, asked } }: Delivery) => ({
  requestId: eventId,
  accountId,
  cause: eventId,
  countsAsFree: asked ?? false,
});

/** A delivery that waits, in the lane of its endpoint. */
export interface WaitingDelivery extends Delivery, DueRow {
  begun: Begun;
}

/** What the read models tell of endpoints and deliveries. */
export interface WebhookLookups extends Pick<DueRows<WaitingDelivery>, 'reachHead' | 'waiting'> {
  /** How many endpoints an account has. */
  count(accountId: string): Promise<number>;
  /** All endpoints and open replays, and the active endpoints for which some delivery waits. */
  all(): Promise<{
    endpoints: readonly KnownEndpoint[];
    replays: readonly OpenReplay[];
    waiting: readonly { endpointId: string; accountId: string }[];
  }>;
}

/** The form of a delivery: after Standard Webhooks, or as the provider posts to its webhooks. */
type WebhookFormat = 'standard' | 'graph';

/** Builds a delivery out of the log. Null where there is nothing to tell the account. */
export type BodyOf = (
  accountId: string,
  source: WebhookSource,
  format: WebhookFormat,
) => Promise<{ body: object /** Of the event. */; traceparent: string | undefined } | null>;
