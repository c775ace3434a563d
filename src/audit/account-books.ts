import { CHAIN_START } from '../events/chain.ts';
import type { AccountStart } from './account-start.ts';
import { unitOf } from './entry.ts';

/** The charges of an account by the revisions of their events: 9 bytes for each event. */
interface Charges {
  amounts: Float64Array;
  states: Uint8Array;
}

const FIRST_LENGTH = 64;

/** The books of one account, as far as the log was read. */
export interface Account {
  accountId: string;
  /** Of the first event that the books have; what was charged before is not known. */
  from: number;
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

export const openAccount = (accountId: string): Account => ({
  accountId,
  from: 0,
  revision: -1,
  position: '',
  sequence: 0,
  hash: CHAIN_START,
  balance: 0,
  unit: '',
  movements: 0,
  charges: { amounts: new Float64Array(FIRST_LENGTH), states: new Uint8Array(FIRST_LENGTH) },
});

/** The books of an account from within its history on. */
export const openAccountAt = (accountId: string, start: AccountStart): Account => {
  const { revision, sequence, hash, balance } = start;
  const place = { from: revision, revision: revision - 1, sequence, hash, balance };
  return { ...openAccount(accountId), ...place, unit: unitOf(start) };
};
