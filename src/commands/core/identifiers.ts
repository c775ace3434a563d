import type { Ids } from '../../shared/clock.ts';

/** An id that sorts by time: a prefix that names its kind, and a UUID. */
export const sortedId = (prefix: string, ids: Ids): string =>
  `${prefix}_${ids.uuid().replaceAll('-', '')}`;

// These ids hold the place of their event: one read of the account's stream finds a charge, also when
// the provider returns its id a week later.

const parts = (id: string) => /^(?:chg|led)_([0-9a-z]+)_([0-9a-z]+)$/.exec(id);
const tail = (accountId: string, revision: number) =>
  `${accountId.replace(/^acc_/, '')}_${revision.toString(36)}`;

/** Id of the charge that is reserved at this revision of the account's stream. */
export const chargeIdOf = (accountId: string, revision: number): string =>
  `chg_${tail(accountId, revision)}`;

/** Id of the ledger row for the event at this revision of the account's stream. */
export const entryIdOf = (accountId: string, revision: number): string =>
  `led_${tail(accountId, revision)}`;

/** Where a charge was reserved; undefined when the text is not one of our charge ids. */
export const locateCharge = (
  chargeId: string,
): { accountId: string; revision: number } | undefined => {
  const match = chargeId.startsWith('chg_') ? parts(chargeId) : null;
  if (!match) return undefined;
  const revision = Number.parseInt(match[2]!, 36);
  return Number.isSafeInteger(revision) ? { accountId: `acc_${match[1]}`, revision } : undefined;
};
