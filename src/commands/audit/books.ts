import type { KnownEvent } from '../../events/index.ts';
import { type Recorded, UNREADABLE } from '../../events/store.ts';
import { CHAIN_START, linkHash } from '../chain.ts';
import { chargeIdOf, entryIdOf } from '../identifiers.ts';
import { isMoneyEvent, type MoneyEvent } from './movement.ts';
import type { ProblemKind, Problems } from './problems.ts';

/** What each event of an account's stream was, as far as later ones speak of it: 9 bytes each. */
interface Charges {
  amounts: Float64Array;
  states: Uint8Array;
}

type Say = (kind: ProblemKind, detail: string) => void;

const RESERVED = 1;
const REFUNDED = 2;
const FIRST_LENGTH = 64;

/** One account's books as far as they have been read. */
export interface Account {
  accountId: string;
  /** Of its newest event; -1 before the first. */
  revision: number;
  position: string;
  sequence: number;
  hash: string;
  balance: number;
  /** What the balance counts: credits, or a currency. */
  unit: string;
  /** Movements of the balance, which are the rows of its ledger. */
  movements: number;
  charges: Charges;
}

export interface Books {
  /** Takes in the log, event by event, in order. */
  take(event: Recorded): void;
  accounts: ReadonlyMap<string, Account>;
}

const unitOf = ({ billing, currency }: { billing: string; currency: string }): string =>
  billing === 'credits' ? billing : currency;

const reasonOf = ({ data }: Pick<Recorded, 'data'>): string =>
  String((data as { reason?: unknown }).reason).slice(0, 300);

const open = (accountId: string): Account => ({
  accountId,
  revision: -1,
  position: '',
  sequence: 0,
  hash: CHAIN_START,
  balance: 0,
  unit: '',
  movements: 0,
  charges: { amounts: new Float64Array(FIRST_LENGTH), states: new Uint8Array(FIRST_LENGTH) },
});

const noteCharge = (account: Account, revision: number, amount: number): void => {
  const { charges } = account;
  if (revision >= charges.states.length) {
    const length = 2 * Math.max(revision, charges.states.length);
    const amounts = new Float64Array(length);
    const states = new Uint8Array(length);
    amounts.set(charges.amounts);
    states.set(charges.states);
    account.charges = { amounts, states };
  }
  account.charges.amounts[revision] = amount;
  account.charges.states[revision] = RESERVED;
};

const checkLink = (account: Account, event: MoneyEvent, say: Say) => {
  const { data, type } = event;
  const expected = account.sequence + 1;
  if (data.sequence !== expected) {
    say('sequence', `link ${data.sequence} stands where link ${expected} belongs`);
  }
  if (data.previousHash !== account.hash) {
    say('previous-hash', `link ${data.sequence} does not follow the one before it`);
  }
  const hash = linkHash(type, data);
  if (data.hash !== hash) {
    say('hash', `link ${data.sequence} was changed: its content has the hash ${hash}`);
  }
  account.sequence = data.sequence;
  account.hash = data.hash;
};

const checkBalance = (account: Account, { data }: MoneyEvent, say: Say) => {
  const { amount, balanceAfter } = data;
  if (account.balance + amount !== balanceAfter) {
    say('balance', `${account.balance} and ${amount} do not make ${balanceAfter}`);
  }
  if (balanceAfter < 0) say('negative-balance', `the balance is ${balanceAfter}`);
  account.balance = balanceAfter;
  if (amount !== 0) account.movements += 1;
};

const checkIdentity = (account: Account, { data, revision, type }: MoneyEvent, say: Say) => {
  const { accountId } = account;
  const entryId = entryIdOf(accountId, revision);
  const chargeId = chargeIdOf(accountId, revision);
  if (data.accountId !== accountId) say('identity', `it names the account ${data.accountId}`);
  if (data.entryId !== entryId) say('identity', `the row ${data.entryId} should be ${entryId}`);
  if (type === 'ChargeReserved' && data.chargeId !== chargeId) {
    say('identity', `the charge ${data.chargeId} should be ${chargeId}`);
  }
};

/** Revision of the reservation that a charge id stands for; undefined where there is none. */
const reservationOf = (account: Account | undefined, chargeId: string): number | undefined => {
  const revision = Number.parseInt(chargeId.slice(chargeId.lastIndexOf('_') + 1), 36);
  const state = account?.charges.states[revision] ?? 0;
  const isThere = account && chargeIdOf(account.accountId, revision) === chargeId;
  return isThere && state >= RESERVED ? revision : undefined;
};

const checkRefund = (
  account: Account,
  event: Extract<MoneyEvent, { type: 'ChargeRefunded' }>,
  say: Say,
) => {
  const { chargeId, amount } = event.data;
  const revision = reservationOf(account, chargeId);
  if (revision === undefined) {
    say('refund-without-charge', `${chargeId} was never reserved`);
    return;
  }
  const { amounts, states } = account.charges;
  if (states[revision] === REFUNDED) say('refund-twice', `${chargeId} was refunded before`);
  states[revision] = REFUNDED;
  // What was taken in a unit that the account counts in no longer is closed without a movement.
  const taken = amounts[revision]!;
  const due = unitOf(event.data.price) === account.unit ? -taken : 0;
  if (amount !== (due || 0)) {
    say('refund-amount', `${chargeId} took ${taken}, and ${amount} was given back, not ${due}`);
  }
};

/**
 * Checks everything that the events themselves must fulfil, each once as it comes by. A broken
 * place is named, and the reading goes on from what stands there, so that one fault is told once.
 */
export const createBooks = (problems: Problems): Books => {
  const accounts = new Map<string, Account>();

  const accountOf = (accountId: string): Account => {
    const known = accounts.get(accountId);
    if (known) return known;
    const opened = open(accountId);
    accounts.set(accountId, opened);
    return opened;
  };

  const takeAccountEvent = (event: KnownEvent, accountId: string) => {
    const account = accountOf(accountId);
    const say: Say = (kind, detail) =>
      problems.add({ accountId, kind, at: event.position, detail });
    const { revision, position } = event;
    if (revision !== account.revision + 1) {
      say('revision', `revision ${revision} comes after ${account.revision}`);
    }
    if (position <= account.position) say('order', `it stands after ${account.position}`);
    account.revision = revision;
    account.position = position;
    if ((event as Recorded).type === UNREADABLE) say('unreadable', reasonOf(event));
    if (event.type === 'AccountOpened' || event.type === 'PlanAssigned') {
      account.unit = unitOf(event.data);
    }
    if (!isMoneyEvent(event)) return;
    checkLink(account, event, say);
    checkBalance(account, event, say);
    checkIdentity(account, event, say);
    if (event.type === 'ChargeReserved') noteCharge(account, revision, event.data.amount);
    if (event.type === 'ChargeRefunded') checkRefund(account, event, say);
  };

  const takeMessage = ({ data, position }: Extract<KnownEvent, { type: 'MessageSent' }>) => {
    const { accountId, chargeId, chargeAmount, messageId } = data;
    const account = accounts.get(accountId);
    const revision = reservationOf(account, chargeId);
    if (revision === undefined) {
      const detail = `${messageId} was sent for ${chargeId}, which was never reserved`;
      problems.add({ accountId, kind: 'message-without-charge', at: position, detail });
      return;
    }
    const taken = account!.charges.amounts[revision]!;
    if (taken === chargeAmount && revision === data.chargeRevision) return;
    const detail = `${messageId} tells of ${chargeAmount} at revision ${data.chargeRevision}, ${chargeId} took ${taken} at ${revision}`;
    problems.add({ accountId, kind: 'message-amount', at: position, detail });
  };

  return {
    accounts,
    take(recorded) {
      const event = recorded as KnownEvent;
      if (event.stream.startsWith('account-')) takeAccountEvent(event, event.stream.slice(8));
      else if (event.type === 'MessageSent') takeMessage(event);
      else if (recorded.type === UNREADABLE && event.stream.startsWith('message-')) {
        const detail = `${event.stream}: ${reasonOf(recorded)}`;
        problems.add({ accountId: null, kind: 'unreadable', at: event.position, detail });
      }
    },
  };
};
