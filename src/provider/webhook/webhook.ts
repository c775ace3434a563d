import { createHmac, timingSafeEqual } from 'node:crypto';
import { exceededBound, type JsonBounds, parseJsonExact } from '../../shared/json.ts';
import { asId, asRecord, asText, isRecord } from '../shape.ts';
import type { WebhookItem } from './item.ts';
import { readNumberChange } from './messages.ts';
import { readNotice } from './notices.ts';
import { asTime, OBJECT, type Place, unknown } from './reader.ts';

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
  const exceeded = exceededBound(body, BOUNDS);
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
