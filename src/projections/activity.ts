import { type RefundWord, refundWordOf } from '../events/account.ts';
import { bucketOfAccount } from '../events/bucket.ts';
import type { Billing } from '../events/price.ts';
import { defineProjection } from './define.ts';

/** What happened in one account, or in all, in one hour of UTC, in one unit of money. */
export interface ActivityDocument {
  id: string;
  /** Or `ALL_ACCOUNTS`. */
  accountId: string;
  /** UTC, such as `2026-11-21T10`. */
  hour: string;
  billing: Billing;
  /** The currency of prices; amounts on a wallet plan are millionths of it. */
  currency: string;
  /** Reservations: sends that came as far as the provider, or were about to. */
  sends: number;
  /** What they took, in credits or millionths. */
  charged: number;
  /** What was given back, by cause. */
  refunds: Readonly<Partial<Record<RefundWord, { count: number; amount: number }>>>;
}

/** Failures that the provider reported after it had accepted the message, of one account in one hour. */
export interface FailuresDocument {
  id: string;
  accountId: string;
  hour: string;
  /** Null tells these documents from those with money. */
  billing: null;
  /** Messages by the provider's code; `none` where it gave no code. */
  failures: Readonly<Record<string, number>>;
}

/** Sends of one account that were refused before a charge in one hour. */
export interface RefusedDocument {
  id: string;
  accountId: string;
  hour: string;
  billing: null;
  /** Sends by the code of the refusal. */
  refused: Readonly<Record<string, number>>;
}

/** Stands for an account in the documents that count all of them: one for each bucket of accounts. */
export const ALL_ACCOUNTS = 'all';

/** Codes of one account in one hour; the others count together, so that a document stays small. */
const CODES_MAX = 30;

/** The hour of an ISO time. */
export const hourOf = (at: string): string => at.slice(0, 13);

interface Priced {
  accountId: string;
  price: { billing: Billing; currency: string };
}

/** The owners of the documents that an event of the account changes. */
const ownersOf = (accountId: string) => [
  accountId,
  `${ALL_ACCOUNTS}~${bucketOfAccount(accountId)}`,
];

const ownerIn = (id: string): string => /^[^.~]*/.exec(id)![0];

const idsOf = ({ accountId, price }: Priced, hour: string) =>
  ownersOf(accountId).map((owner) => `${owner}.${hour}.${price.billing}.${price.currency}`);

const empty = ({ price }: Priced, id: string, hour: string): ActivityDocument => ({
  id,
  accountId: ownerIn(id),
  hour,
  billing: price.billing,
  currency: price.currency,
  sends: 0,
  charged: 0,
  refunds: {},
});

const counted = (before: Readonly<Record<string, number>>, code: string, count = 1) => {
  const isKnown = code in before || Object.keys(before).length < CODES_MAX;
  const name = isKnown ? code : 'other';
  return { ...before, [name]: (before[name] ?? 0) + count };
};

/** The figures of the overview: a document for each hour in which something happened, of each account and of all. */
export const activity = defineProjection<ActivityDocument | FailuresDocument | RefusedDocument>({
  name: 'activity',
  version: 3,
  indexes: [['accountId', '-hour']],
  words: ['accountId'],
  on: {
    ChargeReserved: {
      key: ({ data }) => idsOf(data, hourOf(data.at)),
      fold: (known, { data }, id) => {
        const document = (known as ActivityDocument) ?? empty(data, id, hourOf(data.at));
        return { ...document, sends: document.sends + 1, charged: document.charged - data.amount };
      },
    },
    ChargeRefunded: {
      key: ({ data }) => idsOf(data, hourOf(data.at)),
      fold: (known, { data }, id) => {
        const document = (known as ActivityDocument) ?? empty(data, id, hourOf(data.at));
        const word = refundWordOf(data.cause);
        const { count, amount } = document.refunds[word] ?? { count: 0, amount: 0 };
        const refund = { count: count + 1, amount: amount + data.amount };
        return { ...document, refunds: { ...document.refunds, [word]: refund } };
      },
    },
    SendsRefused: {
      key: ({ data: { accountId, minute } }) =>
        ownersOf(accountId).map((owner) => `${owner}.${hourOf(minute)}.refused`),
      fold: (known, { data: { minute, code, count } }, id) => {
        const before = (known as RefusedDocument | undefined)?.refused ?? {};
        return {
          id,
          accountId: ownerIn(id),
          hour: hourOf(minute),
          billing: null,
          refused: counted(before, code, count),
        };
      },
    },
    StatusUpdated: {
      key: ({ data, meta }) =>
        data.status === 'failed'
          ? ownersOf(data.accountId).map((owner) => `${owner}.${hourOf(meta.at)}.failures`)
          : [],
      fold: (known, { data, meta }, id) => {
        const before = (known as FailuresDocument | undefined)?.failures ?? {};
        return {
          id,
          accountId: ownerIn(id),
          hour: hourOf(meta.at),
          billing: null,
          failures: counted(before, data.errorCode ?? 'none'),
        };
      },
    },
  },
});
