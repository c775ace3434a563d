import { codeIn, isCap } from './retry.ts';
import type { ErrorCode, ProblemOf, Schemas } from './types.ts';

/** Every error of this client. */
export class WaybillError extends Error {
  override name = 'WaybillError';
}

/** Whether a message may have gone out although no success was answered. */
export interface MayHaveBeenSent {
  /** Look into `listMessages` before you send it again under another `Idempotency-Key`. */
  readonly mayHaveBeenSent: boolean;
}

/** No answer came: the connection failed, or the time was over. */
export class ConnectionError extends WaybillError implements MayHaveBeenSent {
  override name = 'ConnectionError';
  readonly mayHaveBeenSent: boolean;
  /** Of the last attempt; under it the same request can be made again safely. */
  readonly idempotencyKey: string | undefined;

  constructor(
    message: string,
    options: { cause: unknown; mayHaveBeenSent: boolean; idempotencyKey: string | undefined },
  ) {
    super(message, { cause: options.cause });
    this.mayHaveBeenSent = options.mayHaveBeenSent;
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** What the service answered. */
export interface Refusal {
  status: number;
  body: unknown;
  headers: Headers;
  idempotencyKey: string | undefined;
}

/** The problems of a field; a problem inside it has its whole path already. */
const problemsOf = ([field, texts]: [string, readonly string[]]): string => {
  const isInside = (text: string) => text.startsWith(`${field}.`) || text.startsWith(`${field}[`);
  return texts.map((text) => (isInside(text) ? text : `${field}: ${text}`)).join('; ');
};

const textOf = (status: number, body: unknown): string => {
  const { error, hint, details } = (body ?? {}) as Partial<Record<string, unknown>>;
  const { formErrors = [], fieldErrors = {} } = (error ?? {}) as Partial<
    Schemas['ValidationProblem']['error']
  >;
  const problems = [...formErrors, ...Object.entries(fieldErrors).map(problemsOf)].join('; ');
  const text = typeof error === 'string' ? error : problems || `The service answered ${status}`;
  // What a refusal of the provider means, then what to do with the send.
  const hints = [(details as { hint?: unknown } | undefined)?.hint, hint].filter(
    (one) => typeof one === 'string',
  );
  // The texts of the service are sentences, some without their full stop.
  return hints.reduce((said, one) => `${said.replace(/[^.!?:]$/, '$&.')} ${one}`, text);
};

/** The service answered with an error. */
export class ApiError extends WaybillError {
  override name = 'ApiError';
  readonly status: number;
  /** As the service sent it. */
  readonly body: unknown;
  /** To branch on; undefined where the service gives none. */
  readonly code: string | undefined;
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Under which the request was made, where it was a send. */
  readonly idempotencyKey: string | undefined;

  constructor({ status, body, headers, idempotencyKey }: Refusal) {
    super(textOf(status, body));
    this.status = status;
    this.body = body;
    this.code = codeIn(body);
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.idempotencyKey = idempotencyKey;
  }

  /** Narrows the error, and its body, to one with this code. */
  is<Code extends ErrorCode>(code: Code): this is ApiError & { code: Code; body: ProblemOf<Code> } {
    return this.code === code;
  }
}

/** 400: the request does not match its schema. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
  declare readonly body: Schemas['ValidationProblem'];

  /** Texts by field, such as `recipients[3].variables.awbCode`. */
  get fieldErrors(): Readonly<Record<string, readonly string[]>> {
    return this.body.error.fieldErrors;
  }
}

/** 401: the key is missing, wrong, revoked or inactive. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 402: not enough credits or balance. Nothing was sent or charged. */
export class InsufficientFundsError extends ApiError {
  override name = 'InsufficientFundsError';
  declare readonly body: Schemas['AccountInsufficientProblem'];
}

/** 404: the account has no such resource. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 429 of a sending cap of the account: to wait does not help, except for `perMinute`. */
export class CapReachedError extends ApiError {
  override name = 'CapReachedError';
  declare readonly body: Schemas['AccountCapReachedProblem'];
}

/** 429 of the rate limit of the key, after all retries. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 502: the provider refused the message. The charge was refunded. */
export class SendFailedError extends ApiError {
  override name = 'SendFailedError';
  declare readonly body: ProblemOf<'SEND_FAILED'>;

  /** The provider's code, such as 131026; null where it gave none. */
  get providerCode(): number | null {
    return this.body.details.providerCode;
  }
}

/** 504: the provider did not answer. The charge was refunded, and the message may have gone out. */
export class OutcomeUnknownError extends ApiError implements MayHaveBeenSent {
  override name = 'OutcomeUnknownError';
  readonly mayHaveBeenSent = true;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

type Kind = new (refusal: Refusal) => ApiError;

const kindOf = ({ status, body }: Refusal): Kind => {
  const fields = isObject(body) ? body : {};
  const code = codeIn(body);
  if (status === 400 && 'error' in fields && isObject(fields.error)) return ValidationError;
  if (status === 401) return AuthenticationError;
  if (status === 402 && 'reason' in fields) return InsufficientFundsError;
  if (status === 404) return NotFoundError;
  if (status === 429) return isCap(body) ? CapReachedError : RateLimitError;
  if (code === 'SEND_FAILED') return SendFailedError;
  if (code === 'OUTCOME_UNKNOWN') return OutcomeUnknownError;
  return ApiError;
};

/** The error of an answer with a status of 400 or more. */
export const errorOf = (refusal: Refusal): ApiError => new (kindOf(refusal))(refusal);
