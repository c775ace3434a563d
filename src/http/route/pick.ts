import type { z } from 'zod';
import type { Sendable } from './route.ts';

/** The fields that the schema names. No other field of a document leaves the service. */
export const pick = <Schema extends z.ZodObject>(
  { shape }: Schema,
  from: Sendable<z.input<Schema>>,
): Sendable<z.input<Schema>> => {
  const fields: Readonly<Record<string, unknown>> = from;
  const picked: Record<string, unknown> = {};
  for (const name of Object.keys(shape)) picked[name] = fields[name];
  return picked as Sendable<z.input<Schema>>;
};
