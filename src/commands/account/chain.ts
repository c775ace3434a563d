import { hash } from 'node:crypto';

/** A character that JSON escapes: quote, backslash, control, surrogate. */
const UNUSUAL = /[^ !#-[\]-~\u00a0-\ud7ff\ue000-\uffff]/;

const textOf = (text: string): string => (UNUSUAL.test(text) ? JSON.stringify(text) : `"${text}"`);

/**
 * JSON with the keys of every object sorted and no white space. For the values that events hold
 * (strings, integers, booleans, null) it is the canonical form of RFC 8785.
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value === 'string') return textOf(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let fields = '';
  for (const key of Object.keys(value).sort()) {
    const field = (value as Record<string, unknown>)[key];
    if (field === undefined) continue;
    fields += `${fields === '' ? '' : ','}${textOf(key)}:${canonicalJson(field)}`;
  }
  return `{${fields}}`;
};

/**
 * The hash of a record: SHA-256, in hex, of the canonical JSON of the event's data without `hash`, with
 * its type added as `type`. Until format 3, links of the chain were hashed so too.
 */
export const recordTextHash = (type: string, data: Readonly<Record<string, unknown>>): string => {
  return hash('sha256', canonicalJson({ ...data, hash: undefined, type }), 'hex');
};
