import { asRecord, asText } from '../shape.ts';
import type { Refusal } from './errors.ts';

// How the reading of a program's message ends where the provider would refuse it.

/** Content that passes through unchanged must fit into an event. */
export const UNTOUCHED_BYTES_MAX = 100_000;

/** Refuses in the middle of a reading, which returns the refusal. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.details);
    this.refusal = refusal;
  }
}

export const refuse = (code: number, details: string): never => {
  throw new Refused({ code, details });
};
export const missing = (path: string): never => {
  const [first, ...rest] = path.split('.');
  return refuse(
    100,
    `The parameter ${first}${rest.map((key) => `['${key}']`).join('')} is required.`,
  );
};
export const invalid = (details: string): never => refuse(131009, details);

/** Refuses a value in which one of these paths leads to no text. */
export const mustHave = (value: unknown, ...paths: string[]): void => {
  for (const path of paths) {
    const found = path.split('.').reduce<unknown>((at, key) => asRecord(at)[key], value);
    if (asText(found) === null) missing(path);
  }
};

/** A text that the message may leave out. */
export const optional = (value: unknown, path: string): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : invalid(`${path} must be a text`);
};

/** Refuses a text that is longer than `max`. */
export const bounded = <T extends string | null | undefined>(
  path: string,
  text: T,
  max: number,
): T => ((text?.length ?? 0) > max ? invalid(`${path} has more than ${max} characters`) : text);

export const mustFit = (name: string, value: unknown): void => {
  if (Buffer.byteLength(JSON.stringify(value)) <= UNTOUCHED_BYTES_MAX) return;
  invalid(`${name} is larger than ${UNTOUCHED_BYTES_MAX} bytes`);
};

/** Drops absent fields, so that an event holds no undefined. */
export const present = <T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
