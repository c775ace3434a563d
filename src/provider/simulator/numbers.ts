import { asText, type Json } from '../shape.ts';
import { type GraphAnswer, graphError } from './errors.ts';
import type { SimulatedNumber, World } from './world.ts';

const ok = (body: unknown): GraphAnswer => ({ status: 200, body });

const defaultFields = [
  'display_phone_number',
  'verified_name',
  'quality_rating',
  'code_verification_status',
  'platform_type',
];

const health = (number: SimulatedNumber) => {
  const { phoneNumberId, wabaId, registered, blockedBecause } = number;
  const isBlocked = !registered || blockedBecause !== null;
  return {
    can_send_message: isBlocked ? 'BLOCKED' : 'AVAILABLE',
    entities: [
      {
        entity_type: 'PHONE_NUMBER',
        id: phoneNumberId,
        ...(registered
          ? { can_send_message: 'AVAILABLE' }
          : {
              can_send_message: 'BLOCKED',
              errors: [
                {
                  error_code: 141000,
                  error_description: 'The phone number is not registered',
                  possible_solution: 'Register the phone number',
                },
              ],
            }),
      },
      {
        entity_type: 'WABA',
        id: wabaId,
        ...(blockedBecause === null
          ? { can_send_message: 'AVAILABLE' }
          : {
              can_send_message: 'BLOCKED',
              errors: [
                {
                  error_code: 141006,
                  error_description: blockedBecause,
                  possible_solution: 'Resolve it in the WhatsApp Manager',
                },
              ],
            }),
      },
      { entity_type: 'APP', id: '6000', can_send_message: 'AVAILABLE' },
    ],
  };
};

const shown = (number: SimulatedNumber, fields: string | null): Json => {
  const { registered } = number;
  const whole: Json = {
    display_phone_number: number.displayPhoneNumber,
    verified_name: number.verifiedName,
    quality_rating: number.qualityRating,
    status: registered ? number.status : 'PENDING',
    platform_type: registered ? 'CLOUD_API' : 'NOT_APPLICABLE',
    code_verification_status: 'VERIFIED',
    name_status: 'APPROVED',
    account_mode: 'LIVE',
    throughput: { level: 'STANDARD' },
    health_status: health(number),
  };
  const asked = (fields?.split(',') ?? defaultFields).filter((field) => field in whole);
  const known = asked.map((field) => [field, whole[field]] as const);
  return { ...Object.fromEntries(known), id: number.phoneNumberId };
};

export const readNumber = (number: SimulatedNumber, query: URLSearchParams): GraphAnswer =>
  ok(shown(number, query.get('fields')));

export const listNumbers = (world: World, wabaId: string, query: URLSearchParams): GraphAnswer => {
  const own = [...world.numbers.values()].filter((number) => number.wabaId === wabaId);
  return ok({ data: own.map((number) => shown(number, query.get('fields'))) });
};

/** Registers a number; the first PIN it is given becomes its PIN. */
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

export const deregisterNumber = (number: SimulatedNumber): GraphAnswer => {
  number.registered = false;
  return ok({ success: true });
};
