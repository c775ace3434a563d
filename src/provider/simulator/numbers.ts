import { asArray, asRecord, asText, type Json } from '../shape.ts';
import { fieldsOf, type GraphAnswer, graphError, ok } from './answers.ts';
import type { Hooks } from './hooks.ts';
import { type App, remember, type SimulatedNumber, type World } from './world.ts';

/** The provider's only app, to which every token belongs. */
export const app: App = {
  id: '600000000000006',
  name: 'Simulated app',
  link: 'https://www.facebook.com/games/?app_id=600000000000006',
};

/**
 * Whether notifications of a business account go out. Outside strict mode they also do while nobody has
 * asked for the account's subscriptions, so that tests of webhooks need not subscribe.
 */
const isSubscribed = ({ subscriptions, settings }: World, wabaId: string): boolean =>
  subscriptions.get(wabaId) ?? !settings.strict;

/** Subscribes the app to a business account, or ends its subscription. */
export const setSubscription = (
  { subscriptions }: World,
  wabaId: string,
  isOn: boolean,
): GraphAnswer => {
  remember(subscriptions, wabaId, isOn);
  return ok({ success: true });
};

/** The subscribed apps of a business account, whose rules hold from the first question on. */
export const listSubscriptions = (world: World, wabaId: string): GraphAnswer => {
  const isOn = world.subscriptions.get(wabaId) ?? false;
  setSubscription(world, wabaId, isOn);
  return ok({ data: isOn ? [{ whatsapp_business_api_data: app }] : [] });
};

/** The app that a token belongs to, as `GET /debug_token` shows it. */
export const debugToken = (): GraphAnswer =>
  ok({
    data: {
      app_id: app.id,
      application: app.name,
      type: 'SYSTEM_USER',
      expires_at: 0,
      is_valid: true,
      scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
    },
  });

/** Sends webhooks only for business accounts to which the app is subscribed. */
export const toSubscribers = (world: World, hooks: Hooks): Pick<Hooks, 'post'> => ({
  async post(payload) {
    const [entry] = asArray(asRecord(payload).entry);
    const wabaId = asText(asRecord(entry).id) ?? '';
    return isSubscribed(world, wabaId) ? hooks.post(payload) : null;
  },
});

const defaultFields = [
  'display_phone_number',
  'verified_name',
  'quality_rating',
  'status',
  'code_verification_status',
  'platform_type',
];

/** The health of one entity; with a problem it is blocked. */
const entityOf = (
  entity_type: string,
  id: string,
  problem?: { error_code: number; error_description: string; possible_solution: string },
) => ({
  entity_type,
  id,
  can_send_message: problem ? 'BLOCKED' : 'AVAILABLE',
  ...(problem && { errors: [problem] }),
});

const limitedBusiness = (reason: string) => ({
  ...entityOf('BUSINESS', '500000000000005'),
  can_send_message: 'LIMITED',
  additional_info: [reason],
});

const unregistered = {
  error_code: 141000,
  error_description: 'The phone number is not registered',
  possible_solution: 'Register the phone number',
};

const health = (number: SimulatedNumber) => {
  const { phoneNumberId, wabaId, registered, blockedBecause, limitedBecause } = number;
  const blocked =
    blockedBecause === null
      ? undefined
      : {
          error_code: 141006,
          error_description: blockedBecause,
          possible_solution: 'Resolve it in the WhatsApp Manager',
        };
  const unblocked = limitedBecause === null ? 'AVAILABLE' : 'LIMITED';
  return {
    can_send_message: registered && !blocked ? unblocked : 'BLOCKED',
    entities: [
      entityOf('PHONE_NUMBER', phoneNumberId, registered ? undefined : unregistered),
      entityOf('WABA', wabaId, blocked),
      ...(limitedBecause === null ? [] : [limitedBusiness(limitedBecause)]),
      entityOf('APP', app.id),
    ],
  };
};

const shown = (number: SimulatedNumber, query: URLSearchParams): Json => {
  const { registered } = number;
  const whole = {
    id: number.phoneNumberId,
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
    quality_rating: number.qualityRating,
    status: registered ? number.status : 'PENDING',
    platform_type: registered ? 'CLOUD_API' : 'NOT_APPLICABLE',
    code_verification_status: number.codeVerificationStatus,
    name_status: 'APPROVED',
    account_mode: 'LIVE',
    throughput: { level: 'STANDARD' },
    health_status: health(number),
  };
  return fieldsOf(whole, query, defaultFields);
};

export const readNumber = (number: SimulatedNumber, query: URLSearchParams): GraphAnswer =>
  ok(shown(number, query));

/** The numbers of a business account, in one page. */
export const listNumbers = (
  { numbers }: World,
  wabaId: string,
  query: URLSearchParams,
): GraphAnswer => {
  const own = [...numbers.values()].filter((number) => number.wabaId === wabaId);
  return ok({ data: own.map((number) => shown(number, query)) });
};

/** Registers a number; the first PIN that it gets becomes its PIN. */
export const registerNumber = (number: SimulatedNumber, body: Json): GraphAnswer => {
  const pin = asText(body.pin) ?? '';
  if (body.messaging_product !== 'whatsapp' || !/^\d{6}$/.test(pin)) {
    return graphError(100, { details: 'messaging_product and a pin of 6 digits are required.' });
  }
  if (number.pin !== null && number.pin !== pin) return graphError(133005);
  number.pin = pin;
  number.registered = true;
  return ok({ success: true });
};

/** Ends the registration; the PIN stays. */
export const deregisterNumber = (number: SimulatedNumber): GraphAnswer => {
  number.registered = false;
  return ok({ success: true });
};
