import { createHmac, timingSafeEqual } from 'node:crypto';
import { type JsonBounds, parseJsonExact, scanJson } from '../../shared/json.ts';
import { readTemplateState } from '../rules/template-state.ts';
import { asDigits, asId, asName, asRecord, asText, isRecord, type Json } from '../shape.ts';
import type { WebhookItem } from './item.ts';
import { readNumberChange } from './messages.ts';
import { asTime, envelopeOf, OBJECT, type Place, type Reading, unknown } from './reader.ts';

/** What the notices of one business account have in common. */
interface Account {
  wabaId: string;
  at: string | null;
  envelope: Json;
}

type Reader = (value: Json, account: Account) => Reading;

const templateOf = (value: Json) => {
  const metaTemplateId = asId(value.message_template_id);
  const name = asName(value.message_template_name);
  const language = asId(value.message_template_language)?.replaceAll('-', '_');
  return metaTemplateId && name && language ? { metaTemplateId, name, language } : undefined;
};

const noTemplate = { unfit: 'the notice names no template' };

const templateStatus: Reader = (value, account) => {
  const template = templateOf(value);
  const event = asText(value.event);
  if (!template || event === null) return noTemplate;
  const state = readTemplateState(event, value.reason, value);
  const category = asText(value.message_template_category)?.toUpperCase() ?? null;
  return { kind: 'template_status', ...account, ...template, event, state, category };
};

const categoryIn = (value: unknown): string | null => asText(value)?.toUpperCase() || null;

/**
 * A notice of a future change has the present category as `new_category` and the future one as
 * `correct_category`; or the future one as `new_category`, with a time after the notice's own.
 */
const templateCategory: Reader = (value, account) => {
  const template = templateOf(value);
  const named = categoryIn(value.new_category);
  const correct = categoryIn(value.correct_category);
  if (!template || !(named ?? correct)) return noTemplate;
  const at = asTime(value.category_update_timestamp);
  const isFuture = correct === null && at !== null && at > (account.at ?? at);
  const future = isFuture ? named : correct;
  const category = isFuture ? categoryIn(value.previous_category) : named;
  const changingTo = future === null || future === category ? null : { category: future, at };
  return { kind: 'template_category', ...account, ...template, category, changingTo };
};

const templateQuality: Reader = (value, account) => {
  const template = templateOf(value);
  const quality = asText(value.new_quality_score);
  if (!template || quality === null) return noTemplate;
  return { kind: 'template_quality', ...account, ...template, quality };
};

const noNumber = { unfit: 'the notice names no number' };

const phoneQuality: Reader = (value, account) => {
  const displayPhoneNumber = asDigits(value.display_phone_number);
  const event = asText(value.event);
  if (displayPhoneNumber === null || event === null) return noNumber;
  return { kind: 'phone_quality', ...account, displayPhoneNumber, event };
};

const phoneName: Reader = (value, account) => {
  const displayPhoneNumber = asDigits(value.display_phone_number);
  const decision = asText(value.decision);
  if (displayPhoneNumber === null || decision === null) return noNumber;
  const verifiedName = asText(value.requested_verified_name);
  return { kind: 'phone_name', ...account, displayPhoneNumber, decision, verifiedName };
};

const accountUpdate: Reader = (value, account) => {
  const event = asText(value.event);
  return event === null
    ? { unfit: 'the notice names no event' }
    : { kind: 'account_update', ...account, event };
};

const capability: Reader = (value, account) => {
  const messagingLimit = asId(value.max_daily_conversations_per_business);
  return messagingLimit === null
    ? { unfit: 'the notice names no messaging limit' }
    : { kind: 'account_capability', ...account, messagingLimit };
};

const readers: ReadonlyMap<string, Reader> = new Map([
  ['message_template_status_update', templateStatus],
  ['template_category_update', templateCategory],
  ['message_template_quality_update', templateQuality],
  ['phone_number_quality_update', phoneQuality],
  ['phone_number_name_update', phoneName],
  ['account_update', accountUpdate],
  ['business_capability_update', capability],
]);

/** The one item of a change of a business account. */
const readNotice = (place: Place): Reading => {
  const read = readers.get(place.field);
  if (!read) return { unfit: 'not handled' };
  if (place.wabaId === null) return { unfit: 'the notice names no business account' };
  return read(place.value, {
    wabaId: place.wabaId,
    at: asTime(place.entry.time),
    envelope: envelopeOf(place, place.value),
  });
};

/** The provider's largest payload, of short messages alone, has 115,000 members. */
const BOUNDS: JsonBounds = { depth: 32, members: 150_000, fields: 1_000 };
const TOO_MUCH: Record<keyof JsonBounds, string> = {
  depth: `nested deeper than ${BOUNDS.depth} levels`,
  members: `more than ${BOUNDS.members} fields and items`,
  fields: `more than ${BOUNDS.fields} fields in an object`,
};
const signatureForm = /^sha256=([0-9a-f]{64})$/i;

/** The `X-Hub-Signature-256` of a body. */
export const signatureOf = (body: Uint8Array, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

/** Whether the header has the form of a signature. */
export const isSignature = (header: string | undefined): boolean =>
  signatureForm.test(header ?? '');

/** Whether the header signs exactly these bytes. Takes the same time for every wrong signature. */
export const verifySignature = (
  body: Uint8Array,
  header: string | undefined,
  appSecret: string,
): boolean => {
  const given = signatureForm.exec(header ?? '')?.[1];
  if (given === undefined || appSecret === '') return false;
  const expected = createHmac('sha256', appSecret).update(body).digest();
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
};

function* readChange(place: Place, change: unknown): Generator<WebhookItem, void, void> {
  if (!isRecord(change) || !isRecord(change.value)) {
    const value = isRecord(change) ? change.value : change;
    yield unknown(place, value, 'a change that is not an object');
    return;
  }
  const here = { ...place, field: asText(change.field) ?? '', value: change.value };
  if (here.field === 'messages' || here.field === 'user_preferences') {
    yield* readNumberChange(here);
    return;
  }
  const reading = readNotice(here);
  yield 'unfit' in reading ? unknown(here, here.value, reading.unfit) : reading;
}

function* readEntry(object: unknown, entry: unknown): Generator<WebhookItem, void, void> {
  const { id, time, changes } = asRecord(entry);
  const wabaId = asId(id);
  // Each item carries these two, so nothing else of the entry may be repeated with it.
  const own = { ...(wabaId !== null && { id }), ...(asTime(time) !== null && { time }) };
  const place = { object, entry: own, wabaId, field: '', value: {} };
  if (!Array.isArray(changes)) {
    yield unknown(place, entry, 'an entry without changes');
    return;
  }
  for (const change of changes) yield* readChange(place, change);
}

function* readEntries(object: unknown, entries: readonly unknown[]) {
  for (const entry of entries) yield* readEntry(object, entry);
}

/**
 * The items of a payload, each on its own and read only when it is asked for; or why the payload as a
 * whole cannot be read.
 */
export type Decoding = { ok: true; items: Iterable<WebhookItem> } | { ok: false; reason: string };

/** Reads a payload of the provider. Never throws; what it cannot read becomes an item `unknown`. */
export const decodeWebhook = (body: Buffer): Decoding => {
  const { exceeded } = scanJson(body, BOUNDS);
  if (exceeded) return { ok: false, reason: TOO_MUCH[exceeded] };
  let payload: unknown;
  try {
    payload = parseJsonExact(body.toString('utf8'));
  } catch {
    return { ok: false, reason: 'not JSON' };
  }
  if (!isRecord(payload) || !Array.isArray(payload.entry)) {
    return { ok: true, items: [whole(payload, 'not a payload of the provider')] };
  }
  if (payload.object !== OBJECT) {
    return { ok: true, items: [whole(payload, 'not handled: another kind of object')] };
  }
  return { ok: true, items: readEntries(payload.object, payload.entry) };
};

const whole = (payload: unknown, reason: string): WebhookItem => ({
  kind: 'unknown',
  field: '',
  wabaId: null,
  phoneNumberId: null,
  reason,
  raw: JSON.stringify(payload),
});
