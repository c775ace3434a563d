import {
  packAccountId,
  packChargeId,
  packTime,
  unpackAccountId,
  unpackChargeId,
  unpackTime,
} from './charge-form.ts';
import type { Fields, Form } from './define.ts';
import { ofStream } from './message-ref.ts';
import { packPricing, unpackPricing } from './status-pricing.ts';

// The stored forms of MessageSent and StatusUpdated, of which every message has several: the fields
// that all of them have stand without their names, in an array. A sealed part stands last, as the
// embedded log then keeps it as bytes. Older versions are unpacked too: they have whole ids of
// accounts, or the names of all fields.

const namedSent = ([account, phoneNumberId, contactRef, charge, category]: unknown[]): Fields => {
  const accountId = unpackAccountId(String(account));
  const chargeId = unpackChargeId(accountId, String(charge));
  return { accountId, phoneNumberId, contactRef, chargeId, category };
};

export const sentForm: Form = {
  pack({ accountId, phoneNumberId, contactRef, chargeId, category, ...data }) {
    const account = String(accountId);
    const charge = packChargeId(account, String(chargeId));
    const sent = [packAccountId(account), phoneNumberId, contactRef, charge, category];
    return { sent, ...ofStream.pack(data) };
  },
  unpack({ sent, ...stored }, stream) {
    return {
      ...(sent !== undefined && namedSent(sent as unknown[])),
      ...ofStream.unpack(stored, stream),
    };
  },
};

/** The provider tells whole seconds. */
const STATUS_UNIT_MS = 1000;

const namedStatus = ([account, phoneNumberId, contactRef, status, at]: unknown[]): Fields => {
  const statusAt = unpackTime(at, STATUS_UNIT_MS);
  return {
    accountId: unpackAccountId(String(account)),
    phoneNumberId,
    contactRef,
    status,
    statusAt,
  };
};

export const statusForm: Form = {
  pack({ accountId, phoneNumberId, contactRef, status, statusAt, pricing, ...data }) {
    const at = packTime(String(statusAt), STATUS_UNIT_MS);
    const told = [packAccountId(String(accountId)), phoneNumberId, contactRef, status, at];
    return {
      told,
      ...(pricing !== undefined && { pricing: packPricing(pricing) }),
      ...ofStream.pack(data),
    };
  },
  unpack({ told, pricing, ...stored }, stream) {
    return {
      ...(told !== undefined && namedStatus(told as unknown[])),
      ...ofStream.unpack(stored, stream),
      ...(pricing !== undefined && { pricing: unpackPricing(pricing) }),
    };
  },
};
