import type { IncomingHttpHeaders } from 'node:http';
import { printable } from '../../shared/printable.ts';
import { type Row, rowOf } from '../output/format.ts';
import { CliError, codeOf } from '../program/failure.ts';

interface Refusal {
  status: number;
  headers: IncomingHttpHeaders;
  /** Undefined when it is no JSON. */
  body: unknown;
}

interface Asked {
  url: string;
  tokenName?: string | undefined;
  idempotencyKey?: string;
}

interface Validation {
  formErrors?: unknown;
  fieldErrors?: unknown;
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((text) => printable(String(text)));

/** One line for each problem, under the field that has it. */
const listed = ({ formErrors = [], fieldErrors }: Validation): string => {
  const fields = Object.entries(fieldErrors ?? {}).flatMap(([field, problems]) =>
    // The API names a nested problem by its path, which begins with the field.
    texts(problems).map((problem) =>
      /^[.[]/.test(problem.slice(field.length)) && problem.startsWith(field)
        ? problem
        : `${printable(field)}: ${problem}`,
    ),
  );
  const lines = [...texts(formErrors), ...fields].map((line) => `\n  ${line}`);
  return `The request is invalid${lines.length > 0 ? `:${lines.join('')}` : ''}`;
};

const wordsOf = (status: number, error: unknown): string => {
  if (typeof error === 'string' && error !== '') return printable(error);
  if (typeof error === 'object' && error !== null) return listed(error);
  return `The service answered ${status} without saying why`;
};

/** The words of a refusal in an answer, with what to do. */
export const errorWords = ({ status, error, hint }: Row): string =>
  [wordsOf(Number(status), error), ...(typeof hint === 'string' ? [printable(hint)] : [])].join(
    '\n  ',
  );

const endsInApi = (url: string) => /\/api$/.test(url);

/** What may help against this refusal. */
const hintOf = ({ status, headers }: Refusal, { url, tokenName }: Asked): string => {
  if (status === 401 && tokenName !== undefined) return ` (it was the ${tokenName})`;
  if (status === 404 && !endsInApi(url)) return ` (is ${url} right? It normally ends in /api)`;
  const retryAfter = headers['retry-after'];
  if (retryAfter !== undefined) return ` (try again in ${printable(String(retryAfter))} s)`;
  if (status < 500) return '';
  const requestId = headers['x-request-id'];
  const trace = requestId === undefined ? '' : `, request id ${printable(String(requestId))}`;
  return ` (status ${status}${trace})`;
};

/** How to repeat a call that may have moved money: with the same key it counts once. */
const howToRepeat = ({ idempotencyKey }: Asked): string =>
  idempotencyKey === undefined
    ? ''
    : `\nWhether it took effect is not known: repeat it with --idempotency-key ${idempotencyKey}`;

/** The service answered, and not with a 2xx. */
export class ApiRefusal extends CliError {
  readonly status: number;
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, headers }: Refusal) {
    super(message);
    this.status = status;
    const seconds = Number(headers['retry-after'] ?? Number.NaN);
    this.retryAfter = seconds >= 0 ? seconds : undefined;
  }
}

/** What the service itself says should be done next: about the provider's refusal, and about ours. */
const adviceOf = (body: Row): string =>
  [
    typeof body.didYouMean === 'string' && `Did you mean ${body.didYouMean}?`,
    rowOf(body.details).hint,
    body.hint,
  ]
    .filter((hint) => typeof hint === 'string')
    .map((hint) => `\n  ${printable(hint)}`)
    .join('');

export const refusalOf = (refusal: Refusal, asked: Asked): ApiRefusal => {
  const { status, body, headers } = refusal;
  const row = rowOf(body);
  // After a refusal of the provider the charge was given back: the send had no effect.
  const isUnknown = status >= 500 && row.code !== 'SEND_FAILED';
  const repeat = isUnknown ? howToRepeat(asked) : '';
  const { location } = headers;
  if (body === undefined || location !== undefined) {
    const what = location
      ? `a redirect to ${printable(String(location))}`
      : 'something that is not JSON';
    return new ApiRefusal(
      `${asked.url} answered ${status} with ${what}: is it the right address?${repeat}`,
      refusal,
    );
  }
  const { error, code } = row;
  const named = typeof code === 'string' ? ` [${printable(code)}]` : '';
  const words = wordsOf(status, error) + named;
  return new ApiRefusal(words + hintOf(refusal, asked) + adviceOf(row) + repeat, refusal);
};

/** Errors before there was a connection: the service has received nothing. */
const NOT_CONNECTED: Record<string, string> = {
  ECONNREFUSED: 'connection refused: is the service running?',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the service speaks http there, not https',
};

/** Errors after which the service may have acted on the request. */
const BROKEN: Record<string, string> = {
  ECONNRESET: 'the connection broke before the answer was complete',
  UND_ERR_SOCKET: 'the connection broke before the answer was complete',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'no complete answer in time',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the answer is too large',
};

/** The error for a call without a whole answer. */
export const transportFailure = (error: unknown, asked: Asked): CliError => {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const code = isLate ? 'UND_ERR_HEADERS_TIMEOUT' : codeOf(error);
  const unconnected = NOT_CONNECTED[code];
  if (unconnected !== undefined) {
    return new CliError(`Cannot reach ${asked.url}: ${unconnected}`, 1, error);
  }
  const why = BROKEN[code] ?? code;
  return new CliError(`No answer from ${asked.url}: ${why}${howToRepeat(asked)}`, 1, error);
};
