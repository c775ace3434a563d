import { isoTime } from '../shared/clock.ts';
import { packChargeId, unpackChargeId } from './charge-form.ts';
import type { Form } from './define.ts';
import { ofStream } from './message-ref.ts';
import { packPricing, unpackPricing } from './status-pricing.ts';

// The stored forms of MessageSent and StatusUpdated, of which every message has several: the fields
// that all of them have stand without their names, in an array. A sealed part stands last, as the
// embedded log then keeps it as bytes.

export const sentForm: Form = {
  pack({ accountId, phoneNumberId, contactRef, chargeId, category, ...data }) {
    const charge = packChargeId(String(accountId), String(chargeId));
    const sent = [accountId, phoneNumberId, contactRef, charge, category];
    return { sent, ...ofStream.pack(data) };
  },
  unpack({ sent, ...stored }, stream) {
    const [accountId, phoneNumberId, contactRef, charge, category] = sent as unknown[];
    const chargeId = unpackChargeId(String(accountId), String(charge));
    const named = { accountId, phoneNumberId, contactRef, chargeId, category };
    return { ...named, ...ofStream.unpack(stored, stream) };
  },
};

/** The provider tells whole seconds. Not by `isoTime`, which remembers the present moment. */
const packTime = (at: string): string | number => {
  const seconds = Date.parse(at) / 1000;
  return Number.isInteger(seconds) && new Date(seconds * 1000).toISOString() === at ? seconds : at;
};

const unpackTime = (at: unknown): unknown => (typeof at === 'number' ? isoTime(at * 1000) : at);

export const statusForm: Form = {
  pack({ accountId, phoneNumberId, contactRef, status, statusAt, pricing, ...data }) {
    const told = [accountId, phoneNumberId, contactRef, status, packTime(String(statusAt))];
    return {
      told,
      ...(pricing !== undefined && { pricing: packPricing(pricing) }),
      ...ofStream.pack(data),
    };
  },
  unpack({ told, pricing, ...stored }, stream) {
    const [accountId, phoneNumberId, contactRef, status, at] = told as unknown[];
    const named = { accountId, phoneNumberId, contactRef, status, statusAt: unpackTime(at) };
    const data = { ...named, ...ofStream.unpack(stored, stream) };
    return pricing === undefined ? data : { ...data, pricing: unpackPricing(pricing) };
  },
};
