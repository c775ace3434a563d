import { accountEvents, moneyEventTypes } from './account.ts';
import { botEvents } from './bot.ts';
import { conversationEvents } from './conversation.ts';
import { deadLetterEvents } from './dead-letter.ts';
import type { EventDefinition, FactOf } from './define.ts';
import { administratorEvents, apiKeyEvents, organisationEvents } from './directory.ts';
import { installationEvents } from './installation.ts';
import { messageEvents } from './message.ts';
import { phoneEvents } from './phone.ts';
import { planEvents, rateCardEvents } from './pricing.ts';
import { recoveryEvents } from './recovery.ts';
import { requestEvents } from './request.ts';
import { type Recorded, UNREADABLE } from './store.ts';
import { templateEvents } from './template.ts';

/** Every event ever written. A new one is added here and nowhere else. */
export const definitions = [
  ...accountEvents,
  ...messageEvents,
  ...recoveryEvents,
  ...organisationEvents,
  ...administratorEvents,
  ...apiKeyEvents,
  ...phoneEvents,
  ...templateEvents,
  ...planEvents,
  ...rateCardEvents,
  ...deadLetterEvents,
  ...botEvents,
  ...conversationEvents,
  ...requestEvents,
  ...installationEvents,
] as const;

/** Any event of ours, as today's shape; a switch over `type` narrows `data`. */
export type KnownFact = FactOf<(typeof definitions)[number]>;
export type KnownEvent = KnownFact extends infer F
  ? F extends KnownFact
    ? Recorded<F>
    : never
  : never;

const byType: ReadonlyMap<string, EventDefinition> = new Map(
  definitions.map((definition) => [definition.type, definition as unknown as EventDefinition]),
);

/** The version under which an event of this type is written today. */
export const versionOf = (type: string): number => {
  const definition = byType.get(type);
  if (!definition) throw new Error(`no event of type ${type} is defined`);
  return definition.version;
};

/** An event as it stands in a store: nothing of it has been checked yet. */
export interface StoredEvent extends Omit<Recorded, 'data'> {
  data: unknown;
}

const chained: ReadonlySet<string> = new Set(moneyEventTypes);

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Whether a JSON value has a field, however deep, that what was read of it has not. */
const holdsMore = (stored: unknown, read: unknown): boolean => {
  if (!isObject(stored)) return false;
  for (const key of Object.keys(stored)) {
    if (!isObject(read) || !Object.hasOwn(read, key)) return true;
    if (isObject(stored[key]) && holdsMore(stored[key], read[key])) return true;
  }
  return false;
};

/**
 * Reads a stored event as today's shape. One that cannot be read comes back as UNREADABLE with the
 * reason, so that whoever depends on it can stop in sight instead of passing over it.
 */
export const decode = (stored: StoredEvent): Recorded => {
  const definition = byType.get(stored.type);
  try {
    if (!definition) throw new Error(`unknown event type ${stored.type}`);
    const data = definition.decode(stored.version, stored.data);
    const recorded = { ...stored, version: definition.version, data };
    // Reading leaves out fields that nobody knows. Links have one shape for ever: more was added.
    const hasMore = chained.has(stored.type) && holdsMore(stored.data, data);
    return hasMore ? { ...recorded, asStored: stored.data } : recorded;
  } catch (error) {
    return {
      ...stored,
      type: UNREADABLE,
      data: { type: stored.type, reason: (error as Error).message, raw: stored.data },
    };
  }
};
