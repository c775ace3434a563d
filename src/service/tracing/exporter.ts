import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { Agent, request } from 'undici';
import { retry } from '../../shared/retry.ts';
import type { TracingSettings } from './settings.ts';

/** Pauses before further attempts to send a batch. */
const RETRY_MS = [1000, 3000];

const FORMS = {
  'http/json': { type: 'application/json', serializer: JsonTraceSerializer },
  'http/protobuf': { type: 'application/x-protobuf', serializer: ProtobufTraceSerializer },
};

/** The collector answered with this status. */
class Refused extends Error {
  readonly mayPass: boolean;
  constructor(status: number) {
    super(`the collector answered ${status}`);
    this.mayPass = [429, 502, 503, 504].includes(status);
  }
}

interface Exporter extends SpanExporter {
  /** Resolves when no batch is on its way. */
  idle(): Promise<void>;
}

/**
 * Sends batches of spans to the collector, each within its time limit. `shutdown` gives up the rest: that of
 * `@opentelemetry/exporter-trace-otlp-proto` waits for every batch under way and its retries, up to the time
 * limit of each (10 s by default), and a stopping service has 2 s for its traces.
 */
export const createExporter = (
  { url, headers, protocol, timeoutMs }: TracingSettings,
  onDone: (outcome: 'exported' | 'failed', spans: number, reason?: string) => void,
): Exporter => {
  const { type, serializer } = FORMS[protocol];
  const closing = new AbortController();
  const agent = new Agent();
  const onTheirWay = new Set<Promise<ExportResult>>();

  const send = async (body: Uint8Array, signal: AbortSignal): Promise<void> => {
    const response = await request(url, {
      method: 'POST',
      body,
      signal,
      dispatcher: agent,
      headers: { 'user-agent': 'Waybill', ...headers, 'content-type': type },
    });
    await response.body.dump();
    if (response.statusCode >= 300) throw new Refused(response.statusCode);
  };

  const sendBatch = async (spans: ReadableSpan[]): Promise<ExportResult> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
    const mayPass = (error: unknown) => !(error instanceof Refused) || error.mayPass;
    try {
      const body = serializer.serializeRequest(spans)!;
      await retry(() => send(body, signal), { delays: RETRY_MS, signal, while: mayPass });
      onDone('exported', spans.length);
      return { code: ExportResultCode.SUCCESS };
    } catch (error) {
      const { message, cause } = error as Error;
      onDone('failed', spans.length, cause instanceof Error ? cause.message : message);
      return { code: ExportResultCode.FAILED };
    }
  };

  return {
    export(spans, done) {
      const sending = sendBatch(spans);
      onTheirWay.add(sending);
      void sending.then((result) => {
        onTheirWay.delete(sending);
        done(result);
      });
    },
    async idle() {
      await Promise.all(onTheirWay);
    },
    async shutdown() {
      closing.abort();
      await agent.destroy();
    },
  };
};
