import { isoTime } from '../shared/clock.ts';
import type { Fields, Form, Upcast } from './define.ts';
import { type Outline, splitStored } from './intent.ts';
import type { Price } from './price.ts';
import { idInStream } from './streams.ts';

// The stored form of ChargeReserved. Every message has one, so it repeats nothing that its stream or
// another field tells.

/** The source of most messages, which is not stored. */
const USUAL_SOURCE = 'notification';

// The ids of a charge and of its row in the ledger hold the place of their event: one read of the
// account's stream finds a charge, also when the provider returns its id a week later.

const chargeStart = (accountId: string) => `chg_${accountId.replace(/^acc_/, '')}_`;

/** Id of the charge that is reserved at this revision of the account's stream. */
export const chargeIdOf = (accountId: string, revision: number): string =>
  chargeStart(accountId) + revision.toString(36);

/** Id of the ledger row for the event at this revision of the account's stream. */
export const entryIdOf = (accountId: string, revision: number): string =>
  chargeIdOf(accountId, revision).replace('chg_', 'led_');

const CHARGE_ID = /^chg_([0-9a-z]+)_([0-9a-z]+)$/;

/** Where a charge was reserved; undefined when the text is not one of our charge ids. */
export const locateCharge = (text: string): { accountId: string; revision: number } | undefined => {
  const [, account, digits = ''] = CHARGE_ID.exec(text) ?? [];
  const revision = Number.parseInt(digits, 36);
  return Number.isSafeInteger(revision) ? { accountId: `acc_${account}`, revision } : undefined;
};

/** The id of a charge without what the id of its account tells. */
export const packChargeId = (accountId: string, chargeId: string): string => {
  const start = chargeStart(accountId);
  const revision = chargeId.slice(start.length);
  return chargeId.startsWith(start) && /^[0-9a-z]+$/.test(revision) ? revision : chargeId;
};

export const unpackChargeId = (accountId: string, stored: string): string =>
  stored.includes('_') ? stored : `${chargeStart(accountId)}${stored}`;

/** Characters of 16 bytes in base64url. */
const PACKED_ID_LENGTH = 22;
/** Before an id of another shape that could be taken for a packed one. */
const AS_IT_IS = '=';

/** The id of an account, which older events of messages have in base64url. */
export const unpackAccountId = (stored: string): string => {
  if (stored.startsWith(AS_IT_IS)) return stored.slice(1);
  if (stored.length !== PACKED_ID_LENGTH) return stored;
  return `acc_${Buffer.from(stored, 'base64url').toString('hex')}`;
};

/** A time as whole units since 1970, else its text. */
export const packTime = (at: string, unitMs: number): string | number => {
  const units = Date.parse(at) / unitMs;
  return Number.isInteger(units) && isoTime(units * unitMs) === at ? units : at;
};

export const unpackTime = (at: unknown, unitMs: number): unknown =>
  typeof at === 'number' ? isoTime(at * unitMs) : at;

const HEX_HASH_LENGTH = 64;

/** A hash in base64url, which is a third shorter than in hexadecimal. */
export const packHash = (hash: string): string =>
  /^[0-9a-f]{64}$/.test(hash) ? Buffer.from(hash, 'hex').toString('base64url') : hash;

export const unpackHash = (stored: unknown): unknown =>
  typeof stored === 'string' && stored.length === 43
    ? Buffer.from(stored, 'base64url').toString('hex')
    : stored;

/** The fields of a price in the order in which it is packed. */
const priceFields = [
  'category',
  'market',
  'countryCode',
  'billing',
  'currency',
  'planId',
  'planVersion',
  'rateCardId',
  'providerCost',
  'sellPrice',
  'creditsRequired',
  'refundOnFailure',
] as const satisfies readonly (keyof Price)[];

/** A price without the names of its fields, which took half of its place in the log. */
const packPrice = (price: Price): unknown[] => {
  const packed: unknown[] = [];
  for (const name of priceFields) packed.push(price[name]);
  return packed;
};

/** A price that is stored whole stays as it is. */
const unpackPrice = (packed: unknown): unknown =>
  Array.isArray(packed)
    ? Object.fromEntries(priceFields.map((name, index) => [name, packed[index]]))
    : packed;

/** The outline without what the event's key tells; of a catalog message without its fields' names. */
const packOutline = ({ source, content, ...outline }: Outline) => {
  const { phoneNumberId, event, clientReference, ...others } = outline;
  const { type, name, language, ...rest } = content;
  const isNamed = type === 'notification' && name === event;
  const isUsual = isNamed && source === USUAL_SOURCE && language !== undefined;
  if (isUsual && Object.keys({ ...others, ...rest }).length === 0) {
    const usual = [phoneNumberId, event, language];
    return clientReference === undefined ? usual : [...usual, clientReference];
  }
  return {
    ...outline,
    ...(source !== USUAL_SOURCE && { source }),
    content: isNamed ? { type, language, ...rest } : content,
  };
};

type Packed = Omit<Outline, 'source'>;

const unpackOutline = (stored: Packed | unknown[]) => {
  const { content, ...outline } = Array.isArray(stored) ? namedOutline(stored) : stored;
  const { event } = outline;
  const isNamed = content.type === 'notification' && event !== undefined;
  return {
    source: USUAL_SOURCE,
    ...outline,
    content: isNamed ? { name: event, ...content } : content,
  };
};

const namedOutline = ([phoneNumberId, event, language, clientReference]: unknown[]) => {
  const content = { type: 'notification', language };
  const outline = { phoneNumberId, event, content };
  return (clientReference === undefined ? outline : { ...outline, clientReference }) as Packed;
};

const unpackVersion2 = ({ price, ...stored }: Fields, stream: string) => {
  const outline = unpackOutline(stored.outline as Packed | unknown[]);
  return {
    accountId: idInStream(stream, 'account'),
    // The ids of charge and row differ in their first letters only.
    entryId: String(stored.chargeId).replace(/^chg_/, 'led_'),
    reason: outline.event,
    ...stored,
    outline,
    price: unpackPrice(price),
  };
};

export const chargeForm: Form = {
  pack({
    accountId,
    entryId: _,
    at,
    sealed,
    price,
    reason,
    chargeId,
    previousHash: __,
    hash: ___,
    ...data
  }) {
    const outline = data.outline as Outline;
    return {
      ...data,
      at: packTime(String(at), 1),
      chargeId: packChargeId(String(accountId), String(chargeId)),
      ...(reason !== outline.event && { reason }),
      outline: packOutline(outline),
      price: packPrice(price as Price),
      ...(sealed !== undefined && { sealed }),
    };
  },
  unpack({ at, chargeId, previousHash, hash, ...stored }, stream) {
    const accountId = idInStream(stream, 'account');
    return unpackVersion2(
      {
        ...stored,
        at: unpackTime(at, 1),
        chargeId: unpackChargeId(accountId, String(chargeId)),
        previousHash: unpackHash(previousHash),
        hash: unpackHash(hash),
      },
      stream,
    );
  },
};

/**
 * The version whose form stored data has. Reading is lenient, so that one text could be stored under
 * several versions; what an auditor is handed may not.
 */
export const chargeVersionOf = ({ intent, hash, at }: Fields): number => {
  if (intent !== undefined) return 1;
  if (hash === undefined) return 5;
  if (String(hash).length === HEX_HASH_LENGTH) return 2;
  return typeof at === 'string' ? 3 : 4;
};

/**
 * Version 1 held the intent in clear; version 2 the whole id of the charge, and hashes in hex; version
 * 3 the time as text; version 4 the hashes.
 */
export const chargeUpcasts: readonly Upcast[] = [
  ({ intent, ...v1 }) => ({
    ...v1,
    contactRef: (intent as { to: string }).to,
    ...splitStored(intent),
  }),
  (v2) => v2,
  (v3) => v3,
  chargeForm.unpack,
];
