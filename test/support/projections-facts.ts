import {
  AccountOpened,
  ChargeRefunded,
  ChargeReserved,
  CreditsGranted,
  type RefundCause,
  RefundedSendCounted,
  type SendFailure,
  SendsRefused,
} from '../../src/events/account.ts';
import { ContactIdsJoined, type ContactJoin, kindOf } from '../../src/events/contact.ts';
import type { Intent } from '../../src/events/content.ts';
import type { Fact } from '../../src/events/define.ts';
import { versionOf } from '../../src/events/index.ts';
import { splitIntent } from '../../src/events/intent.ts';
import { MessageSent, StatusUpdated } from '../../src/events/message.ts';
import type { Billing } from '../../src/events/price.ts';
import type { Meta, NewEvent, Recorded } from '../../src/events/store.ts';
import { messageStream } from '../../src/events/streams.ts';
import { defineProjection, type Projection } from '../../src/projections/define.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { intent, NOW, price } from './samples.ts';
import { customer, subjectOfId } from './subjects.ts';

// Facts as the program writes them, with the fewest words that a test of a fold needs.

/** A fact on its way into a stream. */
export interface Written {
  stream: string;
  fact: Fact;
  at: string;
  /** The charge of a sent message. */
  charge?: Written;
  by?: Meta['by'];
}

const link = (accountId: string, revision: number, amount: number, balanceAfter: number) => ({
  accountId,
  entryId: `led_${accountId}_${revision}`,
  amount,
  balanceAfter,
  sequence: revision,
  previousHash: '0'.repeat(64),
  hash: String(revision).padStart(64, 'f'),
});

export const chargeId = (accountId: string, revision: number): string =>
  `chg_${accountId}_${revision.toString(36)}`;

export const opened = (
  accountId: string,
  change: { billing?: Billing; organisationId?: string } = {},
  at = NOW,
): Written => ({
  stream: `account-${accountId}`,
  at: isoTime(at),
  fact: AccountOpened.of({
    accountId,
    organisationId: 'org_1',
    name: `Account ${accountId}`,
    planId: 'standard',
    billing: 'credits',
    currency: 'USD',
    ...change,
  }),
});

export const granted = (
  accountId: string,
  { revision = 1, amount = 100, balanceAfter = 100 } = {},
  at = NOW,
): Written => ({
  stream: `account-${accountId}`,
  at: isoTime(at),
  fact: CreditsGranted.of({
    ...link(accountId, revision, amount, balanceAfter),
    at: isoTime(at),
    reason: 'Welcome',
    grantedBy: { id: 'adm_1', email: 'ops@example.com', name: 'Ops' },
  }),
});

/** Counts of refusals before a charge; they name nobody. */
export const refusedSends = (
  accountId: string,
  { code, count }: { code: string; count: number },
  at = NOW,
): Written => ({
  stream: `account-${accountId}`,
  at: isoTime(at),
  fact: SendsRefused.of({
    accountId,
    code,
    minute: isoTime(at),
    count,
    firstRequestId: 'req-1',
    lastRequestId: 'req-2',
    contactRef: null,
    to: null,
  }),
});

interface Charge {
  revision: number;
  amount?: number;
  balanceAfter?: number;
  intent?: Partial<Intent>;
  price?: Parameters<typeof price>[0];
}

export const reserved = (accountId: string, charge: Charge, at = NOW): Written => ({
  stream: `account-${accountId}`,
  at: isoTime(at),
  fact: ChargeReserved.of({
    ...link(accountId, charge.revision, charge.amount ?? -1, charge.balanceAfter ?? 99),
    at: isoTime(at),
    chargeId: chargeId(accountId, charge.revision),
    reason: 'order_shipped',
    price: price(charge.price),
    contactRef: customer.ref,
    ...splitIntent(intent(charge.intent)),
  }),
});

export const refunded = (
  accountId: string,
  charge: Charge & {
    of: number;
    cause?: RefundCause;
    failure?: SendFailure;
    reservedAt?: number;
  },
  at = NOW,
): Written => ({
  stream: `account-${accountId}`,
  at: isoTime(at),
  fact: ChargeRefunded.of({
    ...link(accountId, charge.revision, charge.amount ?? 1, charge.balanceAfter ?? 100),
    at: isoTime(at),
    chargeId: chargeId(accountId, charge.of),
    cause: charge.cause ?? 'not_sent',
    reason: 'order_shipped',
    price: price(charge.price),
    ...(charge.failure && { failure: charge.failure }),
    reservedAt: isoTime(charge.reservedAt ?? at),
  }),
});

export const counted = (
  accountId: string,
  charge: { of: number; reservedAt?: number },
  at = NOW,
): Written => ({
  stream: `account-${accountId}`,
  at: isoTime(at),
  fact: RefundedSendCounted.of({
    accountId,
    chargeId: chargeId(accountId, charge.of),
    reservedAt: isoTime(charge.reservedAt ?? at),
    at: isoTime(at),
  }),
});

export const sent = (
  messageRef: string,
  accountId: string,
  charge: Charge & { recovered?: boolean; heard?: string; reservedAt?: number },
  at = NOW,
): Written => ({
  stream: messageStream(accountId, messageRef),
  at: isoTime(at),
  charge: reserved(accountId, charge, charge.reservedAt ?? at),
  fact: MessageSent.of({
    messageRef,
    messageId: `id of ${messageRef}`,
    accountId,
    contactRef: customer.ref,
    phoneNumberId: intent(charge.intent).phoneNumberId,
    chargeId: chargeId(accountId, charge.revision),
    category: price(charge.price).category,
    recipient: null,
    ...(charge.recovered && { recovered: true }),
    ...(charge.heard !== undefined && { heard: charge.heard }),
  }),
});

export const status = (
  messageRef: string,
  word: string,
  statusAt: number,
  error: { code: string; message: string } | null = null,
): Written => ({
  stream: messageStream('acc_1', messageRef),
  at: isoTime(statusAt),
  fact: StatusUpdated.of({
    messageRef,
    accountId: 'acc_1',
    phoneNumberId: '100000000000001',
    contactRef: customer.ref,
    status: word,
    statusAt: isoTime(statusAt),
    messageId: null,
    recipient: null,
    ...(error && { errorCode: error.code }),
    errorMessage: error?.message ?? null,
  }),
});

export const written = (stream: string, fact: Fact, at = NOW): Written => ({
  stream,
  fact,
  at: isoTime(at),
});

/** A user id was found to be of a contact. */
export const joined = (
  userId: string,
  contact: string,
  change: Partial<ContactJoin> = {},
  at = NOW,
): Written => {
  const [userRef, contactRef] = [subjectOfId(userId).ref, subjectOfId(contact).ref];
  const who = { accountId: 'acc_1', userId, userRef, contact, contactRef };
  const conversations = [{ phoneNumberId: intent().phoneNumberId!, home: 'userId' as const }];
  const how = { contactKind: kindOf(contact), by: 'seen' as const, conversations };
  const fact = ContactIdsJoined.of({ ...who, ...how, ...change });
  return written(`contact-acc_1.${userRef}`, fact, at);
};

/** The same with other data. */
export const withData = (one: Written, change: object): Written => {
  const data = { ...(one.fact.data as object), ...change };
  return { ...one, fact: { ...one.fact, data } };
};

const metaOf = ({ at, by }: Written): Meta => ({ at, requestId: 'req_1', ...(by && { by }) });

export const toNewEvent = (one: Written, id: string): NewEvent => ({
  id,
  type: one.fact.type,
  version: versionOf(one.fact.type),
  data: one.fact.data,
  meta: metaOf(one),
});

export const positionAt = (index: number): string => String(index + 1).padStart(16, '0');

/** The facts as a log would hand them out: in this order, each stream counted from 0. */
export const recorded = (facts: readonly Written[]): Recorded[] => {
  const revisions = new Map<string, number>();
  return facts.map((one, index) => {
    const revision = (revisions.get(one.stream) ?? -1) + 1;
    revisions.set(one.stream, revision);
    const event = toNewEvent(one, `event-${index}`);
    const place = { stream: one.stream, revision, position: positionAt(index) };
    const [charge] = one.charge ? recorded([one.charge]) : [];
    return { ...event, ...place, ...(charge && { charge }) };
  });
};

/** The names of accounts, but for some that its fold refuses. */
export const namesBut = (refuses: (accountId: string) => boolean, name = 'names'): Projection =>
  defineProjection<{ name: string }>({
    name,
    version: 1,
    indexes: [],
    on: {
      AccountOpened: {
        key: ({ data }) => data.accountId,
        fold: (_, { data }) => {
          if (refuses(data.accountId)) throw new Error('will not count this one');
          return { name: data.name };
        },
      },
    },
  }) as Projection;
