import {
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import packageFile from '../../../package.json' with { type: 'json' };
import type { Metrics } from '../../http/ops/metrics.ts';
import type { Log } from '../../shared/logger.ts';
import { withTimeout } from '../../shared/timing.ts';
import type { Attributes, Span, Tracing } from '../../shared/tracing.ts';
import { createExporter } from './exporter.ts';
import type { TracingSettings } from './settings.ts';

// Records and exports spans with the SDK of OpenTelemetry. Only `openTracing` loads this file.

export interface TracingDeps {
  logger: Pick<Log, 'warn'>;
  metrics: Pick<Metrics, 'counter'>;
}

/** Spans that wait for the collector or are on their way to it; further ones are dropped. */
const WAITING_MAX = 4096;
const BATCH_MAX = 512;
/** How long `close` waits for the collector. */
const FLUSH_MS = 2000;
const WARN_EVERY_MS = 60_000;
const LIMITS = {
  attributeCountLimit: 16,
  attributeValueLengthLimit: 256,
  eventCountLimit: 0,
  linkCountLimit: 0,
};

const samplerOf = ({ sampler, ratio }: TracingSettings): Sampler => {
  const named = sampler.replace('parentbased_', '');
  const root =
    named === 'traceidratio'
      ? new TraceIdRatioBasedSampler(ratio)
      : named === 'always_on'
        ? new AlwaysOnSampler()
        : new AlwaysOffSampler();
  return named === sampler ? root : new ParentBasedSampler({ root });
};

/** Counts spans by what became of them, and warns once a minute at most of those that are lost. */
const createCount = ({ logger, metrics }: TracingDeps) => {
  const spans = metrics.counter(
    'waybill_spans_total',
    'Spans of traces: `exported`, `failed` or `dropped` (too many waited)',
    ['outcome'],
  );
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (outcome: 'exported' | 'failed' | 'dropped', count: number, reason?: string): void => {
    for (let counted = 0; counted < count; counted += 1) spans({ outcome });
    if (outcome === 'exported' || performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    logger.warn({ reason }, 'Spans of traces do not arrive at the collector');
  };
};

/** Batches spans for the exporter, and bounds how many are held. */
const createExport = (settings: TracingSettings, deps: TracingDeps) => {
  const count = createCount(deps);
  let waiting = 0;
  const exporter = createExporter(settings, (outcome, spans, reason) => {
    waiting -= spans;
    count(outcome, spans, reason);
  });
  const batches = new BatchSpanProcessor({
    exporter,
    maxQueueSize: WAITING_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: settings.delayMs,
  });
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd(span) {
      if (waiting >= WAITING_MAX) {
        count('dropped', 1, 'too many wait');
        return;
      }
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
  const flush = async () => {
    await batches.forceFlush();
    await exporter.idle();
  };
  return {
    processor,
    async close() {
      await withTimeout(FLUSH_MS, flush(), () => undefined).catch(() => undefined);
      await exporter.shutdown();
    },
  };
};

/** The context of a remote parent; of a new trace where there is no usable one. */
const contextOf = (traceparent: string | undefined): Context => {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
};

/** Undefined for a span that is not recorded. */
const spanOf = (span: SdkSpan): Span | undefined => {
  if (!span.isRecording()) return undefined;
  const { traceId, spanId } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-01`,
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail(kind) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', kind);
    },
    end: (endMs) => span.end(endMs),
  };
};

const KINDS = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

export const createTracing = (settings: TracingSettings, deps: TracingDeps): Tracing => {
  const { processor, close } = createExport(settings, deps);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.version': packageFile.version,
      ...settings.resource,
    }),
    sampler: samplerOf(settings),
    spanProcessors: [processor],
    spanLimits: LIMITS,
  });
  const tracer = provider.getTracer('waybill', packageFile.version);
  return {
    request(method, callers) {
      const parent = contextOf(settings.continuesCallers ? callers : undefined);
      const attributes: Attributes = { 'http.request.method': method };
      return spanOf(tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent));
    },
    child({ name, kind, parent, attributes = {}, startMs }) {
      if (parent === undefined) return undefined;
      const start = startMs === undefined ? {} : { startTime: startMs };
      const options = { kind: KINDS[kind], attributes, ...start };
      return spanOf(tracer.startSpan(name, options, contextOf(parent)));
    },
    close,
  };
};
