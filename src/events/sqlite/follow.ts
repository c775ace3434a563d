import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Interest, Position, Recorded } from '../store.ts';
import type { LiveBuffer } from './live-buffer.ts';
import type { Reader } from './reader.ts';
import { formatPosition, parsePosition } from './rows.ts';

/** Bounds of a slice, which is read and decoded at once. Other work runs between two slices. */
const sliceEventsMax = 200;
const sliceCharactersMax = 2 * 1024 * 1024;
const batchEventsMax = 1_000;

/** The live buffer and the file of a follower. */
export interface Source {
  buffer: Pick<LiveBuffer, 'head' | 'watch' | 'after' | 'changed'>;
  reader: Reader;
  demandReadable: () => void;
}

interface Batch {
  events: Recorded[];
  to: number;
}

/** The events after `from`, up to a full batch or the end of the log. */
const gather = async (
  from: number,
  { buffer, reader }: Source,
  interest: Interest | undefined,
): Promise<Batch> => {
  const batch: Batch = { events: [], to: from };
  for (;;) {
    const at = batch.to;
    const limit = Math.min(sliceEventsMax, from + batchEventsMax - at, buffer.head() - at);
    const slice =
      buffer.after(at, limit, interest) ?? reader.page(at, limit, sliceCharactersMax, interest);
    if (slice.count === 0 || slice.to !== at + slice.count) {
      throw new Error(`the event log has a gap after position ${at}`);
    }
    batch.events.push(...slice.events);
    batch.to = slice.to;
    // A short slice holds large events: yield them before more are read.
    const full = slice.count < limit || batch.to === from + batchEventsMax;
    if (full || batch.to === buffer.head()) return batch;
    await nextTurn();
  }
};

/** A position as a number. Throws past the end of the log: the position is of another log. */
export const positionIn = (position: Position, { buffer, reader }: Source): number => {
  const at = parsePosition(position);
  if (at > buffer.head() && at > reader.head()) {
    throw new Error(`position ${position} is past the end of this log`);
  }
  return at;
};

/** Waits without polling: an idle follower costs nothing until the next commit. */
export async function* follow(
  position: Position,
  signal: AbortSignal,
  source: Source,
  interest?: Interest,
): AsyncGenerator<{ events: Recorded[]; to: Position }, void, void> {
  if (signal.aborted) return;
  const { buffer, demandReadable } = source;
  demandReadable();
  const unwatch = buffer.watch(interest);
  try {
    let at = positionIn(position, source);
    if (at >= buffer.head()) yield { events: [], to: position };
    while (!signal.aborted) {
      demandReadable();
      if (at >= buffer.head()) {
        await buffer.changed(at, signal, interest);
        continue;
      }
      const { events, to } = await gather(at, source, interest);
      if (signal.aborted) return;
      at = to;
      yield { events, to: formatPosition(to) };
    }
  } finally {
    unwatch();
  }
}
