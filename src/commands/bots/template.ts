import { BLANK } from '../../events/catalog-texts.ts';
import type { ContactIds } from '../../events/contact.ts';
import type { FlowReply } from '../../events/conversation.ts';
import { normaliseValue } from '../sending/variables.ts';
import { RunStop } from './budget.ts';
import { cut, scalarText } from './text.ts';

/** The values that texts and conditions of a run can use. */
export interface Scope {
  contact: ContactIds & { name: string | null };
  /** Text of the message that the run last took. */
  text: string;
  /** The reply to a flow that this message is; absent of other messages. */
  flow?: FlowReply | null | undefined;
  variables: Readonly<Record<string, unknown>>;
}

const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;
const RESERVED = '__proto__';

/** Whether a variable may have this name; templates read it as `vars.<name>`. */
export const isVariableName = (name: string): boolean => NAME.test(name) && name !== RESERVED;

const CONTACT_PATHS = ['contact.name', 'contact.waId', 'contact.userId', 'message.text'];

/** Whether a path can name a value. */
export const isPath = (path: string): boolean => {
  if (CONTACT_PATHS.includes(path)) return true;
  const [root, name, ...rest] = path.split('.');
  if (root === 'message' && name === 'flow') return rest.length > 0 && !rest.includes('');
  return root === 'vars' && isVariableName(name ?? '') && rest.every((key) => key !== '');
};

const dig = (value: unknown, keys: readonly string[]): unknown => {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
};

/** The value at a path; undefined or null for a missing one. */
export const lookUp = (scope: Scope, path: string): unknown => {
  switch (path) {
    case 'contact.name':
      return scope.contact.name;
    case 'contact.waId':
      return scope.contact.waId ?? undefined;
    case 'contact.userId':
      return scope.contact.userId ?? undefined;
    case 'message.text':
      return scope.text;
    default: {
      const [root, ...keys] = path.split('.');
      if (root === 'message' && keys[0] === 'flow') return dig(scope.flow, keys.slice(1));
      return root === 'vars' ? dig(scope.variables, keys) : undefined;
    }
  }
};

const PLACEHOLDER = /\{\{[ \t]{0,8}([^\s{}]{1,256})[ \t]{0,8}\}\}/g;
const ONLY_PLACEHOLDER = new RegExp(`^${PLACEHOLDER.source}$`);

export const hasPlaceholder = (template: string): boolean => template.search(PLACEHOLDER) >= 0;

/** The template with the same sample for every placeholder, for checks of its form. */
export const withSample = (template: string, sample: string): string =>
  template.replaceAll(PLACEHOLDER, () => sample);

/**
 * Fills a template with values, and cuts it to `max` characters. One pass: a value is never read as a
 * template. A missing value is empty.
 */
export const render = (
  template: string,
  scope: Scope,
  max: number,
  escapeValue: (value: string) => string = (value) => value,
): string => {
  let result = '';
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    if (result.length > max) break;
    const value = scalarText(lookUp(scope, match[1]!));
    result += template.slice(end, match.index) + escapeValue(value.toWellFormed());
    end = match.index + match[0].length;
  }
  return cut(result + template.slice(end), max);
};

/** Replaces an empty text, which the provider refuses, by the sign that notifications use. */
export const renderVisible = (template: string, scope: Scope, max: number): string => {
  const text = render(template, scope, max);
  return normaliseValue(text) === '' ? BLANK : text;
};

/** A parameter of a template: one line, not empty. */
export const renderParameter = (template: string, scope: Scope, max: number): string =>
  normaliseValue(render(template, scope, max)) || BLANK;

/** A segment that takes itself or the one before it out of a path, however its dots are written. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?=[/\\]|$)/gi;
const dotSegmentsIn = (url: string): number =>
  url.split(/[?#]/, 1)[0]!.match(DOT_SEGMENT)?.length ?? 0;

/**
 * A URL. Values are encoded, so that a customer's answer cannot change its address, unless the whole
 * URL is one value, which then must be a URL itself. Throws RunStop for a value that changes the path,
 * and for a long URL: cut, it would be another one.
 */
export const renderUrl = (template: string, scope: Scope, max: number): string => {
  const isValue = ONLY_PLACEHOLDER.test(template);
  const url = render(template, scope, max + 1, isValue ? undefined : encodeURIComponent);
  if (url.length > max) throw new RunStop('bounds', `the URL is longer than ${max} characters`);
  if (isValue) return url.trim();
  if (dotSegmentsIn(url) !== dotSegmentsIn(withSample(template, 'x'))) {
    throw new RunStop('failed', 'a value would change the path of the URL');
  }
  return url;
};

/** JSON text, with values escaped as inside a string of JSON. */
export const renderJson = (template: string, scope: Scope, max: number): string =>
  render(template, scope, max, (value) => JSON.stringify(value).slice(1, -1));

const DEPTH_MAX = 16;

/** Renders every string of a JSON value, but no key. Values deeper than `depth` become null. */
export const renderDeep = (
  value: unknown,
  renderText: (template: string) => string,
  depth = DEPTH_MAX,
): unknown => {
  if (typeof value === 'string') return renderText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  const inner = (one: unknown) => renderDeep(one, renderText, depth - 1);
  if (Array.isArray(value)) return value.map(inner);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
};
