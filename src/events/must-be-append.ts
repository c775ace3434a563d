import { type NewEvent, NO_STREAM } from './store.ts';

/** Throws for arguments that make no append. */
export const mustBeAppend = (expected: number, events: readonly NewEvent[]): void => {
  if (events.length === 0) throw new Error('an append needs at least one event');
  if (!Number.isInteger(expected) || expected < NO_STREAM) {
    throw new Error(`${expected} is not a revision`);
  }
};
