import type { Recorded } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Tracing } from '../../shared/tracing.ts';

/** Events of one batch that get a span. */
const FOLDS_MAX = 100;

/** Traced events that the read models show since `endMs`. Times are in ms since 1970. */
export interface Folds {
  startMs: number;
  endMs: number;
  events: readonly { type: string; traceparent: string }[];
}

/** Reports the traced events of each batch once the read models show them. */
export const createOnFold =
  (clock: Clock, report: (folds: Folds) => void) =>
  (batch: readonly Recorded[]): (() => void) | undefined => {
    const traced = batch.flatMap(({ type, meta: { traceparent } }) =>
      traceparent === undefined ? [] : [{ type, traceparent }],
    );
    if (traced.length === 0) return undefined;
    const startMs = clock.now();
    const events = traced.slice(0, FOLDS_MAX);
    return () => report({ startMs, endMs: clock.now(), events });
  };

/** A span for each of the events. */
export const recordFolds =
  (tracing: Tracing) =>
  ({ startMs, endMs, events }: Folds): void => {
    for (const { type, traceparent: parent } of events) {
      tracing.child({ name: `project ${type}`, kind: 'internal', parent, startMs })?.end(endMs);
    }
  };
