import { hash } from 'node:crypto';
import { accountEvents, moneyEventTypes } from './account.ts';
import { approvalEvents } from './approval.ts';
import { botEvents } from './bot.ts';
import { contactEvents } from './contact.ts';
import { conversationEvents } from './conversation.ts';
import { deadLetterEvents } from './dead-letter.ts';
import type { EventDefinition, Fact, FactOf, Fields } from './define.ts';
import { administratorEvents, apiKeyEvents, organisationEvents } from './directory.ts';
import { erasureEvents } from './erasure.ts';
import { idempotencyEvents } from './idempotency.ts';
import { installationEvents } from './installation.ts';
import { jobEvents } from './job.ts';
import { mediaEvents } from './media.ts';
import { messageEvents } from './message.ts';
import { personEvents } from './person.ts';
import type { DataSubject } from './personal.ts';
import { phoneEvents } from './phone.ts';
import { planEvents, rateCardEvents } from './pricing.ts';
import { quickReplyEvents } from './quick-reply.ts';
import { recoveryEvents } from './recovery.ts';
import { scheduleEvents } from './schedule.ts';
import { oldestMonth, type SealedUnder } from './sealing.ts';
import { sealEvents } from './seals.ts';
import { sessionEvents } from './session.ts';
import { type Meta, type NewEvent, type Recorded, storedType, UNREADABLE } from './store.ts';
import { templateEvents } from './template.ts';
import { webhookEvents } from './webhook.ts';

/** Every event that was ever stored. */
export const definitions = [
  ...accountEvents,
  ...messageEvents,
  ...mediaEvents,
  ...recoveryEvents,
  ...organisationEvents,
  ...administratorEvents,
  ...apiKeyEvents,
  ...personEvents,
  ...approvalEvents,
  ...phoneEvents,
  ...templateEvents,
  ...planEvents,
  ...rateCardEvents,
  ...deadLetterEvents,
  ...botEvents,
  ...contactEvents,
  ...conversationEvents,
  ...quickReplyEvents,
  ...idempotencyEvents,
  ...installationEvents,
  ...erasureEvents,
  ...sealEvents,
  ...sessionEvents,
  ...webhookEvents,
  ...scheduleEvents,
  ...jobEvents,
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

const definitionOf = (type: string): EventDefinition => {
  const definition = byType.get(type);
  if (!definition) throw new Error(`no event of type ${type} is defined`);
  return definition;
};

/** An event of this type, or of one of these. */
export type EventOf<T extends KnownEvent['type']> = Extract<KnownEvent, { type: T }>;

/** The version of newly stored events of this type. */
export const versionOf = (type: string): number => definitionOf(type).version;

/** The types of events with secret settings. */
export const settingsTypes: ReadonlySet<string> = new Set(
  [...byType.values()].filter(({ holdsSettings }) => holdsSettings).map(({ type }) => type),
);

/** What an event is stored under: the keys of its contacts and of settings, and the chain's end before it. */
interface StoringKeys {
  subjects: readonly DataSubject[];
  settings?: DataSubject | undefined;
  /** The hash of the newest link of the stream. */
  chain: string;
}

/** An event as the log holds it, but for its id and its place. */
interface Encoded extends Pick<NewEvent, 'type' | 'version' | 'meta' | 'link'> {
  data: Fields;
  text: string;
}

/** The hash of a link: SHA-256 of the hash before it and of its stored text. */
export const linkHash = (previousHash: string, text: string): string =>
  hash('sha256', previousHash + text, 'hex');

const links: ReadonlySet<string> = new Set(moneyEventTypes);

/** Seals, packs and hashes a fact. Throws when a contact's key is not given. */
export const encode = (
  { type, data }: Fact,
  meta: Meta,
  { subjects, settings, chain }: StoringKeys,
): Encoded => {
  const definition = definitionOf(type);
  const stored = definition.encode(data, subjects, settings);
  const text = JSON.stringify(stored);
  const told = definition.isPacked ? (data as Fields).accountId : undefined;
  const encoded: Encoded = {
    type,
    version: definition.version,
    data: stored,
    text,
    meta: told === undefined ? meta : withoutAccount(meta, told),
  };
  if (links.has(type)) encoded.link = { previousHash: chain, hash: linkHash(chain, text) };
  return encoded;
};

/** The hash of the newest link, after an event that was read; the one before it where that is none. */
export const chainAfter = (
  { type, data }: Pick<Recorded, 'type' | 'data'>,
  before: string,
): string => (links.has(type) ? (data as { hash: string }).hash : before);

/** The metadata without the account that the event itself tells. */
const withoutAccount = (meta: Meta, told: unknown): Meta => {
  const { accountId, ...rest } = meta;
  return accountId === told ? rest : meta;
};

const decodeMeta = ({ isPacked }: EventDefinition, meta: Meta, data: unknown): Meta =>
  isPacked
    ? { ...meta, accountId: meta.accountId ?? (data as { accountId: string }).accountId }
    : meta;

/** A stored event, unchecked. */
export interface StoredEvent extends Omit<Recorded, 'data'> {
  data: unknown;
}

/** Types whose stored form is hashed: links of chains, and the other records that seals cover. */
const hashed: ReadonlySet<string> = new Set(
  [...accountEvents, ...planEvents, ...rateCardEvents].map(({ type }) => type),
);

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

/** The event as one that cannot be read, with the reason. */
const unreadable = <E extends StoredEvent>(stored: E, error: unknown): Recorded => ({
  ...stored,
  type: UNREADABLE,
  data: { type: stored.type, reason: (error as Error).message, raw: stored.data },
});

/**
 * The stored type of an event that a newer program wrote: an unknown type, or a later version of a
 * known one. Undefined for any other event.
 */
export const newerType = ({ type, version, data }: Recorded): string | undefined => {
  if (type !== UNREADABLE) return undefined;
  const stored = storedType({ type, data });
  return version > (byType.get(stored)?.version ?? 0) ? stored : undefined;
};

/** Takes the sealed part out of stored data. */
const partsOf = (data: unknown): { clear: unknown; sealed: string | undefined } => {
  if (!isObject(data) || typeof data.sealed !== 'string') return { clear: data, sealed: undefined };
  const { sealed, ...clear } = data;
  return { clear, sealed: sealed as string };
};

/**
 * Reads a stored event in today's shape; what is sealed in it stays so, and its fields are null. An
 * unreadable event becomes UNREADABLE with the reason, so that its readers can halt visibly.
 */
export const decode = (stored: StoredEvent): Recorded => {
  try {
    const definition = byType.get(stored.type);
    if (!definition) throw new Error(`unknown event type ${stored.type}`);
    const { version } = definition;
    const { clear, sealed } =
      definition.personal.length === 0 && !definition.holdsSettings
        ? { clear: stored.data, sealed: undefined }
        : partsOf(stored.data);
    const whole = stored.link ? { ...(clear as Fields), ...stored.link } : clear;
    const data = definition.decode(stored.version, whole, stored.stream);
    const meta = decodeMeta(definition, stored.meta, data);
    const recorded: Recorded = { ...stored, version, data, meta };
    if (sealed !== undefined) recorded.sealed = sealed;
    // Reading drops unknown fields, and a field that was added to a stored event must change its hash.
    const differs =
      hashed.has(stored.type) &&
      (stored.link !== undefined || stored.version !== version || holdsMore(stored.data, data));
    const asStored = { version: stored.version, data: stored.data };
    return differs ? { ...recorded, asStored } : recorded;
  } catch (error) {
    return unreadable(stored, error);
  }
};

/** The keys that the sealed part of a read event needs; none where nothing in it is sealed. */
export const keysFor = ({ type, data, sealed }: Recorded): readonly SealedUnder[] => {
  if (sealed === undefined) return [];
  try {
    return definitionOf(type).sealedUnder(data, sealed);
  } catch {
    // `openEvent` shows that it names no keys.
    return [];
  }
};

/**
 * Opens the sealed part of a read event with the keys that `keysFor` names. Where a key of it was
 * destroyed or lost, its fields stay null and the event is marked as erased.
 */
export const openEvent = (
  event: Recorded,
  names: readonly SealedUnder[],
  keys: readonly (Uint8Array | undefined)[],
): Recorded => {
  const { sealed, ...rest } = event;
  if (sealed === undefined) return event;
  try {
    const sealedMonth = oldestMonth(names.map(({ month }) => month));
    if (sealedMonth === undefined) throw new Error('its sealed part names no data keys');
    // Keys that were lost may have been made again for later events.
    const data = definitionOf(event.type).open(event.data, sealed, keys);
    if (data === undefined) return { ...rest, sealedMonth, isErased: true };
    return { ...rest, sealedMonth, data };
  } catch (error) {
    return unreadable(event, error);
  }
};
