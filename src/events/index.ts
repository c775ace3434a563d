import { accountEvents, moneyEventTypes } from './account.ts';
import { botEvents } from './bot.ts';
import { contactEvents } from './contact.ts';
import { conversationEvents } from './conversation.ts';
import { deadLetterEvents } from './dead-letter.ts';
import type { EventDefinition, FactOf } from './define.ts';
import { administratorEvents, apiKeyEvents, organisationEvents } from './directory.ts';
import { installationEvents } from './installation.ts';
import { mediaEvents } from './media.ts';
import { messageEvents } from './message.ts';
import { phoneEvents } from './phone.ts';
import { planEvents, rateCardEvents } from './pricing.ts';
import { recoveryEvents } from './recovery.ts';
import { requestEvents } from './request.ts';
import { type Recorded, UNREADABLE } from './store.ts';
import { templateEvents } from './template.ts';

/** Every event that was ever stored. */
export const definitions = [
  ...accountEvents,
  ...messageEvents,
  ...mediaEvents,
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
  ...contactEvents,
  ...conversationEvents,
  ...requestEvents,
  ...installationEvents,
] as const;

/** Any event of ours in today's shape; a switch over `type` narrows `data`. */
export type KnownFact = FactOf<(typeof definitions)[number]>;
export type KnownEvent = KnownFact extends infer F
  ? F extends KnownFact
    ? Recorded<F>
    : never
  : never;

const byType: ReadonlyMap<string, EventDefinition> = new Map(
  definitions.map((definition) => [definition.type, definition as unknown as EventDefinition]),
);

/** The version of newly stored events of this type. */
export const versionOf = (type: string): number => {
  const definition = byType.get(type);
  if (!definition) throw new Error(`no event of type ${type} is defined`);
  return definition.version;
};

/** A stored event, unchecked. */
export interface StoredEvent extends Omit<Recorded, 'data'> {
  data: unknown;
}

const chained: ReadonlySet<string> = new Set(moneyEventTypes);

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Whether stored JSON has a field, at any depth, that the read data has not. */
const holdsMore = (stored: unknown, read: unknown): boolean => {
  if (!isObject(stored)) return false;
  for (const key of Object.keys(stored)) {
    if (!isObject(read) || !Object.hasOwn(read, key)) return true;
    if (isObject(stored[key]) && holdsMore(stored[key], read[key])) return true;
  }
  return false;
};

/**
 * Reads a stored event in today's shape. An unreadable event becomes UNREADABLE with the reason, so
 * that its readers can halt visibly.
 */
export const decode = (stored: StoredEvent): Recorded => {
  const definition = byType.get(stored.type);
  try {
    if (!definition) throw new Error(`unknown event type ${stored.type}`);
    const data = definition.decode(stored.version, stored.data);
    const recorded = { ...stored, version: definition.version, data };
    // Reading drops unknown fields. Money events never gain fields: an extra one was added later.
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
