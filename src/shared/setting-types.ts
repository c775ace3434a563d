import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { spanOf } from './span.ts';

// Kinds of settings, as texts of the environment, and what the manual says of a setting.

/** What a schema cannot tell of a setting. */
export const manual = z.registry<{
  /** Its row in the table of docs/. */
  says: string;
  /** What the table shows as the default, where that is not the value of the schema. */
  initially?: string;
  /** The same name with `_FILE` may name a file that holds the value. */
  isSecret?: true;
}>();

export const wholeNumber = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  const digits = z.string().regex(/^\d{1,9}$/, message);
  return digits.transform(Number).refine((value) => value >= least && value <= most, message);
};

/** A span of time such as `6h`, in milliseconds. */
export const span = (leastMs: number) =>
  z.string().transform((text, context) => {
    const spanMs = spanOf(text) ?? 0;
    if (spanMs >= leastMs) return spanMs;
    context.addIssue(`must be a time of ${leastMs / 60_000}m or more, such as 30m, 6h or 1d`);
    return z.NEVER;
  });

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

export const decodeSecret = (text: string): Buffer => {
  const isHex = /^[0-9a-f]+$/i.test(text) && text.length % 2 === 0;
  if (isHex) return Buffer.from(text, 'hex');
  return /^[0-9a-z+/_-]+={0,2}$/i.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
};

const isHttpUrl = (text: string) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.hash === '';
};

export const httpUrl = z
  .string()
  .refine(isHttpUrl, 'must be an http or https URL without user name or fragment');

/** Whether a URL is one of this machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

const isAddressOrNetwork = (text: string) => {
  const [address = '', ...bits] = text.split('/');
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress && (bits.length === 0 || ipaddr.isValidCIDR(text));
};

const entriesOf = (text: string) => text.split(',').flatMap((entry) => entry.trim() || []);

export const addressList = z
  .string()
  .transform(entriesOf)
  .refine(
    (entries) => entries.every(isAddressOrNetwork),
    'must be addresses or networks (such as 10.0.0.0/8), separated by commas',
  );
