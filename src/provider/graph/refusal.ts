import { parseJsonExact } from '../../shared/json.ts';
import type { ProviderRefusal } from '../provider.ts';
import { asInteger, asRecord, asText, isRecord, type Json, shorten } from '../shape.ts';

const MESSAGE_LENGTH_MAX = 500;
/** A token shorter than this could be part of any word. */
const TOKEN_LENGTH_MIN = 8;

/** Removes the token: the provider repeats a malformed one in its answer. */
const withoutToken = (text: string, token: string): string =>
  token.length < TOKEN_LENGTH_MIN ? text : text.replaceAll(token, '[access token]');

/** The body of an answer as an object; undefined when it is not one. */
export const readBody = (text: string): Json | undefined => {
  try {
    const body = parseJsonExact(text);
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
};

/** The most specific text of an error object. Calls differ in the fields that they fill. */
const wordsOf = (error: Json): string | null =>
  asText(asRecord(error.error_data).details) ??
  asText(error.error_user_msg) ??
  asText(error.message) ??
  asText(error.error_data);

/** The refusal that an answer holds; also of an answer that cannot be read. */
export const readRefusal = (
  httpStatus: number,
  body: Json | undefined,
  token: string,
): ProviderRefusal => {
  const error = asRecord(body?.error);
  const words =
    wordsOf(error) ??
    (body === undefined
      ? `the provider answered HTTP ${httpStatus} with something unreadable`
      : `the provider answered HTTP ${httpStatus} without saying what became of the request`);
  return {
    code: asInteger(error.code),
    subcode: asInteger(error.error_subcode),
    message: shorten(withoutToken(words, token), MESSAGE_LENGTH_MAX),
    httpStatus,
  };
};

const throttleCodes: ReadonlySet<number | null> = new Set([130429, 80007]);

/** The provider asks for fewer requests; it did not act on this one. */
export const isThrottle = ({ code, httpStatus }: ProviderRefusal): boolean =>
  throttleCodes.has(code) || httpStatus === 429;

/** Token dead, permission missing or account locked: no call with this token can succeed. */
export const isCredentialTrouble = ({ code, httpStatus }: ProviderRefusal): boolean =>
  httpStatus === 401 ||
  httpStatus === 403 ||
  (code !== null &&
    ([0, 3, 10, 190, 368, 131005, 131031].includes(code) || (code >= 200 && code <= 299)));

/** The object in the path does not exist, or the token cannot see it. */
export const isUnknownObject = ({ code, subcode, httpStatus }: ProviderRefusal): boolean =>
  code === 33 || code === 803 || (code === 100 && subcode === 33) || httpStatus === 404;

/** A template of that name and language exists already. */
export const isDuplicateTemplate = ({ subcode }: ProviderRefusal): boolean => subcode === 2388024;

/** The provider may have created the template in spite of this answer. */
export const isMaybeDone = ({ code, subcode, httpStatus }: ProviderRefusal): boolean =>
  (code === 1 && subcode === 99) || (httpStatus !== null && httpStatus >= 500);
