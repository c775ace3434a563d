/**
 * What an account was charged in the last 20 to 40 minutes: [number of the 20-minute slot since 1970,
 * units]. It is an upper bound of the open reservations, which the account's own events cannot tell
 * from sent messages: a reservation is settled or swept before it leaves the last two slots.
 */
export type RecentCharges = readonly (readonly [number, number])[];

export const noCharges: RecentCharges = [];

/** Longer than the oldest open reservation (15 minutes) and the pause between two sweeps. */
const SLOT_MS = 20 * 60_000;
const SLOTS_KEPT = 2;

const slotOf = (milliseconds: number) => Math.floor(milliseconds / SLOT_MS);

/** Adds what a reservation made at `at` took; negative units take a refund out again. */
export const addCharge = (charges: RecentCharges, at: string, units: number): RecentCharges => {
  if (units === 0) return charges;
  const slot = slotOf(Date.parse(at));
  const newest = charges.at(-1);
  if (newest && newest[0] === slot) {
    return charges.with(charges.length - 1, [slot, Math.max(0, newest[1] + units)]);
  }
  const index = charges.findIndex(([one]) => one === slot);
  if (index >= 0) return charges.with(index, [slot, Math.max(0, charges[index]![1] + units)]);
  // A refund from a forgotten slot does not count.
  if (units < 0) return charges;
  return [...charges, [slot, units] as const]
    .toSorted(([one], [other]) => one - other)
    .slice(-SLOTS_KEPT);
};

/** Units that may still be refunded at `nowMs`: at least those of open reservations. */
export const openUnits = (charges: RecentCharges, nowMs: number): number => {
  const oldest = slotOf(nowMs) - (SLOTS_KEPT - 1);
  return charges.reduce((sum, [slot, units]) => (slot >= oldest ? sum + units : sum), 0);
};
