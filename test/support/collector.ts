import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Config, loadConfig } from '../../src/config.ts';
import { startServer } from './server.ts';
import { until } from './until.ts';
import { environmentOf, type Json, PROVIDER } from './waybill.ts';

/** A span as it comes to the collector. */
export interface CollectedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, unknown>;
  /** 2 for an error. */
  status: number;
  startMs: number;
  endMs: number;
  resource: Record<string, unknown>;
}

/** What receives the spans: an HTTP server. */
export interface Collector {
  url: string;
  spans: CollectedSpan[];
  requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[];
  /** From now on; by default an empty 200. */
  answer(respond: (response: ServerResponse) => void): void;
  /** Waits until spans of these names have come in one trace, and gives them all. */
  trace(traceId: string, ...names: string[]): Promise<CollectedSpan[]>;
  /** The settings that lead there. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Spans of one send: its request, what it does, and the folds of its events. */
export const SPANS_OF_SEND = [
  'POST /api/v1/notifications/send',
  ...['append account', 'provider send', 'append message'],
  ...['project ChargeReserved', 'project MessageSent'],
] as const;

const plainOf = (value: Json): unknown =>
  value.arrayValue
    ? value.arrayValue.values.map(plainOf)
    : (value.stringValue ?? value.intValue ?? value.doubleValue);

const attributesOf = (list: Json[] = []) =>
  Object.fromEntries(list.map(({ key, value }) => [key, plainOf(value)]));

const millis = (nanos: string) => Number(BigInt(nanos) / 1_000_000n);

const spansIn = (body: Buffer): CollectedSpan[] =>
  JSON.parse(body.toString()).resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) =>
      spans.map((span: Json) => ({
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        attributes: attributesOf(span.attributes),
        status: span.status.code ?? 0,
        startMs: millis(span.startTimeUnixNano),
        endMs: millis(span.endTimeUnixNano),
        resource: attributesOf(resource.attributes),
      })),
    ),
  );

export const startCollector = async (): Promise<Collector> => {
  const spans: CollectedSpan[] = [];
  const requests: Collector['requests'] = [];
  let respond = (response: ServerResponse): void => void response.end('{}');
  const { url, close } = await startServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const body = await buffer(request);
    requests.push({ path, headers, body });
    if (headers['content-type'] === 'application/json') spans.push(...spansIn(body));
    respond(response);
  });
  const of = (traceId: string) => spans.filter((span) => span.traceId === traceId);
  return {
    url,
    spans,
    requests,
    answer(next) {
      respond = next;
    },
    async trace(traceId, ...names) {
      const missing = () => {
        const left = of(traceId).map(({ name }) => name);
        return names.filter((name) => {
          const at = left.indexOf(name);
          if (at >= 0) left.splice(at, 1);
          return at < 0;
        });
      };
      await until(`${names.join(', ')} of ${traceId}`, () => missing().length === 0).catch(
        (error: Error) => {
          const came = of(traceId).map(({ name }) => name);
          throw new Error(`${error.message}: only ${came.join(', ')} came`);
        },
      );
      return of(traceId);
    },
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
    close,
  };
};

/** The settings of traces in this environment. */
export const tracingSettings = (env: Record<string, string>): Config['tracing'] =>
  loadConfig({ ...environmentOf({ directory: 'none', providerUrl: PROVIDER }), ...env }).tracing;

/** A caller's traceparent of a trace of its own. */
export const callersTrace = (flags = '01') => {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => (Math.floor(Math.random() * 15) + 1).toString(16)).join(
      '',
    );
  const [traceId, spanId] = [hex(32), hex(16)];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
};
