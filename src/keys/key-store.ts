import { StoreUnavailable } from '../events/store.ts';

// A subject is one id of a contact, a number or a user id, in one account. An erasure is asked for a subject.
// Data keys lie beside the log, never in it and never in its backups (docs/privacy.md).

/** What is known of a subject. Destroyed with all its keys when the contact is erased. */
export interface SubjectRecord {
  /** Keyed hash of the account and the contact's id: the only way from a number to its `ref`. */
  hash: string;
  /** The pseudonym of the subject in events, streams and read models; 22 characters. */
  ref: string;
  accountId: string;
}

/** Names one data key: the events about a subject of one UTC month. */
export interface KeyName {
  ref: string;
  /** UTC, such as `2026-11`. */
  month: string;
}

export interface KeyRecord extends KeyName {
  accountId: string;
  /** The data key, encrypted under a key that is derived from that of the installation. */
  wrapped: Uint8Array;
}

/** A subject with its key of one month. */
export interface HeldSubject {
  subject: SubjectRecord;
  key: KeyRecord;
}

/** Reads data keys. Keys that were destroyed, or never made, are left out of the answers. */
export interface KeyReader {
  /** The keys with these names, in any order; at most `KEYS_MAX` names in one call. */
  keys(names: readonly KeyName[]): Promise<KeyRecord[]>;
  /** The subjects with these hashes, in any order; at most `KEYS_MAX` hashes in one call. */
  subjects(hashes: readonly string[]): Promise<SubjectRecord[]>;
  /** The subjects with these refs, in any order; at most `KEYS_MAX` refs in one call. */
  subjectsOf(refs: readonly string[]): Promise<SubjectRecord[]>;
  close(): Promise<void>;
}

/** The data keys cannot be read or written now. */
export class KeysUnavailable extends StoreUnavailable {
  constructor(message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, options);
    this.name = 'KeysUnavailable';
  }
}

/** Most names, hashes or refs of one call. */
export const KEYS_MAX = 1_000;

/**
 * Reads and writes data keys. Every write is durable before it resolves, on servers on a majority.
 * Throws KeysUnavailable when the store cannot serve now.
 */
export interface KeyStore extends KeyReader {
  /**
   * Makes sure that these subjects, at most `KEYS_MAX` with different hashes, and their keys of the
   * month exist, and resolves to them in the same order. A subject that is there by its hash keeps its
   * ref, and a key that is there stays: rivals get the same. The given refs are new ones in each call,
   * because a ref that was destroyed never comes back. `wrap` makes the wrapped key for the ref that a
   * subject has in the end; it is called at most once for each attempt.
   */
  ensure(
    subjects: readonly SubjectRecord[],
    month: string,
    wrap: (ref: string) => Uint8Array,
  ): Promise<readonly HeldSubject[]>;
  /** Destroys these subjects and all their keys. Resolves to the number of keys that were there. */
  destroySubjects(refs: readonly string[]): Promise<number>;
  /** Destroys all keys of an account up to a month, that month included. Resolves to their number. */
  destroyMonths(accountId: string, through: string): Promise<number>;
  /**
   * The revision of the stream of destructions up to which this store has applied it; -1 at first.
   * A restored older store applies the rest at the start.
   */
  applied(): Promise<number>;
  setApplied(revision: number): Promise<void>;
  /** Removes what destroyed keys have left in files, such as in a write-ahead log. */
  clean(): Promise<void>;
  /** Whether the store can serve now; never throws. */
  health(): Promise<{ ok: boolean; detail?: string }>;
}
