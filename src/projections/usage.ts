import { type Usage, type UsageCounts, usageBy } from '../shared/usage.ts';

export { noUsage, type Usage } from '../shared/usage.ts';

/** Whole seconds: a document is written often, and is to be small. */
const seconds = usageBy(1000);

export const { add: addUsage, addBack: addUsageBack } = seconds;

/** What an account's document shows of its usage at a moment. */
export const usageAt = ({ usage }: { usage: Usage }, nowMs: number): UsageCounts =>
  seconds.at(usage, nowMs);
