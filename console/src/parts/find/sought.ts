import type { components } from '../../api/reference.ts';
import type { AttemptFilters } from '../attempts/read.ts';

export type Found = components['schemas']['FindResult'];

const MINUTE_MS = 60_000;
/** Shorter numbers are orders rather than customers. */
const DIGITS_MIN = 5;

/** The customer that a text names: a number as people write it, or a user id of the provider. */
export const contactIn = (q: string): string | undefined => {
  if (/^[A-Z]{2}\.[A-Za-z0-9]+$/.test(q)) return q;
  if (!/^[\d\s+().-]+$/.test(q)) return undefined;
  const digits = q.replace(/\D/g, '').replace(/^00/, '');
  return digits.length < DIGITS_MIN ? undefined : `+${digits}`;
};

/** Every way in which the text can be that of an attempt. */
export const filtersFor = (q: string): readonly AttemptFilters[] => {
  const contact = contactIn(q);
  const isRequest = contact === undefined && /^[\w.-]{8,128}$/.test(q);
  return [
    ...(contact === undefined ? [] : [{ contact }]),
    ...(q.length <= 128 ? [{ clientReference: q }] : []),
    ...(isRequest ? [{ requestId: q }] : []),
  ];
};

/** The minute that a found refusal counts: `<account>.<minute>.<code>`. */
export const minuteIn = ({ kind, id }: Found) => {
  const [, since, code] = /\.(\d{4}-.+Z)\.(\w+)$/.exec(id) ?? [];
  if (kind !== 'refusal' || since === undefined || code === undefined) return undefined;
  return { since, until: new Date(Date.parse(since) + MINUTE_MS).toISOString(), code };
};

/** The accounts in which something was found: an administrator's answer looks into these. */
export const accountsIn = (results: readonly Found[]): readonly string[] => {
  const own = results.filter(({ kind }) =>
    ['contact', 'message', 'charge', 'refusal'].includes(kind),
  );
  return [...new Set(own.flatMap(({ accountId }) => accountId ?? []))];
};
