import { CHAIN_START } from '../commands/account/chain.ts';
import { chargeIdOf } from '../commands/core/identifiers.ts';
import type { AccountEntry, Entry, LinkEntry, SentEntry } from './entry.ts';
import type { ProblemKind, Problems } from './problems.ts';

/** What each event of an account's stream was, as far as later ones speak of it: 9 bytes each. */
interface Charges {
  amounts: Float64Array;
  states: Uint8Array;
}

type Say = (kind: ProblemKind, detail: string) => void;

// What has happened to a charge, one bit each.
const RESERVED = 1;
const REFUNDED = 2;
const SENT = 4;
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
  /** What the balance counts: credits of a currency, or the currency itself. */
  unit: string;
  /** Movements of the balance, which are the rows of its ledger. */
  movements: number;
  charges: Charges;
}

export interface Books {
  /** Takes in the log, entry by entry, in order. */
  take(entry: Entry): void;
  accounts: ReadonlyMap<string, Account>;
  /**
   * Records of messages that do not begin their stream, few as they are: whether one of them is a
   * second record of its message, the stream itself has to say.
   */
  lateRecords: readonly LateRecord[];
}

export type LateRecord = Pick<SentEntry, 'accountId' | 'messageId' | 'chargeId' | 'position'>;

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

/** Revision of the reservation that a charge id stands for; undefined where there is none. */
const reservationOf = (account: Account | undefined, chargeId: string): number | undefined => {
  const revision = Number.parseInt(chargeId.slice(chargeId.lastIndexOf('_') + 1), 36);
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
    say('refund-without-charge', `${chargeId} was never reserved`);
    return;
  }
  const { amounts, states } = account.charges;
  if (states[revision]! & REFUNDED) say('refund-twice', `${chargeId} was refunded before`);
  states[revision]! |= REFUNDED;
  // What was taken in a unit that the account counts in no longer is closed without a movement.
  const taken = amounts[revision]!;
  const due = unit === account.unit ? -taken : 0;
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
  const lateRecords: LateRecord[] = [];

  const accountOf = (accountId: string): Account => {
    const known = accounts.get(accountId);
    if (known) return known;
    const opened = open(accountId);
    accounts.set(accountId, opened);
    return opened;
  };

  const takeAccountEntry = (entry: AccountEntry) => {
    const { accountId, revision, position } = entry;
    const account = accountOf(accountId);
    const say: Say = (kind, detail) => problems.add({ accountId, kind, at: position, detail });
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

  const takeMessage = (entry: SentEntry) => {
    const { accountId, chargeId, chargeAmount, chargeRevision, messageId, position } = entry;
    const account = accounts.get(accountId);
    if (entry.late) lateRecords.push({ accountId, messageId, chargeId, position });
    if (entry.astray !== undefined) {
      const detail = `the record of ${messageId} stands in ${entry.astray}`;
      problems.add({ accountId, kind: 'identity', at: position, detail });
    }
    const revision = reservationOf(account, chargeId);
    if (revision === undefined) {
      const detail = `${messageId} was sent for ${chargeId}, which was never reserved`;
      problems.add({ accountId, kind: 'message-without-charge', at: position, detail });
      return;
    }
    const { amounts, states } = account!.charges;
    if (states[revision]! & SENT) {
      const detail = `${messageId} is a second message for ${chargeId}`;
      problems.add({ accountId, kind: 'second-message', at: position, detail });
    }
    states[revision]! |= SENT;
    const taken = amounts[revision]!;
    if (taken === chargeAmount && revision === chargeRevision) return;
    const detail = `${messageId} tells of ${chargeAmount} at revision ${chargeRevision}, ${chargeId} took ${taken} at ${revision}`;
    problems.add({ accountId, kind: 'message-amount', at: position, detail });
  };

  return {
    accounts,
    lateRecords,
    take(entry) {
      if (entry.kind === 'sent') takeMessage(entry);
      else if (entry.kind !== 'lost') takeAccountEntry(entry);
      else {
        const { position: at, reason: detail } = entry;
        problems.add({ accountId: null, kind: 'unreadable', at, detail });
      }
    },
  };
};
