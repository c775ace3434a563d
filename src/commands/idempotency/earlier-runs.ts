import type { ReservedCharge } from '../../events/completed.ts';
import type { ClaimedRun } from '../../events/idempotency.ts';
import type { KnownEvent } from '../../events/index.ts';
import { firstRevision, logPages, streamPages } from '../../events/paging.ts';
import type { EventReader, Position } from '../../events/store.ts';
import { messageStream } from '../../events/streams.ts';
import { RESERVATION_AGE_MS } from '../account/sweep.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Transmitted } from '../sending/transmitted.ts';

// What earlier runs of a request wrote to the log, by the id of their work.

/** A charge that an earlier run of a request made, with its refund and its message. */
export interface EarlierCharge {
  reserved: ReservedCharge;
  refunded?: Extract<KnownEvent, { type: 'ChargeRefunded' }>;
  sent?: Extract<KnownEvent, { type: 'MessageSent' }>;
}

/** A message is recorded with its send or recovered soon after; the search stops at this age. */
const RECORDED_WITHIN_MS = 2 * RESERVATION_AGE_MS;

/**
 * No message was sent, or it is known to have failed: the charge does not prevent a new send. What failed
 * without a code of the provider, such as after a 5xx, may have gone out.
 */
export const isSettled = ({ refunded }: EarlierCharge): boolean => {
  if (refunded?.data.cause !== 'not_sent') return false;
  const { failure } = refunded.data;
  return failure?.code !== 'SEND_FAILED' || failure.providerCode !== undefined;
};

/** The runs of a request's work. */
export interface Runs {
  /** Where the first of them was claimed. */
  claimed: Position;
  /** Claims of runs that have not ended in the log. */
  open: readonly ClaimedRun[];
}

/** The claim of a run of the work that an event holds. A scheduled send is claimed in its own stream. */
const claimIn = ({ type, data }: KnownEvent, workId: string): ClaimedRun | null => {
  if (type === 'ScheduleBegun') return data.run;
  return type === 'RequestClaimed' && data.workId === workId ? data : null;
};

export const readRuns = async (
  store: EventReader,
  work: { id: string; claims: string },
): Promise<Runs> => {
  let claimed: Position | undefined;
  const open = new Map<string, ClaimedRun>();
  for await (const page of streamPages(store, work.claims)) {
    for (const event of page as readonly KnownEvent[]) {
      if (event.type === 'RequestInterrupted') open.delete(event.data.claimId);
      const run = claimIn(event, work.id);
      if (!run) continue;
      claimed ??= event.position;
      open.set(run.claimId, run);
    }
  }
  if (claimed === undefined) throw new Error(`no claim of ${work.id} in ${work.claims}`);
  return { claimed, open: [...open.values()] };
};

/** The account's events that this work caused, and every refund of its charges. */
export const readEarlierEvents = async (
  store: EventReader,
  work: { id: string; claimed: Position; accountId: string },
): Promise<readonly KnownEvent[]> => {
  const stream = `account-${work.accountId}`;
  const charges = new Set<string>();
  const found: KnownEvent[] = [];
  const { claimed } = work;
  const from = await firstRevision(store, stream, ({ position }) => position > claimed);
  for await (const page of streamPages(store, stream, { from })) {
    for (const event of page as readonly KnownEvent[]) {
      const isOfWork = event.meta.claim?.id === work.id;
      if (isOfWork && event.type === 'ChargeReserved') charges.add(event.data.chargeId);
      const isOfCharge = event.type === 'ChargeRefunded' && charges.has(event.data.chargeId);
      if (isOfWork || isOfCharge) found.push(event);
    }
  }
  return found;
};

/** Fills in the messages of the charges, reading the log from the first of them on. */
const findSent = async (store: EventReader, charges: readonly EarlierCharge[]): Promise<void> => {
  const wanted = new Map(charges.map((one) => [one.reserved.data.chargeId, one]));
  const [first, last] = [charges[0], charges.at(-1)];
  if (!first || !last) return;
  const until = Date.parse(last.reserved.data.at) + RECORDED_WITHIN_MS;
  for await (const { events } of logPages(store, first.reserved.position)) {
    for (const event of events as readonly KnownEvent[]) {
      if (event.type !== 'MessageSent') continue;
      const charge = wanted.get(event.data.chargeId);
      if (charge) charge.sent = event;
      wanted.delete(event.data.chargeId);
    }
    const newest = events.at(-1);
    if (wanted.size === 0 || (newest && Date.parse(newest.meta.at) > until)) return;
  }
};

/** The charges among these events, each with its refund and its message. */
export const readEarlierCharges = async (
  store: EventReader,
  events: readonly KnownEvent[],
): Promise<readonly EarlierCharge[]> => {
  const byId = new Map<string, EarlierCharge>();
  for (const event of events) {
    if (event.type === 'ChargeReserved') byId.set(event.data.chargeId, { reserved: event });
    if (event.type !== 'ChargeRefunded') continue;
    const charge = byId.get(event.data.chargeId);
    if (charge) charge.refunded = event;
  }
  const charges = [...byId.values()];
  await findSent(
    store,
    charges.filter((charge) => !isSettled(charge)),
  );
  return charges;
};

/**
 * Fills in messages that were recorded later than the log is searched for. The read models know
 * them; they may be behind or away, so the log is searched first.
 */
export const findRecovered = async (
  store: EventReader,
  lookups: Pick<Lookups, 'messageOfCharge'>,
  charges: readonly EarlierCharge[],
): Promise<void> => {
  for (const charge of charges) {
    const { accountId, chargeId } = charge.reserved.data;
    const messageRef = await lookups.messageOfCharge(accountId, chargeId);
    if (typeof messageRef !== 'string') continue;
    const events = await store.read(messageStream(accountId, messageRef));
    for (const event of events as readonly KnownEvent[]) {
      if (event.type === 'MessageSent') charge.sent = event;
    }
  }
};

/** The original result of the send, without a charge that was refunded since. */
export const transmittedOf = ({ reserved, refunded, sent }: EarlierCharge): Transmitted => {
  const { chargeId, price, balanceAfter, outline } = reserved.data;
  // After a change of the balance's unit a refund gives nothing back: the charge stays taken.
  const isGivenBack = refunded !== undefined && refunded.data.amount !== 0;
  const charge = isGivenBack
    ? {
        chargeId,
        price: { ...price, sellPrice: 0, creditsRequired: 0 },
        balanceAfter: refunded.data.balanceAfter,
      }
    : { chargeId, price, balanceAfter };
  const { messageId, providerStatus } = sent!.data;
  return {
    messageId: messageId!,
    charge,
    outline,
    ...(providerStatus !== undefined && { providerStatus }),
  };
};
