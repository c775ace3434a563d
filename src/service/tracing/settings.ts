import { z } from 'zod';
import { httpUrl, manual, oneOf, wholeNumber } from '../../shared/setting-types.ts';

// The settings of traces, under the names of the OpenTelemetry specification.

const PAIRS_RULE = 'must look like name=value,other=value, with %2C for a comma in a value';

/** `name=value,…`, values percent-encoded. */
const pairs = z.string().transform((text, issues): Readonly<Record<string, string>> => {
  try {
    const entries = text.split(',').flatMap((part): [string, string][] => {
      if (part.trim() === '') return [];
      const [, name, value] = /^\s*([^\s=]+)\s*=(.*)$/.exec(part) ?? [];
      if (name === undefined || value === undefined) throw new Error(PAIRS_RULE);
      return [[decodeURIComponent(name), decodeURIComponent(value.trim())]];
    });
    return Object.freeze(Object.fromEntries(entries));
  } catch {
    issues.addIssue({ code: 'custom', message: PAIRS_RULE });
    return z.NEVER;
  }
});

const HEADERS_RULE = 'must hold names and values that an HTTP header can have';
const isHeader = ([name, value]: [string, string]) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t -~]*$/.test(value);
const headers = pairs.refine((all) => Object.entries(all).every(isHeader), HEADERS_RULE);

const RATIO_RULE = 'must be a number from 0 to 1';
const ratio = z
  .string()
  .regex(/^(0|1|0?\.\d{1,12}|1\.0{1,12})$/, RATIO_RULE)
  .transform(Number);

const PROPAGATORS_RULE = 'must be of tracecontext, baggage and none: others are not supported';
const propagators = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .refine(
    (names) => names.every((name) => ['tracecontext', 'baggage', 'none'].includes(name)),
    PROPAGATORS_RULE,
  );

const protocol = oneOf(['http/protobuf', 'http/json']);

/** In the order of docs/monitoring.md, whose table `npm run openapi` writes from them. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional().register(manual, {
    says: 'base URL of the collector, to which `/v1/traces` is added; turns traces on',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl
    .optional()
    .register(manual, { says: 'the whole URL, instead' }),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none']).optional().register(manual, {
    says: '`none`: off; `otlp`: on without an endpoint, for `http://localhost:4318`',
    initially: '`otlp` with an endpoint',
  }),
  OTEL_SDK_DISABLED: oneOf(['true', 'false'])
    .default('false')
    .register(manual, { says: '`true`: off' }),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol
    .default('http/protobuf')
    .register(manual, { says: 'or `http/json`' }),
  OTEL_EXPORTER_OTLP_HEADERS: headers.default({}).register(manual, {
    says: '`name=value,…`, values percent-encoded; `OTEL_EXPORTER_OTLP_HEADERS_FILE` may name a file',
    isSecret: true,
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(100, 60_000)
    .default(10_000)
    .register(manual, { says: 'ms for one batch with its retries' }),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(10, 60_000)
    .default(5_000)
    .register(manual, { says: 'ms between two batches' }),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .register(manual, { says: '`service.name` of all spans', initially: '`waybill`' }),
  OTEL_RESOURCE_ATTRIBUTES: pairs
    .default({})
    .register(manual, { says: 'attributes of all spans, in the form of headers' }),
  OTEL_TRACES_SAMPLER: oneOf([
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
    'always_on',
    'always_off',
    'traceidratio',
  ])
    .default('parentbased_always_on')
    .register(manual, {
      says: "`always_on`, `always_off`, `traceidratio`; with `parentbased_` the caller's decision goes first",
    }),
  OTEL_TRACES_SAMPLER_ARG: ratio
    .default(1)
    .register(manual, { says: 'share that `traceidratio` records, 0 to 1' }),
  OTEL_PROPAGATORS: propagators.default(['tracecontext']).register(manual, {
    says: 'without `tracecontext`, the `traceparent` of callers is not read',
  }),
};

type Values = z.output<z.ZodObject<typeof tracingSettings>>;

/** The place of a collector on the same machine. */
const LOCAL = 'http://localhost:4318';

/** Null while traces are off: without an endpoint, unless the exporter is asked for by name. */
export const tracingOf = (values: Values) => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = values;
  const exporter = values.OTEL_TRACES_EXPORTER ?? (base || own ? 'otlp' : 'none');
  if (values.OTEL_SDK_DISABLED === 'true' || exporter === 'none') return null;
  return Object.freeze({
    url: own ?? `${(base ?? LOCAL).replace(/\/+$/, '')}/v1/traces`,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
    timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    /** Pause before what has come together is sent. */
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
    resource: Object.freeze({
      'service.name': 'waybill',
      ...values.OTEL_RESOURCE_ATTRIBUTES,
      ...(values.OTEL_SERVICE_NAME !== undefined && { 'service.name': values.OTEL_SERVICE_NAME }),
    }),
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    /** Whether the span of a request goes under that of its caller. */
    continuesCallers: values.OTEL_PROPAGATORS.includes('tracecontext'),
  });
};

export type TracingSettings = NonNullable<ReturnType<typeof tracingOf>>;
