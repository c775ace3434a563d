import type { EventVariables } from './generated/events.ts';
import type { BodyOf } from './types.ts';

// The bodies of sends by event. A method takes its event as a type parameter, because the compiler then
// compares `variables` with those of that event alone, and names what is missing or misspelt.

/** The name of an event of the catalog. */
export type EventName = keyof EventVariables;

/** A notification of one event, or of any of several. */
export interface NotificationOf<Event extends EventName>
  extends Omit<BodyOf<'sendNotification'>, 'event' | 'variables' | 'dryRun'> {
  event: Event;
  variables: EventVariables[Event];
}

/** A notification: an event of the catalog with its variables. */
export type Notification = { [Event in EventName]: NotificationOf<Event> }[EventName];

type AnyRecipient = BodyOf<'sendNotificationBatch'>['recipients'][number];

/** One recipient of a batch, with the variables of its message. */
export interface BatchRecipient<Event extends EventName> extends Omit<AnyRecipient, 'variables'> {
  variables: EventVariables[Event];
}

/** One event to 1 to 500 recipients. */
export interface NotificationBatchOf<Event extends EventName>
  extends Omit<BodyOf<'sendNotificationBatch'>, 'event' | 'recipients' | 'dryRun'> {
  event: Event;
  recipients: readonly BatchRecipient<Event>[];
}

/** A message that you build yourself. */
export type Message = Omit<BodyOf<'sendMessage'>, 'dryRun'>;

/** A send to ask about: its kind, and its body. */
export type QuoteRequest =
  | { kind: 'notification'; request: Notification }
  | { kind: 'message'; request: Message }
  | { kind: 'batch'; request: NotificationBatch }
  | { kind: 'job'; request: BodyOf<'createJob'> };

/** One event of the catalog to 1 to 500 recipients. */
export type NotificationBatch = { [Event in EventName]: NotificationBatchOf<Event> }[EventName];
