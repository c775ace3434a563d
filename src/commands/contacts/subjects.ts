import { isUserId, numberIn } from '../../events/contact.ts';
import type { DataSubject } from '../../events/personal.ts';

/** The pseudonyms and data keys of contacts. In memory for those that were met lately. */
export interface Subjects {
  /** The subject of an id with this month's key where both are in memory. Creates nothing. */
  known(accountId: string, id: string): DataSubject | undefined;
  /** The subject of a number or a user id with this month's key; created where it is new. */
  of(accountId: string, id: string): DataSubject | Promise<DataSubject>;
  /** The subjects of different ids, at most 1,000, in their order; none of the new ones stays in memory. */
  ofAll(accountId: string, ids: readonly string[]): Promise<readonly DataSubject[]>;
  /** The same of a known ref; undefined once it was erased. Creates no subject. */
  ofRef(ref: string): DataSubject | undefined | Promise<DataSubject | undefined>;
  /** Whether none of these refs was erased, by the store of the keys itself, not by memory. */
  areHeld(refs: readonly string[]): Promise<boolean>;
  /** The ref of a number or a user id; undefined where nothing is held of it. Creates nothing. */
  refOf(accountId: string, id: string): Promise<string | undefined>;
}

/** In old logs the id itself is the ref. */
export const isPseudonym = (ref: string): boolean => !isUserId(ref) && numberIn(ref) === null;

/** The subject that events go on under; undefined for an erased one. */
export const subjectOf = (
  subjects: Pick<Subjects, 'of' | 'ofRef'>,
  accountId: string,
  contactRef: string,
): ReturnType<Subjects['ofRef']> =>
  isPseudonym(contactRef) ? subjects.ofRef(contactRef) : subjects.of(accountId, contactRef);
