import { parseJsonExact } from '../../shared/json.ts';
import { RunStop } from './budget.ts';
import { limits } from './node-fields.ts';
import { render, renderDeep, renderJson, renderUrl, type Scope } from './template.ts';

/** A call as a node describes it, with placeholders. */
interface RequestData {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | object | null | undefined;
  timeoutMs: number;
}

/** A call that a bot is about to make. The caller checks its address. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  timeoutMs: number;
}

/** A longer response counts as an error. */
export const RESPONSE_LENGTH_MAX = 16_384;
const BODY_LENGTH_MAX = 65_536;
const HEADER_LENGTH_MAX = 2048;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Headers have neither line breaks nor characters beyond Latin-1. */
const headerValue = (text: string) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ' ').trim();

const looksLikeJson = (text: string) => /^\s*[{[]/.test(text);

const renderBody = (
  body: string | object,
  contentType: string | undefined,
  scope: Scope,
): string => {
  if (typeof body !== 'string') {
    const fill = (text: string) => render(text, scope, limits.text);
    return JSON.stringify(renderDeep(body, fill));
  }
  // One more than the limit, so that a body that is cut exceeds the limit.
  const max = BODY_LENGTH_MAX + 1;
  if (contentType?.startsWith(FORM)) return render(body, scope, max, encodeURIComponent);
  return looksLikeJson(body) ? renderJson(body, scope, max) : render(body, scope, max);
};

/** The call that a node makes. Values are escaped for their place in it. */
export const requestOf = (data: RequestData, scope: Scope): HttpRequest => {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(data.headers)) {
    headers[name.toLowerCase()] = headerValue(render(value, scope, HEADER_LENGTH_MAX));
  }
  const { method, timeoutMs } = data;
  const body =
    method === 'GET' || !data.body ? null : renderBody(data.body, headers['content-type'], scope);
  if (body !== null && body.length > BODY_LENGTH_MAX) {
    throw new RunStop('bounds', `the body is longer than ${BODY_LENGTH_MAX} characters`);
  }
  if (body !== null && headers['content-type'] === undefined) {
    headers['content-type'] = looksLikeJson(body) ? JSON_TYPE : 'text/plain; charset=utf-8';
  }
  return { method, url: renderUrl(data.url, scope, limits.url), headers, body, timeoutMs };
};

/**
 * A response as a variable: a JSON value, in which a number that a double cannot represent becomes
 * its text; anything else stays text. Undefined when it is too long.
 */
export const readResponse = (body: string): unknown => {
  if (body.length > RESPONSE_LENGTH_MAX) return undefined;
  try {
    return renderDeep(parseJsonExact(body), (text) => text.toWellFormed());
  } catch {
    return body.toWellFormed();
  }
};
