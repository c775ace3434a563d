import { readTemplateState } from '../graph/template-state.ts';
import { asDigits, asId, asName, asText, type Json } from '../shape.ts';
import { asTime, envelopeOf, type Place, type Reading } from './reader.ts';

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

const readers: ReadonlyMap<string, Reader> = new Map([
  ['message_template_status_update', templateStatus],
  ['template_category_update', templateCategory],
  ['message_template_quality_update', templateQuality],
  ['phone_number_quality_update', phoneQuality],
  ['phone_number_name_update', phoneName],
  ['account_update', accountUpdate],
]);

/** The one item of a change of a business account. */
export const readNotice = (place: Place): Reading => {
  const read = readers.get(place.field);
  if (!read) return { unfit: 'not handled' };
  if (place.wabaId === null) return { unfit: 'the notice names no business account' };
  return read(place.value, {
    wabaId: place.wabaId,
    at: asTime(place.entry.time),
    envelope: envelopeOf(place, place.value),
  });
};
