import { isoTime } from '../../shared/clock.ts';
import { asId, asText, type Json } from '../shape.ts';
import type { UnknownItem, WebhookItem } from './item.ts';

/** The place of an item in its payload. */
export interface Place {
  object: unknown;
  entry: Json;
  wabaId: string | null;
  field: string;
  value: Json;
}

/** One item, or the reason why it cannot be processed. */
export type Reading = WebhookItem | { unfit: string };

/** Unix seconds reach this in the year 5138, so a larger number means milliseconds. */
const SECONDS_MAX = 1e11;
const LAST_INSTANT_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** The provider writes Unix seconds, as text or as a number. */
export const asTime = (value: unknown): string | null => {
  const number = Number(asText(value));
  const milliseconds = Math.floor(number > SECONDS_MAX ? number : number * 1000);
  return milliseconds > 0 && milliseconds <= LAST_INSTANT_MS ? isoTime(milliseconds) : null;
};

/** The `object` of each payload that the service reads. */
export const OBJECT = 'whatsapp_business_account';

/** A payload that holds `value` alone, as if the provider had sent nothing else. */
export const envelopeOf = (
  { object, entry, field }: Pick<Place, 'object' | 'entry' | 'field'>,
  value: unknown,
): Json => ({
  object,
  entry: [{ ...entry, changes: [{ field, value }] }],
});

const phoneNumberIdOf = ({ value }: Place): string | null => {
  const { metadata } = value as { metadata?: { phone_number_id?: unknown } | null };
  return asId(metadata?.phone_number_id);
};

export const unknown = (place: Place, value: unknown, reason: string): UnknownItem => ({
  kind: 'unknown',
  field: place.field,
  wabaId: place.wabaId,
  phoneNumberId: phoneNumberIdOf(place),
  reason,
  raw: JSON.stringify(envelopeOf(place, value)),
});
