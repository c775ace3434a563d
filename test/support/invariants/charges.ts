import type { KnownEvent } from '../../../src/events/index.ts';
import { hashOf, linkHashOf } from './log.ts';

type Of<T extends KnownEvent['type']> = Extract<KnownEvent, { type: T }>;
export type MoneyEvent = Of<
  'CreditsGranted' | 'CreditsRevoked' | 'WalletMoved' | 'ChargeReserved' | 'ChargeRefunded'
>;

export const isMoney = (event: KnownEvent): event is MoneyEvent => 'balanceAfter' in event.data;

/** A charge with everything that the log says of it, each in the log's order. */
export interface Charge {
  chargeId: string;
  reserved: Of<'ChargeReserved'> | undefined;
  /** Whether the plan of its price charges SERVICE messages. */
  chargesService: boolean;
  refunds: Of<'ChargeRefunded'>[];
  /** Whether the account counted in the charge's own unit when it was refunded. */
  sameUnit: boolean;
  messages: Of<'MessageSent'>[];
  /** Events that gave its message a place in the caps after the refund. */
  counts: Of<'RefundedSendCounted'>[];
  /** Words of delivery that came in at the number that sent it, in the order of their recording. */
  statuses: string[];
}

/** Whether it still counts: what its message cost, or would have cost were it not free. */
export const isKept = ({ reserved, refunds }: Charge): boolean =>
  reserved !== undefined && refunds.length === 0;

export const chargesOf = (events: readonly KnownEvent[]): Map<string, Charge> => {
  const charges = new Map<string, Charge>();
  const units = new Map<string, string>();
  const statuses = new Map<string, string[]>();
  const charging = new Set<string>();
  const of = (chargeId: string): Charge => {
    const known = charges.get(chargeId);
    if (known) return known;
    const made: Charge = {
      chargeId,
      reserved: undefined,
      chargesService: false,
      refunds: [],
      sameUnit: true,
      messages: [],
      counts: [],
      statuses: [],
    };
    charges.set(chargeId, made);
    return made;
  };
  const wordsOf = (of: { messageRef: string; phoneNumberId: string }): string[] => {
    const name = `${of.messageRef} ${of.phoneNumberId}`;
    const words = statuses.get(name) ?? [];
    statuses.set(name, words);
    return words;
  };
  for (const event of events) {
    switch (event.type) {
      case 'AccountOpened':
      case 'PlanAssigned':
        units.set(event.data.accountId, `${event.data.billing} ${event.data.currency}`);
        break;
      case 'PlanPublished': {
        const { planId, planVersion, chargeService } = event.data;
        if (chargeService) charging.add(`${planId} ${planVersion}`);
        break;
      }
      case 'ChargeReserved': {
        const { planId, planVersion } = event.data.price;
        const charge = of(event.data.chargeId);
        charge.reserved = event;
        charge.chargesService = charging.has(`${planId} ${planVersion}`);
        break;
      }
      case 'ChargeRefunded': {
        const { accountId, chargeId, price } = event.data;
        const charge = of(chargeId);
        charge.refunds.push(event);
        charge.sameUnit = units.get(accountId) === `${price.billing} ${price.currency}`;
        break;
      }
      case 'RefundedSendCounted':
        of(event.data.chargeId).counts.push(event);
        break;
      case 'MessageSent': {
        const charge = of(event.data.chargeId);
        charge.messages.push(event);
        const { messageRef, phoneNumberId } = event.data;
        charge.statuses = wordsOf({ messageRef, phoneNumberId: phoneNumberId ?? '' });
        break;
      }
      case 'StatusUpdated':
        wordsOf(event.data).push(event.data.status);
        break;
      default:
    }
  }
  return charges;
};

/** I1, I2, I5: each account's movements add up, never below zero, and its hash chain is whole. */
export const checkChains = (events: readonly KnownEvent[]): string[] => {
  const problems: string[] = [];
  const ends = new Map<string, { balance: number; sequence: number; hash: string }>();
  for (const event of events.filter(isMoney)) {
    const { data, type, position, asStored, link } = event as typeof event & {
      asStored?: { data: object };
      link?: { previousHash: string };
    };
    const stored = { ...(asStored?.data ?? data) };
    const { accountId, amount, balanceAfter, sequence, previousHash, hash } = data;
    const name = `account ${accountId}: ${type} at ${position}`;
    const end = ends.get(accountId) ?? { balance: 0, sequence: 0, hash: '0'.repeat(64) };
    if (balanceAfter !== end.balance + amount) {
      problems.push(`I1 ${name}: ${end.balance} and ${amount} do not make ${balanceAfter}`);
    }
    if (balanceAfter < 0) problems.push(`I2 ${name}: the balance is ${balanceAfter}`);
    if (sequence !== end.sequence + 1) {
      problems.push(`I5 ${name}: number ${sequence} follows number ${end.sequence}`);
    }
    if (previousHash !== end.hash) {
      problems.push(`I5 ${name}: it does not carry the hash of the one before it`);
    }
    // Links of before format 3 have the hash in their data, and another rule.
    const own = link ? linkHashOf(link.previousHash, stored) : hashOf(type, stored);
    if (hash !== own) problems.push(`I5 ${name}: its hash is not that of its data`);
    ends.set(accountId, { balance: balanceAfter, sequence, hash });
  }
  return problems;
};

/** Whether the delivery of its message failed before it was proved. */
export const deliveryFailed = ({ statuses }: Charge): boolean => {
  const failed = statuses.indexOf('failed');
  const delivered = statuses.findIndex((word) => word === 'delivered' || word === 'read');
  return failed >= 0 && (delivered < 0 || failed < delivered);
};

const checkRefunds = (charge: Charge, name: string): string[] => {
  const { reserved, refunds, messages, sameUnit } = charge;
  const [refund] = refunds;
  if (!refund || !reserved) return [];
  const problems: string[] = [];
  if (refunds.length > 1) problems.push(`I3 ${name}: it was refunded ${refunds.length} times`);
  const back = sameUnit ? 0 - reserved.data.amount : 0;
  if (refund.data.amount !== back) {
    problems.push(`I3 ${name}: ${refund.data.amount} was given back of ${reserved.data.amount}`);
  }
  if (refund.position < reserved.position) problems.push(`I3 ${name}: refunded before it was made`);
  const { cause } = refund.data;
  if (cause === 'delivery_failed' && !(messages.length > 0 && deliveryFailed(charge))) {
    problems.push(`I4 ${name}: refunded as undelivered, which nobody has said`);
  }
  if (cause === 'expired' && messages.some(({ position }) => position < refund.position)) {
    problems.push(`I4 ${name}: the sweep refunded a message that is recorded as sent`);
  }
  return problems;
};

/** Unless the month of its reservation is over, each message that went out counts once. */
const checkCaps = (
  { reserved, refunds, messages, counts }: Charge,
  name: string,
  mayBeOpen: boolean,
): string[] => {
  const [refund] = refunds;
  const [message] = messages;
  const keptItsPlace = !refund || ['disconnected', 'delivery_failed'].includes(refund.data.cause);
  const wanted = message && !keptItsPlace ? 1 : 0;
  if (counts.length === wanted) return [];
  // A recovery counts the message before it records it.
  if (mayBeOpen && !message && counts.length === 1) return [];
  const monthOf = (event: KnownEvent | undefined) => event?.meta.at.slice(0, 7);
  if (wanted === 1 && counts.length === 0 && monthOf(message) !== monthOf(reserved)) return [];
  return [`I13 ${name}: its message was counted again ${counts.length} times, not ${wanted}`];
};

const checkMessages = ({ reserved, messages }: Charge, name: string): string[] => {
  const problems: string[] = [];
  if (messages.length > 1) {
    const ids = messages.map(({ data }) => data.messageRef).join(', ');
    problems.push(`I11 ${name}: ${messages.length} messages are recorded for it: ${ids}`);
  }
  for (const { data, position } of messages) {
    const same =
      reserved?.data.accountId === data.accountId &&
      reserved.data.price.category === data.category &&
      [undefined, reserved.data.amount].includes(data.chargeAmount);
    if (!same) problems.push(`I4 ${name}: MessageSent at ${position} tells another charge`);
  }
  return problems;
};

/** I11: each message is recorded once, under its own name. */
export const checkRecords = (events: readonly KnownEvent[]): string[] => {
  const problems: string[] = [];
  const charges = new Map<string, string>();
  for (const { type, data, stream, position } of events) {
    if (type !== 'MessageSent') continue;
    const { messageRef, chargeId, accountId } = data;
    const name = `I11 message ${messageRef} at ${position}`;
    const own = `message-${accountId}.${messageRef}`;
    if (stream !== own) problems.push(`${name}: it stands in ${stream}`);
    const before = charges.get(own);
    if (before) problems.push(`${name}: recorded for ${before} and again for ${chargeId}`);
    charges.set(own, chargeId);
  }
  return problems;
};

/** I7: a SERVICE message is free, unless its plan charges it: then it costs what others would. */
const checkService = ({ reserved, chargesService }: Charge, name: string): string[] => {
  const { price, amount, accountId } = reserved!.data;
  if (price.category !== 'SERVICE') return [];
  if (!chargesService && amount !== 0) {
    return [`I7 ${name}: a SERVICE message took ${amount} from ${accountId}`];
  }
  const isGift = chargesService && price.providerCost > 0 && amount === 0;
  return isGift ? [`I7 ${name}: a SERVICE message was free on a plan that charges it`] : [];
};

/** I3, I4, I7, I11, I13: what the log alone says of charges, refunds and messages. */
export const checkCharges = (
  charges: ReadonlyMap<string, Charge>,
  { mayBeOpen }: { mayBeOpen: boolean },
): string[] => {
  const problems: string[] = [];
  for (const charge of charges.values()) {
    const { chargeId, reserved, refunds, messages } = charge;
    const name = `charge ${chargeId}`;
    if (!reserved) {
      problems.push(`I3 ${name}: a message or a refund names it, and it was never reserved`);
      continue;
    }
    const { price, amount, accountId } = reserved.data;
    const cost = price.billing === 'credits' ? price.creditsRequired : price.sellPrice;
    if (amount !== 0 - cost) problems.push(`I4 ${name}: ${amount} was taken for a cost of ${cost}`);
    problems.push(...checkService(charge, name));
    problems.push(...checkRefunds(charge, name), ...checkMessages(charge, name));
    problems.push(...checkCaps(charge, name, mayBeOpen));
    if (!mayBeOpen && messages.length === 0 && refunds.length === 0) {
      problems.push(`I4 ${name}: neither message nor refund (${accountId}, ${reserved.position})`);
    }
  }
  return problems;
};
