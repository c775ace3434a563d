import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** The part of a logger that background work uses. */
export type Log = Record<'info' | 'warn' | 'error', (fields: object, text: string) => void>;

/** Fields that never reach a log line, at any depth. Compared in lower case. */
const HIDDEN_FIELDS = new Set(
  `authorization cookie token accesstoken admintoken verifytoken apikey key secret appsecret
  secrethash password pin signature to from wa_id waid recipientwaid senderwaid contact contacts
  variables body rawbody text content caption components recipients message messages webhookurl
  callbackurl eventstoreurl mongourl`.split(/\s+/),
);
const HIDDEN = '[hidden]';
const DEPTH_MAX = 6;
const ITEMS_MAX = 50;
const TEXT_MAX = 4096;

/** Secrets inside a text, such as the message of a library's error. */
const SECRET_SHAPES: readonly [RegExp, string][] = [
  [/\b(bearer\s+)[^\s"']+/gi, `$1${HIDDEN}`],
  [/\bwb_(live|adm)_[0-9A-Za-z_]+/g, HIDDEN],
  [/(access_token=)[^&\s"']+/gi, `$1${HIDDEN}`],
  [/:\/\/[^\s/@]+@/g, `://${HIDDEN}@`],
];

const hideSecretShapes = (line: string): string =>
  SECRET_SHAPES.reduce((scrubbed, [shape, hidden]) => scrubbed.replace(shape, hidden), line);

const scrubFields = (value: object, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value)
      .slice(0, ITEMS_MAX)
      .map(([name, field]) => [
        name,
        HIDDEN_FIELDS.has(name.toLowerCase()) ? HIDDEN : scrub(field, depth),
      ]),
  );

const isExpected = (error: Error): boolean => 'isExpected' in error && error.isExpected === true;

/**
 * The loggable part of an error, without fields that libraries add, such as whole requests. Faults
 * keep their stack; an expected error and its causes have none.
 */
const scrubError = (error: Error, depth: number, withStack: boolean): Record<string, unknown> => {
  const isFault = withStack && !isExpected(error);
  const { cause } = error;
  return {
    type: error.name,
    message: error.message.slice(0, TEXT_MAX),
    ...('code' in error && { code: error.code }),
    ...(isFault && { stack: (error.stack ?? '').slice(0, TEXT_MAX) }),
    ...(cause !== undefined && {
      cause:
        cause instanceof Error && depth + 1 < DEPTH_MAX
          ? scrubError(cause, depth + 1, isFault)
          : scrub(cause, depth + 1),
    }),
  };
};

const scrub = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return value.slice(0, TEXT_MAX);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[deep]';
  if (value instanceof Error) return scrubError(value, depth, true);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => scrub(item, depth + 1));
  return scrubFields(value, depth + 1);
};

const scrubLine = (fields: object): Record<string, unknown> => scrubFields(fields, 0);

export interface LoggerOptions {
  level: string;
  /** Where the lines go; standard output when absent. */
  destination?: DestinationStream;
}

/** Writes JSON lines. Hides fields that could hold secrets or message texts, by their names. */
export const createLogger = ({ level, destination }: LoggerOptions): Logger => {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: scrubLine },
      // The formatter has already turned errors into plain objects.
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: hideSecretShapes },
    },
    ...(destination ? [destination] : []),
  );
  const { child } = logger;
  // Pino has no formatter for a child's bindings.
  logger.child = function (this: Logger, bindings: object, options?: object) {
    return child.call(this, scrubLine(bindings), options);
  } as typeof child;
  return logger;
};
