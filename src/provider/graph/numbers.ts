import type { PhoneProfile } from '../../events/phone.ts';
import { ProviderUnreachable, type Sender, type Subscription } from '../provider.ts';
import { asArray, asId, asRecord, asText, type Json, shorten } from '../shape.ts';
import { type Reply, readRefusal } from './client.ts';
import { bodyOf, type Manage } from './manage.ts';

/** The fields that a read of a number asks for. */
export const numberFields = [
  'display_phone_number',
  'verified_name',
  'quality_rating',
  'status',
  'platform_type',
  'code_verification_status',
  'health_status',
  'whatsapp_business_manager_messaging_limit',
].join(',');

const SENTENCE_LENGTH_MAX = 300;
/** Blockers of a number, and limits of it. */
const SENTENCES_MAX = 10;

const unregisteredStates = new Set([
  'PENDING',
  'DISCONNECTED',
  'UNVERIFIED',
  'DELETED',
  'MIGRATED',
]);

/** Null when the answer does not tell. A verified number may not be registered. */
const isRegistered = (body: Json): boolean | null => {
  const platform = asText(body.platform_type);
  const state = asText(body.status);
  if (platform !== null && platform !== 'CLOUD_API') return false;
  if (state !== null && unregisteredStates.has(state)) return false;
  return platform === null && (state === null || state === 'UNKNOWN') ? null : true;
};

const isUnverified = (body: Json): boolean =>
  ['NOT_VERIFIED', 'UNVERIFIED'].includes(asText(body.code_verification_status) ?? '');

const unverified =
  'The ownership of the number is not verified: request a code from the provider and verify the number with it.';

const unregistered = (body: Json): string => {
  // An expired verification does not matter to a number that is registered.
  const mustVerify = isUnverified(body) || asText(body.code_verification_status) === 'EXPIRED';
  const verifyFirst = mustVerify
    ? ' Its ownership must be verified first, with the code that the provider sends to it.'
    : '';
  return (
    'The number is not registered with the provider, which rejects its sends with error 133010: ' +
    `register it with a 6-digit two-step PIN.${verifyFirst}`
  );
};

const blockedStates: Readonly<Record<string, string>> = {
  BANNED:
    'The provider has banned the number: appeal in the WhatsApp Manager, or send from another.',
  RESTRICTED:
    'The provider restricts the number for low quality: wait until the restriction ends, and send fewer unwanted messages.',
};

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const entityWords: Readonly<Record<string, string>> = {
  PHONE_NUMBER: 'number',
  WABA: 'business account',
  BUSINESS: 'business',
  APP: 'app',
};

const entityBlockers = (entity: Json): string[] => {
  const word = entityWords[asText(entity.entity_type) ?? ''] ?? 'account';
  const errors = asArray(entity.errors).map((error) => {
    const { error_code, error_description, possible_solution } = asRecord(error);
    const code = asText(error_code);
    const what = asText(error_description) ?? 'no reason given';
    const fix = asText(possible_solution) ?? 'See the WhatsApp Manager.';
    const number = code === null ? '' : ` (error ${code})`;
    return `The provider blocks the ${word}${number}: ${sentence(what)} ${sentence(fix)}`;
  });
  return errors.length > 0
    ? errors
    : [`The provider blocks the ${word}: see the WhatsApp Manager for the reason and the fix.`];
};

const healthBlockers = (health: Json, registered: boolean | null): string[] => {
  if (health.can_send_message !== 'BLOCKED') return [];
  const blocked = asArray(health.entities)
    .map(asRecord)
    .filter((entity) => entity.can_send_message === 'BLOCKED');
  if (blocked.length === 0) return entityBlockers({});
  // `unregistered` explains an unregistered number already.
  return blocked
    .filter((entity) => registered !== false || entity.entity_type !== 'PHONE_NUMBER')
    .flatMap(entityBlockers);
};

const entityLimits = (entity: Json): string[] => {
  const word = entityWords[asText(entity.entity_type) ?? ''] ?? 'account';
  const reasons = asArray(entity.additional_info)
    .map(asText)
    .filter((text) => text !== null);
  return reasons.length > 0
    ? reasons.map((reason) => `The provider limits the ${word} (LIMITED): ${sentence(reason)}`)
    : [`The provider limits the ${word} (LIMITED): see the WhatsApp Manager for the reason.`];
};

const healthLimits = (health: Json): string[] => {
  const limited = asArray(health.entities)
    .map(asRecord)
    .filter((entity) => entity.can_send_message === 'LIMITED');
  if (limited.length > 0) return limited.flatMap(entityLimits);
  return health.can_send_message === 'LIMITED' ? entityLimits({}) : [];
};

const bounded = (sentences: readonly string[]): string[] =>
  sentences.slice(0, SENTENCES_MAX).map((text) => shorten(text, SENTENCE_LENGTH_MAX));

/** The provider's description of a number in our words. */
export const readProfile = (body: Json): PhoneProfile => {
  const registered = isRegistered(body);
  const health = asRecord(body.health_status);
  const stateBlocker = blockedStates[asText(body.status) ?? ''];
  const blockers = [
    ...(registered === false ? [unregistered(body)] : []),
    ...(registered !== false && isUnverified(body) ? [unverified] : []),
    ...(stateBlocker ? [stateBlocker] : []),
    ...healthBlockers(health, registered),
  ];
  const quality = asText(body.quality_rating);
  const messagingLimit = asId(body.whatsapp_business_manager_messaging_limit);
  return {
    displayPhoneNumber: asText(body.display_phone_number) ?? '',
    verifiedName: asText(body.verified_name) ?? '',
    qualityRating: quality === 'NA' ? 'UNKNOWN' : quality,
    registered,
    blockers: bounded(blockers),
    limits: bounded(healthLimits(health)),
    ...(messagingLimit !== null && { messagingLimit }),
  };
};

/** More apps than a business account has. */
const APPS_MAX = '100';

/** The provider's words of a refusal; undefined for a success. Throws without an answer of the provider. */
const problemOf = (reply: Reply): string | undefined => {
  if (reply.kind !== 'refused') {
    bodyOf(reply);
    return undefined;
  }
  // Without a code it is the answer of something in between, such as an HTML page.
  if (reply.refusal.code === null) throw new ProviderUnreachable(reply.refusal.message);
  return reply.refusal.message;
};

/** The id of the app that the token belongs to; null when the provider does not tell. */
const ownAppOf = async (manage: Manage, sender: Sender): Promise<string | null> => {
  const read = async (path: string, query: Record<string, string>): Promise<Json> => {
    const reply = await manage.get(sender, path, query);
    return reply.kind === 'refused' ? {} : bodyOf(reply);
  };
  const id = asId((await read('app', { fields: 'id' })).id);
  if (id !== null) return id;
  const token = await read('debug_token', { input_token: sender.accessToken });
  return asId(asRecord(token.data).app_id);
};

/** Whether the token's app is in the list. While its id is unknown it is not. */
const isListed = async (manage: Manage, sender: Sender, list: Json): Promise<boolean> => {
  const apps = asArray(list.data)
    .map((row) => asId(asRecord(asRecord(row).whatsapp_business_api_data).id))
    .filter((id) => id !== null);
  if (apps.length === 0) return false;
  const own = await ownAppOf(manage, sender);
  return own !== null && apps.includes(own);
};

/** Subscribes the app of the token to the business account of the sender, unless it is subscribed. */
export const subscribe = async (manage: Manage, sender: Sender): Promise<Subscription> => {
  const path = `${encodeURIComponent(sender.wabaId)}/subscribed_apps`;
  const listed = await manage.get(sender, path, { limit: APPS_MAX });
  const unread = problemOf(listed);
  if (unread !== undefined) return { subscribed: null, problem: unread };
  if (await isListed(manage, sender, bodyOf(listed))) return { subscribed: true, problem: null };
  const reply = await manage.post(sender, path, {});
  const problem = problemOf(reply);
  if (problem !== undefined) return { subscribed: false, problem };
  const body = bodyOf(reply);
  if (body.success === true) return { subscribed: true, problem: null };
  return { subscribed: false, problem: readRefusal(200, body, sender.accessToken).message };
};
