import type { SourceEvent } from './ports.ts';

/** Characters have at most 3 bytes, so an append stays below 1 MiB. A larger event has its own append. */
const APPEND_CHARACTERS_MAX = 256 * 1024;
const APPEND_EVENTS_MAX = 500;
/** EventStoreDB's overhead per event: id, type and lengths. */
const FRAME_CHARACTERS = 300;

const sizeOf = ({ data, meta }: SourceEvent): number =>
  data.length + meta.length + FRAME_CHARACTERS;

/**
 * Splits events in log order into appends: each holds neighbours of one stream, and fits into one
 * write. Appending the runs one after the other keeps the order of the log.
 */
export function* runsOf(events: Iterable<SourceEvent>): Generator<readonly SourceEvent[]> {
  let run: SourceEvent[] = [];
  let size = 0;
  for (const event of events) {
    const isNext =
      event.stream === run[0]?.stream &&
      run.length < APPEND_EVENTS_MAX &&
      size + sizeOf(event) <= APPEND_CHARACTERS_MAX;
    if (!isNext && run.length > 0) {
      yield run;
      run = [];
      size = 0;
    }
    run.push(event);
    size += sizeOf(event);
  }
  if (run.length > 0) yield run;
}
