import { CALLER_GONE, PROVIDER_UNREACHABLE, type SendFailure } from '../../events/account.ts';
import type { ScheduleError } from '../../events/schedule.ts';
import type { ProviderRefusal } from '../../provider/provider.ts';
import { providerError } from '../../provider/rules/errors.ts';
import { errorTable, type SendDetails } from '../../shared/error-table.ts';
import { AppError, type ExpectedError } from '../../shared/errors.ts';
import { refusalCodeOf } from './refusals.ts';

export const planKeepsChanging = (cause: Error) =>
  new AppError(
    'service.unavailable',
    'The plan of the account is being changed: nothing was sent',
    { retryAfterSeconds: 1, cause },
  );

export const requestTimeout = () => new AppError('request.timeout', 'The caller has gone');

export const notBegun = () =>
  new AppError('service.unavailable', 'The send took too long to prepare: nothing was sent', {
    retryAfterSeconds: 5,
  });

/** The message went out, and its record is left to the recovery: by now the sweep may be at it. */
export class TookTooLong extends Error implements ExpectedError {
  readonly isExpected = true;
  constructor() {
    super('the send took too long to be recorded: the next status update records it');
    this.name = 'TookTooLong';
  }
}

const LOOK =
  'The history shows it within minutes, and so does the answer to the same Idempotency-Key.';

export const notRecorded = (cause: unknown) =>
  new AppError('service.unavailable', 'The message went out, but it could not be recorded yet', {
    retryAfterSeconds: 60,
    hint: `The customer has it: do not send it again. ${LOOK}`,
    cause,
  });

/** The process stood still for so long that a status may have given the charge a message meanwhile. */
export const leftToSweep = (cause: AppError) =>
  new AppError(
    'service.unavailable',
    'The send took too long: the history will show whether the message went out',
    { retryAfterSeconds: 60, hint: LOOK, cause },
  );

/** An answer without the provider's code comes from something on the way, or from a provider in trouble. */
const UNREADABLE =
  'The charge was given back. The provider gave no reason, so the message may still arrive: look at its state in GET /v1/sends before you send it again, under a new Idempotency-Key.';

/** The provider's refusal of a message as our error. */
export const sendFailed = (refusal: ProviderRefusal, details: SendDetails) =>
  new AppError('provider.refused', `The provider rejected the send: ${refusal.message}`, {
    ...details,
    providerCode: refusal.code,
    providerMessage: refusal.message,
    ...(refusal.code === null && { hint: UNREADABLE }),
    cause: refusal,
  });

/** Certainly not sent, which is no refusal: it can be sent again. */
export const unreachable = (reason: string, details: SendDetails) => {
  const message = `Nothing was sent: the provider could not be reached (${reason})`;
  const { details: words } = sendFailed(
    { code: null, subcode: null, message, httpStatus: null },
    details,
  );
  return new AppError('provider.refused', message, {
    code: PROVIDER_UNREACHABLE,
    ...words,
    hint: 'Nothing was sent or charged: send it again after some seconds, under a new Idempotency-Key.',
  });
};

/** What a refund keeps of the error that the caller got. */
export const failureOf = ({ code, details }: AppError, tookMs?: number): SendFailure => {
  const failure: SendFailure = { code: publicCodeOf({ code, details }) };
  if ('providerCode' in details && details.providerCode !== null) {
    failure.providerCode = details.providerCode;
    const title = providerError(details.providerCode)?.title;
    if (title !== undefined) failure.title = title;
  }
  if (failure.code === PROVIDER_UNREACHABLE) failure.title = 'The provider could not be reached';
  if (tookMs !== undefined) failure.tookMs = tookMs;
  return failure;
};

/** Wrong fields in one text. */
const wordsOf = (fieldErrors: Record<string, string[]>): string =>
  Object.entries(fieldErrors)
    .map(([field, words]) => `${field}: ${words.join(', ')}`)
    .join('; ');

/** What a scheduled send keeps of the error that a send of now would have had. */
export const shownErrorOf = (error: unknown): ScheduleError => {
  if (!(error instanceof AppError)) {
    return { status: 500, code: 'FAULT', error: 'The service could not send it' };
  }
  const { code, message, details }: AppError = error;
  const { reason, limit, providerCode, providerMessage } = details as Partial<ScheduleError>;
  const { fieldErrors } = details as { fieldErrors?: Record<string, string[]> };
  return {
    status: errorTable[code].status,
    code: refusalCodeOf(error) ?? publicCodeOf(error),
    error: fieldErrors ? wordsOf(fieldErrors) : message,
    ...(reason !== undefined && { reason }),
    ...(limit !== undefined && { limit }),
    ...(providerCode !== undefined && { providerCode }),
    ...(providerMessage !== undefined && { providerMessage }),
  };
};

const publicCodeOf = ({ code, details }: Pick<AppError, 'code' | 'details'>): string => {
  if (code === 'request.timeout') return CALLER_GONE;
  if ('code' in details && details.code !== undefined) return details.code;
  const record: { code?: string } = errorTable[code];
  return record.code ?? code;
};

/** The provider named an id that another message has: its statuses belong to that one. */
export const unusableId = (details: SendDetails) => {
  const message = 'The provider named an id that another message has already';
  return sendFailed({ code: null, subcode: null, message, httpStatus: 200 }, details);
};

export const outcomeUnknown = (details: SendDetails) =>
  new AppError(
    'provider.unknown_outcome',
    'The provider did not answer in time: whether the message went out is not known',
    details,
  );
