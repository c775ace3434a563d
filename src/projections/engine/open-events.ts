import { settingsTypes } from '../../events/index.ts';
import { destructionTypes } from '../../events/opened.ts';
import { type Recorded, UNREADABLE } from '../../events/store.ts';
import type { Projection } from '../define.ts';

/** Opens the sealed parts of events of the log, and forgets keys at the events of their destruction. */
export type Open = (events: readonly Recorded[]) => Promise<readonly Recorded[]>;

/**
 * Whether the fold of an event needs what is sealed in it: only documents that an erasure empties can hold
 * personal fields, and any can hold settings.
 */
export const readsSealed = ({ erase }: Pick<Projection, 'erase'>, { type }: Recorded): boolean =>
  erase !== undefined || settingsTypes.has(type);

const withCharge = (event: Recorded, charge: Recorded): Recorded => {
  if (charge.type !== UNREADABLE) return { ...event, charge };
  const { reason } = charge.data as { reason: string };
  const { type, data: raw } = event;
  return { ...event, type: UNREADABLE, data: { type, reason, raw } };
};

/**
 * Opens the wanted events of a batch, and their charges: what no fold reads is not decrypted. Looks
 * at every destruction of keys in the batch, in the order of the log.
 */
export const openWanted = async (
  open: Open,
  events: readonly Recorded[],
  wanted: ReadonlySet<Recorded>,
): Promise<ReadonlyMap<Recorded, Recorded>> => {
  const asked = events.flatMap((event) => {
    if (wanted.has(event)) return event.charge ? [event.charge, event] : [event];
    return destructionTypes.has(event.type) ? [event] : [];
  });
  const opened = await open(asked);
  const found = new Map(asked.map((event, index) => [event, opened[index]!]));
  for (const event of wanted) {
    if (event.charge) found.set(event, withCharge(found.get(event)!, found.get(event.charge)!));
  }
  return found;
};
