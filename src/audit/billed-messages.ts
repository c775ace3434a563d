import type { EventOf, KnownEvent } from '../events/index.ts';
import { isOfNumber } from '../events/message.ts';
import { createSpilled, type OpenScratch, type Spilled } from '../events/scratch.ts';
import type { Recorded } from '../events/store.ts';
import { type Charged, type Told, tell, untold } from './billing.ts';
import type { Period } from './statement.ts';

// Brings charges and the statuses of their messages together, in the order of the log.

/** A charge, and the stream of its message. */
export interface ChargeRow extends Charged {
  chargeId: string;
  accountId: string;
  at: string;
  market: string;
  countryCode: string;
  unit: string;
  /** Of the prices. */
  currency: string;
  rateCardId: string | null;
  phoneNumberId: string | null;
  stream: string | null;
}

/** A message by the name of its stream, as far as the provider reported it. */
export interface MessageRow {
  stream: string;
  accountId: string;
  phoneNumberId: string;
  /** Of its record, or of a claim; null without either. */
  chargeId: string | null;
  /** Whether it is a claim that is not decided. */
  isClaim: boolean;
  /** Time of its first status. */
  at: string;
  told: Told;
}

export interface BilledMessages {
  /** Takes the next event of the log. */
  take(event: Recorded): void;
  /** Every charge with its message; expects the end of the log. */
  charges(): Iterable<readonly (readonly [ChargeRow, MessageRow | undefined])[]>;
  /** Messages that the provider reports, and for which the log has no charge. */
  strangers(): Iterable<readonly MessageRow[]>;
  close(): void;
}

/** Charges, and messages, that are in memory. */
const HELD = 8_192;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The provider gives up on a message after 30 days. */
const DELIVERY_MS = 31 * DAY_MS;

/** Charges of this time are read too: what the provider delivers in a period may be charged before. */
const earliest = ({ from }: Period): string =>
  new Date(Date.parse(from) - DELIVERY_MS).toISOString();
/** Statuses without a record of their message belong to a charge of about this time. */
const latest = ({ to }: Period): string => new Date(Date.parse(to) + DAY_MS).toISOString();

export const isWithin = ({ from, to }: Period, at: string): boolean => at >= from && at < to;

type ClaimType = 'ChargeClaimed' | 'ChargeClaimRefused';

const chargeRow = ({ data }: EventOf<'ChargeReserved'>): ChargeRow => {
  const { chargeId, accountId, at, amount, price, outline } = data;
  const { category, market, countryCode, billing, currency, rateCardId, refundOnFailure } = price;
  return {
    chargeId,
    accountId,
    at,
    amount: -amount || 0,
    category,
    market,
    countryCode,
    refundOnFailure,
    refundCause: null,
    providerCost: rateCardId === null ? null : price.providerCost,
    wentOut: false,
    currency,
    rateCardId,
    stream: null,
    unit: billing === 'wallet' ? currency : 'credits',
    phoneNumberId: outline.phoneNumberId,
  };
};

/** Charges by id, messages by stream, and the time whose events are read. */
interface Rows {
  charges: Spilled<ChargeRow>;
  messages: Spilled<MessageRow>;
  read: Period;
}

/** Changes a charge; false for one of another time. */
const change = ({ charges }: Rows, chargeId: string, to: (charge: ChargeRow) => void): boolean => {
  const charge = charges.get(chargeId);
  if (!charge) return false;
  to(charge);
  charges.set(chargeId, charge);
  return true;
};

const takeSent = (rows: Rows, { data, stream }: EventOf<'MessageSent'>): void => {
  const { accountId, chargeId, phoneNumberId } = data;
  const early = rows.messages.get(stream);
  // An old log may hold a second record; the first one counts.
  if (early?.chargeId && !early.isClaim) return;
  const isOfTime = change(rows, chargeId, (charge) => {
    charge.stream = stream;
  });
  if (!isOfTime && !early) return;
  const isHeard = early && isOfNumber(data, early);
  rows.messages.set(stream, {
    stream,
    accountId,
    chargeId,
    isClaim: false,
    phoneNumberId: phoneNumberId ?? early?.phoneNumberId ?? '',
    at: early?.at ?? '',
    told: isHeard ? early.told : untold,
  });
};

const takeStatus = (
  { messages, read }: Rows,
  { data, stream, revision }: EventOf<'StatusUpdated'>,
): void => {
  const { accountId, phoneNumberId, status, statusAt, pricing } = data;
  const known = messages.get(stream);
  // The record of its message precedes it, and was left out for its time.
  if (!known && (revision > 0 || !isWithin(read, statusAt))) return;
  if (known && !isOfNumber(known, data)) return;
  const row = known ?? {
    stream,
    accountId,
    phoneNumberId,
    chargeId: null,
    isClaim: false,
    at: statusAt,
    told: untold,
  };
  // `unchanged` repeats a pricing that is in `told` already.
  const heard = { status, statusAt, pricing: typeof pricing === 'object' ? pricing : null };
  messages.set(stream, { ...row, at: row.at || statusAt, told: tell(row.told, heard) });
};

const takeClaim = (rows: Rows, { data: { chargeId }, stream, type }: EventOf<ClaimType>): void => {
  const row = rows.messages.get(stream);
  if (!row) return;
  const isOpen = type === 'ChargeClaimed';
  rows.messages.set(stream, { ...row, chargeId: isOpen ? chargeId : null, isClaim: isOpen });
  change(rows, chargeId, (charge) => {
    if (isOpen) charge.stream ??= stream;
    else if (charge.stream === stream) charge.stream = null;
  });
};

const take = (rows: Rows, event: KnownEvent): void => {
  const { type } = event;
  if (type === 'ChargeReserved') {
    const { at, chargeId } = event.data;
    if (isWithin(rows.read, at)) rows.charges.set(chargeId, chargeRow(event));
  } else if (type === 'ChargeRefunded') {
    change(rows, event.data.chargeId, (charge) => {
      charge.refundCause ??= event.data.cause;
    });
  } else if (type === 'RefundedSendCounted') {
    change(rows, event.data.chargeId, (charge) => {
      charge.wentOut = true;
    });
  } else if (type === 'MessageSent') takeSent(rows, event);
  else if (type === 'StatusUpdated') takeStatus(rows, event);
  else if (type === 'ChargeClaimed' || type === 'ChargeClaimRefused') takeClaim(rows, event);
};

/** Charges and messages are on disk, except those that were used last. */
export const createBilledMessages = (open: OpenScratch, period: Period): BilledMessages => {
  const charges = createSpilled<ChargeRow>(open, HELD);
  const messages = createSpilled<MessageRow>(open, HELD);
  const read = { from: earliest(period), to: latest(period) };
  const rows = { charges, messages, read };
  return {
    take: (event) => take(rows, event as unknown as KnownEvent),
    *charges() {
      for (const rows of charges.pages()) {
        yield rows.map((row) => {
          const message = row.stream === null ? undefined : messages.get(row.stream);
          return [row, message] as const;
        });
      }
    },
    *strangers() {
      for (const rows of messages.pages()) {
        yield rows.filter(({ chargeId }) => chargeId === null);
      }
    },
    close() {
      charges.close();
      messages.close();
    },
  };
};
