import { type DestinationStream, type Logger, pino } from 'pino';
import { HIDDEN, hidePersonal, hideSecrets } from './log-masks.ts';

export type { Logger } from 'pino';

/** The part of a logger that background work uses. */
export type Log = Record<'info' | 'warn' | 'error', (fields: object, text: string) => void>;

/** Fields that never reach a log line, at any depth. Compared in lower case. */
const HIDDEN_FIELDS = new Set(
  `authorization cookie token accesstoken admintoken verifytoken apikey key secret appsecret
  secrethash password pin signature to from wa_id waid recipientwaid senderwaid contact contacts
  user_id userid contactuserid recipientuserid name contactname profile messageid clientreference
  variables body rawbody raw text content caption components recipient recipients message messages
  params query url webhookurl callbackurl eventstoreurl mongourl`.split(/\s+/),
);
/** Fields with ids of the business and counts of ours, which may look like telephone numbers. */
const CLEAR_FIELDS = new Set(
  'requestid traceid phonenumberid wabaid chargeid position revision bytes time'.split(' '),
);
/** A whole number with seven digits may be a telephone number. */
const NUMBER_MIN = 1_000_000;
const DEPTH_MAX = 6;
const ITEMS_MAX = 50;
const TEXT_MAX = 4096;

const scrubFields = (value: object, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value)
      .slice(0, ITEMS_MAX)
      .map(([name, field]) => [hidePersonal(name), scrubField(name.toLowerCase(), field, depth)]),
  );

const scrubField = (name: string, field: unknown, depth: number): unknown => {
  if (HIDDEN_FIELDS.has(name)) return HIDDEN;
  return CLEAR_FIELDS.has(name) && typeof field !== 'object' ? plain(field) : scrub(field, depth);
};

const isExpected = (error: Error): boolean => 'isExpected' in error && error.isExpected === true;

/**
 * The loggable part of an error, without fields that libraries add, such as whole requests. Faults
 * keep their stack; an expected error and its causes have none.
 */
const scrubError = (error: Error, depth: number, withStack: boolean): Record<string, unknown> => {
  const isFault = withStack && !isExpected(error);
  const { cause } = error;
  return {
    type: scrub(error.name),
    message: scrub(error.message),
    ...('code' in error && { code: scrub(error.code, DEPTH_MAX) }),
    ...(isFault && { stack: scrub(error.stack ?? '') }),
    ...(cause !== undefined && {
      cause:
        cause instanceof Error && depth + 1 < DEPTH_MAX
          ? scrubError(cause, depth + 1, isFault)
          : scrub(cause, depth + 1),
    }),
  };
};

/** A value whose digits stay. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' || typeof value === 'bigint' ? hideSecrets(String(value)) : value;

const scrub = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return hidePersonal(value.slice(0, TEXT_MAX));
  if (typeof value === 'number' || typeof value === 'bigint') {
    return value >= NUMBER_MIN ? HIDDEN : plain(value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[deep]';
  if (value instanceof Error) return scrubError(value, depth, true);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => scrub(item, depth + 1));
  return scrubFields(value, depth + 1);
};

const scrubLine = (fields: object): Record<string, unknown> => scrubFields(fields, 0);

interface LoggerOptions {
  level: string;
  /** Where the lines go; standard output when absent. */
  destination?: DestinationStream;
  /** The id of the trace that a line belongs to; absent while traces are off. */
  traceId?: (() => string | undefined) | undefined;
}

/**
 * Writes JSON lines. Hides fields that could hold secrets, contacts or texts, by their names, and
 * numbers and ids of contacts in the texts of errors, by their shapes.
 */
export const createLogger = ({ level, destination, traceId }: LoggerOptions): Logger => {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(traceId && { mixin: () => ({ traceId: traceId() }) }),
      formatters: { level: (label) => ({ level: label }), log: scrubLine },
      // The formatter has already turned errors into plain objects.
      serializers: { err: (error: unknown) => error, msg: scrub },
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

/** Ends the process on a fault that nothing caught. Node itself would print the words of the error. */
export const endOnFault = (logger: Logger): void => {
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'The process ends: nothing caught this fault');
    process.exit(1);
  });
};
