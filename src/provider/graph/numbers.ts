import type { PhoneProfile } from '../../events/phone.ts';
import { asArray, asRecord, asText, type Json, shorten } from '../shape.ts';

/** The fields that a read of a number asks for. */
export const numberFields = [
  'display_phone_number',
  'verified_name',
  'quality_rating',
  'status',
  'platform_type',
  'code_verification_status',
  'health_status',
].join(',');

const SENTENCE_LENGTH_MAX = 300;
const BLOCKERS_MAX = 10;

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

const unregistered = (body: Json): string => {
  const verifyFirst =
    asText(body.code_verification_status) === 'NOT_VERIFIED'
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

/** The provider's description of a number in our words. */
export const readProfile = (body: Json): PhoneProfile => {
  const registered = isRegistered(body);
  const stateBlocker = blockedStates[asText(body.status) ?? ''];
  const blockers = [
    ...(registered === false ? [unregistered(body)] : []),
    ...(stateBlocker ? [stateBlocker] : []),
    ...healthBlockers(asRecord(body.health_status), registered),
  ];
  const quality = asText(body.quality_rating);
  return {
    displayPhoneNumber: asText(body.display_phone_number) ?? '',
    verifiedName: asText(body.verified_name) ?? '',
    qualityRating: quality === 'NA' ? 'UNKNOWN' : quality,
    registered,
    blockers: blockers.slice(0, BLOCKERS_MAX).map((text) => shorten(text, SENTENCE_LENGTH_MAX)),
  };
};
