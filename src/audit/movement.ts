import { type MoneyFact, moneyEventTypes } from '../events/account.ts';
import type { KnownEvent } from '../events/index.ts';
import { type StreamPaging, streamPages } from '../events/paging.ts';
import type { Billing } from '../events/price.ts';
import { type Actor, type EventReader, type Recorded, UNREADABLE } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import type { SnapshotSource } from './snapshots.ts';

/** An event of the hash chain, as the log holds it. */
export type MoneyEvent = Extract<KnownEvent, { type: MoneyFact['type'] }>;

/** A movement of an account's balance: one row of its ledger. */
export interface Movement {
  position: string;
  revision: number;
  entryId: string;
  type: 'DEDUCT' | 'REFUND' | 'GRANT' | 'REVOKE';
  /** Credits, or millionths of the currency on a wallet plan; never zero. */
  amount: number;
  balanceAfter: number;
  billing: Billing;
  reason: string | null;
  chargeId: string | null;
  at: string;
  sequence: number;
  hash: string;
}

const types: ReadonlySet<string> = new Set(moneyEventTypes);

export const isMoneyEvent = (event: { type: string }): event is MoneyEvent => types.has(event.type);

const typeOf = (event: MoneyEvent): Movement['type'] => {
  switch (event.type) {
    case 'ChargeReserved':
      return 'DEDUCT';
    case 'ChargeRefunded':
      return 'REFUND';
    case 'CreditsGranted':
      return 'GRANT';
    case 'CreditsRevoked':
      return 'REVOKE';
    case 'WalletMoved':
      return event.data.amount < 0 ? 'REVOKE' : 'GRANT';
  }
};

const billingOf = (event: MoneyEvent): Billing => {
  if (event.type === 'WalletMoved') return 'wallet';
  return 'price' in event.data ? event.data.price.billing : 'credits';
};

/** Undefined for an event that did not move the balance, such as a setting or a free message. */
export const movementOf = (event: { type: string }): Movement | undefined => {
  if (!isMoneyEvent(event) || event.data.amount === 0) return undefined;
  const { position, revision, data } = event;
  const { entryId, amount, balanceAfter, reason, at, sequence, hash } = data;
  return {
    position,
    revision,
    entryId,
    type: typeOf(event),
    amount,
    balanceAfter,
    billing: billingOf(event),
    reason,
    chargeId: 'chargeId' in data ? data.chargeId : null,
    at,
    sequence,
    hash,
  };
};

/** The part of a log's port that an audit needs. */
export type AuditedLog = Pick<EventReader, 'read' | 'readAll' | 'head'> & SnapshotSource;

/** The events of an account's stream, oldest first, with one page in memory. */
export async function* accountEvents(
  log: Pick<EventReader, 'read'>,
  accountId: string,
  paging: StreamPaging = {},
): AsyncGenerator<Recorded, void, void> {
  for await (const page of streamPages(log, `account-${accountId}`, paging)) yield* page;
}

/**
 * The movements of an account up to the time `until` (ISO), each with the balance after it. Throws at
 * an event that cannot be read, because later balances cannot be checked.
 */
export async function* replay(
  events: AsyncIterable<Recorded>,
  until?: string,
): AsyncGenerator<Movement, void, void> {
  for await (const event of events) {
    if (event.type === UNREADABLE) {
      throw new AppError('resource.conflict', `Event ${event.revision} cannot be read`);
    }
    const movement = movementOf(event);
    if (!movement) continue;
    if (until !== undefined && movement.at > until) continue;
    yield movement;
  }
}

/** Who moved money, as a text. The log names a person by the id alone. */
export const actorText = ({ id, name, email }: Actor): string =>
  name === undefined ? id : `${name} <${email}>`;
