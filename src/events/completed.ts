import type { KnownEvent } from './index.ts';
import { destructionTypes } from './opened.ts';
import { type EventReader, type Recorded, UNREADABLE } from './store.ts';

// A record of a sent message does not repeat its charge. Folds that need both read the log through here.

export type ReservedCharge = Extract<KnownEvent, { type: 'ChargeReserved' }>;
type Sent = Extract<KnownEvent, { type: 'MessageSent' }>;

/** Charges that are kept until their message comes: those that were reserved last. */
const CHARGES_MAX = 4_096;
/** Charges that are read at one time. */
const READS_MAX = 16;

/** The revision of a charge in its account's stream: the end of its id. NaN where that is no number. */
export const chargeRevisionOf = (chargeId: string): number =>
  Number.parseInt(chargeId.slice(chargeId.lastIndexOf('_') + 1), 36);

/** The charge of a message, by one read; undefined where the log has none. */
export const readCharge = async (
  log: Pick<EventReader, 'read'>,
  { accountId, chargeId }: { accountId: string; chargeId: string },
): Promise<ReservedCharge | undefined> => {
  const from = chargeRevisionOf(chargeId);
  if (!Number.isSafeInteger(from)) return undefined;
  const [event] = (await log.read(`account-${accountId}`, { from, limit: 1 })) as KnownEvent[];
  const isIt = event?.type === 'ChargeReserved' && event.data.chargeId === chargeId;
  return isIt ? event : undefined;
};

/** The charge of a message's record that was read through `completed`. */
export const chargeOf = ({ charge, data }: Sent): ReservedCharge => {
  if (charge) return charge as ReservedCharge;
  throw new Error(`the record of ${data.messageId} came without its charge`);
};

const withCharge = (event: Sent, charge: ReservedCharge | undefined): Recorded => {
  if (charge) return { ...(event as Recorded), charge: charge as Recorded };
  const { type, data } = event;
  const reason = `its charge ${data.chargeId} is not in the log`;
  return { ...(event as Recorded), type: UNREADABLE, data: { type, reason, raw: data } };
};

/** Puts the charges of sent messages in their place. Keeps those that passed in memory. */
const createCompletion = (log: Pick<EventReader, 'read'>, chargesMax = CHARGES_MAX) => {
  const passed = new Map<string, ReservedCharge>();

  const note = (charge: ReservedCharge): void => {
    passed.set(charge.data.chargeId, charge);
    if (passed.size <= chargesMax) return;
    const [oldest] = passed.keys();
    passed.delete(oldest!);
  };
  const take = (chargeId: string): ReservedCharge | undefined => {
    const charge = passed.get(chargeId);
    passed.delete(chargeId);
    return charge;
  };

  return async (events: readonly Recorded[]): Promise<Recorded[]> => {
    const all: Recorded[] = [];
    const missing: number[] = [];
    for (const event of events as readonly KnownEvent[]) {
      if (event.type === 'ChargeReserved') note(event);
      // What was opened before must not be shown after it.
      else if (destructionTypes.has(event.type)) passed.clear();
      const charge = event.type === 'MessageSent' ? take(event.data.chargeId) : undefined;
      if (event.type === 'MessageSent' && !charge) missing.push(all.length);
      all.push(charge ? withCharge(event as Sent, charge) : (event as Recorded));
    }
    for (let from = 0; from < missing.length; from += READS_MAX) {
      const read = async (index: number) => {
        const event = all[index] as unknown as Sent;
        all[index] = withCharge(event, await readCharge(log, event.data));
      };
      await Promise.all(missing.slice(from, from + READS_MAX).map(read));
    }
    return all;
  };
};

/** These events with the charge beside each record of a sent message. */
export const complete = (
  log: Pick<EventReader, 'read'>,
  events: readonly Recorded[],
): Promise<Recorded[]> => createCompletion(log, 0)(events);

/**
 * The log with the charge beside each record of a sent message. A charge that has just passed comes
 * from memory, another one by one read, so that it is the same in every fold.
 */
export const completed = <Log extends EventReader>(log: Log): Log => {
  const completePage = createCompletion(log);
  return {
    ...log,
    async readAll(...where) {
      const { events, to } = await log.readAll(...where);
      return { events: await completePage(events), to };
    },
    async *follow(position, signal, interest, buckets) {
      // Without all types, nothing tells when to forget a charge: each is read.
      const completeBatch = createCompletion(log, interest ? 0 : CHARGES_MAX);
      for await (const { events, to } of log.follow(position, signal, interest, buckets)) {
        yield { events: await completeBatch(events), to };
      }
    },
  };
};
