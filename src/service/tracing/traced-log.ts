import type { Writer } from '../../commands/core/execute.ts';
import type { EventStore, NewEvent } from '../../events/store.ts';
import { currentTrace, inTrace } from '../../shared/trace-context.ts';
import type { Tracing } from '../../shared/tracing.ts';
import { inSpan, within } from './spans.ts';

/** Types of events that one span names. */
const TYPES_MAX = 8;

/** The rest of a stream's name may be of a customer. */
const categoryOf = (stream: string): string => stream.split('-', 1)[0]!;

/** Gives events the trace of the work that decided them. */
export const tracedWriter = (writer: Writer): Writer => ({
  ...writer,
  execute(decider, id, command, context, options) {
    const traceparent = currentTrace();
    const on = traceparent === undefined ? context : { ...context, traceparent };
    // The commands of one stream go on in one loop: it must not belong to the first one's trace.
    return inTrace(undefined, () => writer.execute(decider, id, command, on, options));
  },
});

/** The events of one append by their traces. */
const byTrace = (events: readonly NewEvent[]) => {
  const traces = new Map<string, Set<string>>();
  for (const { type, meta } of events) {
    if (meta.traceparent === undefined) continue;
    const types = traces.get(meta.traceparent);
    if (types) types.add(type);
    else traces.set(meta.traceparent, new Set([type]));
  }
  return traces;
};

/** A span for each append in each of the traces whose events it holds, and for reads of one stream. */
export const tracedLog = (log: EventStore, tracing: Tracing): EventStore => ({
  ...log,
  append(stream, expected, events) {
    const name = `append ${categoryOf(stream)}`;
    const count = { 'waybill.events': events.length };
    const spans = [...byTrace(events)].flatMap(([parent, types]) => {
      const attributes = { ...count, 'waybill.event.types': [...types].slice(0, TYPES_MAX) };
      return tracing.child({ name, kind: 'client', parent, attributes }) ?? [];
    });
    const append = () => log.append(stream, expected, events);
    return spans.length === 0 ? append() : within(spans, append);
  },
  read: (stream, options) =>
    inSpan(
      tracing,
      { name: `read ${categoryOf(stream)}`, kind: 'client' },
      () => log.read(stream, options),
      ({ length }) => ({ attributes: { 'waybill.events': length } }),
    ),
});
