import { AsyncLocalStorage } from 'node:async_hooks';

// Which recorded trace the work under way belongs to, as W3C `traceparent`. While traces are off,
// nothing is ever stored here, and reading it costs nanoseconds.

const traces = new AsyncLocalStorage<string | undefined>();

/** The traceparent of the span that the work under way goes under; undefined without one. */
export const currentTrace = (): string | undefined => traces.getStore();

/** The id of that trace. */
export const currentTraceId = (): string | undefined => currentTrace()?.split('-')[1];

/** Does the work under this span, or under none. */
export const inTrace = <T>(traceparent: string | undefined, work: () => T): T =>
  traceparent === traces.getStore() ? work() : traces.run(traceparent, work);

/** For work that another one's end will start: does it under the span of now. */
export const keepTrace = <T>(work: () => T): (() => T) => {
  const traceparent = traces.getStore();
  return () => (traceparent === traces.getStore() ? work() : traces.run(traceparent, work));
};
