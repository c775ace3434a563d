import { providerHint } from '../../provider/rules/error-hints.ts';
import { type ErrorRecord, errorTable } from '../../shared/error-table.ts';
import type { AppError, ErrorCode } from '../../shared/errors.ts';
import { type Response, reply } from '../route/response.ts';

/** Every error that a caller can meet. */
export const errorCodes = Object.keys(errorTable) as readonly ErrorCode[];

export const recordOf = (code: ErrorCode): ErrorRecord<object> => errorTable[code];

const PAGE = '/docs/errors';

/** What to do after an error, and where more is said of it. */
interface Advice {
  hint: string;
  docUrl: string;
}

/** The name of an error on the page of errors: the public code, if it has one. */
export const anchorOf = (code: ErrorCode): string => recordOf(code).code ?? code;

/** Undefined where the body must be `error` alone. */
const adviceOn = ({ code, details }: AppError): Advice | undefined => {
  const { hint } = recordOf(code);
  if (hint === null) return undefined;
  return { hint: details.hint ?? hint, docUrl: `${PAGE}#${anchorOf(code)}` };
};

/** What to do about an error of the provider; undefined for a code without advice. */
export const adviceOnProvider = (code: number): Advice | undefined => {
  const hint = providerHint(code);
  return hint === undefined ? undefined : { hint, docUrl: `${PAGE}#${code}` };
};

/** The provider's refusal with what to do about its code. */
const withProviderAdvice = (details: object): object => {
  const { providerCode } = details as { providerCode?: number | null };
  return typeof providerCode === 'number'
    ? { ...details, ...adviceOnProvider(providerCode) }
    : details;
};

export const responseOf = (error: AppError): Response<Record<string, unknown>> => {
  const { status, code, detailsIn, challenges, closes } = recordOf(error.code);
  const { retryAfterSeconds, cause: _, hint: __, ...details } = error.details;
  const hasDetails = Object.keys(details).length > 0;
  const body = {
    error: error.message,
    ...(code !== undefined && { code }),
    ...(detailsIn && hasDetails ? { [detailsIn]: withProviderAdvice(details) } : details),
    ...adviceOn(error),
  };
  return reply(status, body, {
    ...(challenges && { 'WWW-Authenticate': 'Bearer' }),
    ...(closes && { Connection: 'close' }),
    ...(retryAfterSeconds !== undefined && {
      'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))),
    }),
  });
};
