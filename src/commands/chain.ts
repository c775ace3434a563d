import { hash } from 'node:crypto';

/** The hash before an account's first money event. */
export const CHAIN_START = '0'.repeat(64);

/**
 * JSON with the keys of every object sorted and no white space. For the values that events hold
 * (strings, integers, booleans, null) it is the canonical form of RFC 8785.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    let text = '';
    for (const key of Object.keys(value).sort()) {
      const field = (value as Record<string, unknown>)[key];
      if (field === undefined) continue;
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(field)}`;
    }
    return `{${text}}`;
  }
  return JSON.stringify(value);
};

/**
 * The hash of one link: SHA-256, in hex, of the canonical JSON of the event's data without `hash`,
 * with its type added as `type`. The data holds `previousHash` and `sequence`, which is what ties
 * it to its place.
 */
export const linkHash = (type: string, data: Readonly<Record<string, unknown>>): string => {
  const { hash: _own, ...rest } = data;
  return hash('sha256', canonicalJson({ ...rest, type }), 'hex');
};
