import { chargeIdOf } from '../events/charge-form.ts';
import { chargeRevisionOf } from '../events/completed.ts';
import { type Account, openAccount } from './account-books.ts';
import type { AccountEntry, Entry, LinkEntry, SentEntry } from './entry.ts';
import type { ProblemKind, Problems } from './problems.ts';

type Say = (kind: ProblemKind, detail: string) => void;

// The bits of a charge's state.
const RESERVED = 1;
const REFUNDED = 2;
const SENT = 4;

export interface Books {
  accounts: Map<string, Account>;
  /**
   * Records of messages that do not begin their stream. Their streams have to show whether one of
   * them is a second record of its message. There are few of them.
   */
  lateRecords: LateRecord[];
  problems: Problems;
}

export type LateRecord = Pick<SentEntry, 'accountId' | 'messageRef' | 'chargeId' | 'position'>;

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

const checkLink = (account: Account, entry: LinkEntry, say: Say) => {
  const { sequence, previousHash, hash, foundHash } = entry;
  const expected = account.sequence + 1;
  if (sequence !== expected) {
    say('sequence', `link ${sequence} stands where link ${expected} belongs`);
  }
  if (previousHash !== account.hash) {
    say('previous-hash', `link ${sequence} does not follow the one before it`);
  }
  if (foundHash !== undefined) {
    say('hash', `link ${sequence} was changed: its content has the hash ${foundHash}`);
  }
  account.sequence = sequence;
  account.hash = hash;
};

const checkBalance = (account: Account, { amount, balanceAfter }: LinkEntry, say: Say) => {
  if (account.balance + amount !== balanceAfter) {
    say('balance', `${account.balance} and ${amount} do not make ${balanceAfter}`);
  }
  if (balanceAfter < 0) say('negative-balance', `the balance is ${balanceAfter}`);
  account.balance = balanceAfter;
  if (amount !== 0) account.movements += 1;
};

/** The revision of the reservation with this charge id; undefined without one. */
const reservationOf = (account: Account | undefined, chargeId: string): number | undefined => {
  const revision = chargeRevisionOf(chargeId);
  const state = account?.charges.states[revision] ?? 0;
  const isThere = account && chargeIdOf(account.accountId, revision) === chargeId;
  return isThere && (state & RESERVED) !== 0 ? revision : undefined;
};

const checkRefund = (account: Account, entry: LinkEntry, say: Say) => {
  const { amount, refunds } = entry;
  if (!refunds) return;
  const { chargeId, unit } = refunds;
  const revision = reservationOf(account, chargeId);
  if (revision === undefined) {
    if (chargeRevisionOf(chargeId) < account.from) return;
    say('refund-without-charge', `${chargeId} was never reserved`);
    return;
  }
  const { amounts, states } = account.charges;
  if (states[revision]! & REFUNDED) say('refund-twice', `${chargeId} was refunded before`);
  states[revision]! |= REFUNDED;
  // A charge in a unit that the account no longer counts in is closed without a movement.
  const taken = amounts[revision]!;
  const due = unit === account.unit ? -taken : 0;
  if (amount !== (due || 0)) {
    say('refund-amount', `${chargeId} took ${taken}, and ${amount} was given back, not ${due}`);
  }
};

const accountOf = ({ accounts }: Books, accountId: string): Account => {
  const known = accounts.get(accountId);
  if (known) return known;
  const opened = openAccount(accountId);
  accounts.set(accountId, opened);
  return opened;
};

const takeAccountEntry = (books: Books, entry: AccountEntry): void => {
  const { accountId, revision, position } = entry;
  const account = accountOf(books, accountId);
  const say: Say = (kind, detail) => books.problems.add({ accountId, kind, at: position, detail });
  if (revision !== account.revision + 1) {
    say('revision', `revision ${revision} comes after ${account.revision}`);
  }
  if (position <= account.position) say('order', `it stands after ${account.position}`);
  account.revision = revision;
  account.position = position;
  if (entry.kind === 'unreadable') say('unreadable', entry.reason);
  if (entry.kind === 'setting') account.unit = entry.unit ?? account.unit;
  if (entry.kind !== 'link') return;
  checkLink(account, entry, say);
  checkBalance(account, entry, say);
  for (const detail of entry.misnamed ?? []) say('identity', detail);
  if (entry.reserves) noteCharge(account, revision, entry.amount);
  checkRefund(account, entry, say);
};

const takeMessage = ({ accounts, lateRecords, problems }: Books, entry: SentEntry): void => {
  const { accountId, chargeId, chargeAmount, chargeRevision, messageRef, position: at } = entry;
  const account = accounts.get(accountId);
  const say: Say = (kind, detail) => problems.add({ accountId, kind, at, detail });
  if (entry.late) lateRecords.push({ accountId, messageRef, chargeId, position: at });
  if (entry.astray !== undefined) {
    say('identity', `the record of ${messageRef} stands in ${entry.astray}`);
  }
  const revision = reservationOf(account, chargeId);
  if (revision === undefined) {
    // An export of a period has no charges of before.
    if (chargeRevisionOf(chargeId) < (account?.from ?? 0)) return;
    say(
      'message-without-charge',
      `${messageRef} was sent for ${chargeId}, which was never reserved`,
    );
    return;
  }
  const { amounts, states } = account!.charges;
  if (states[revision]! & SENT) {
    say('second-message', `${messageRef} is a second message for ${chargeId}`);
  }
  states[revision]! |= SENT;
  const taken = amounts[revision]!;
  if (chargeAmount === undefined && chargeRevision === undefined) return;
  if (taken === chargeAmount && revision === chargeRevision) return;
  const detail = `${messageRef} tells of ${chargeAmount} at revision ${chargeRevision}, ${chargeId} took ${taken} at ${revision}`;
  say('message-amount', detail);
};

export const createBooks = (problems: Problems): Books => ({
  accounts: new Map(),
  lateRecords: [],
  problems,
});

/**
 * Checks everything that the events themselves must fulfil, once for each event, in the order of the
 * log. After a broken place, the books continue from what it says, so that one fault is one problem.
 */
export const enter = (books: Books, entry: Entry): void => {
  if (entry.kind === 'terms') return;
  if (entry.kind === 'sent') takeMessage(books, entry);
  else if (entry.kind !== 'lost') takeAccountEntry(books, entry);
  else {
    const { position: at, reason: detail } = entry;
    books.problems.add({ accountId: null, kind: 'unreadable', at, detail });
  }
};
