import { createHash } from 'node:crypto';
import type { KnownEvent } from '../../../src/events/index.ts';
import { type EventStore, START } from '../../../src/events/store.ts';

/** Every event of the log, in its order. */
export const readLog = async (store: EventStore): Promise<KnownEvent[]> => {
  const events: KnownEvent[] = [];
  for (let position = START; ; ) {
    const page = await store.readAll(position, 1000);
    if (page.events.length === 0) return events;
    events.push(...(page.events as KnownEvent[]));
    position = page.to;
  }
};

/** I5: revisions and positions without gaps or doubles, and no event twice. */
export const checkOrder = (
  events: readonly KnownEvent[],
  positions: 'consecutive' | 'ascending',
): string[] => {
  const problems: string[] = [];
  const ends = new Map<string, number>();
  const ids = new Set<string>();
  let before = START;
  for (const { id, stream, revision, position, type } of events) {
    const name = `${type} at ${position}`;
    if (ids.has(id)) problems.push(`I5 ${name}: its id ${id} stands in the log twice`);
    ids.add(id);
    const expected = (ends.get(stream) ?? -1) + 1;
    if (revision !== expected) {
      problems.push(`I5 ${name}: revision ${revision} of ${stream} should be ${expected}`);
    }
    ends.set(stream, revision);
    const follows =
      positions === 'ascending' ? position > before : Number(position) === Number(before) + 1;
    if (!follows) problems.push(`I5 ${name}: it does not follow the position "${before}"`);
    before = position;
  }
  return problems;
};

/** Written here a second time, so that a fault of the program's own is not taken for the rule. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = fields.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join()}}`;
};

/** What the hash of a link must be. */
export const linkHashOf = (previousHash: string, stored: object): string =>
  createHash('sha256')
    .update(previousHash + JSON.stringify(stored))
    .digest('hex');

/** What it must be where the data hold it. */
export const hashOf = (type: string, { hash: _own, ...data }: Record<string, unknown>): string =>
  createHash('sha256')
    .update(canonical({ ...data, type }))
    .digest('hex');
