import type { z } from 'zod';

/** Turns one stored shape into the next one. */
export type Upcast = (stored: Record<string, unknown>) => Record<string, unknown>;

/** What happened, in the words of its definition; not yet stamped or stored. */
export interface Fact<T extends string = string, D = unknown> {
  type: T;
  data: D;
}

export interface EventDefinition<T extends string = string, D = unknown> {
  type: T;
  version: number;
  schema: z.ZodType<D>;
  /** Parses, so that nothing malformed is ever stored. */
  of(data: D): Fact<T, D>;
  /** Reads a stored shape of any version as today's. Throws when it fits none. */
  decode(version: number, stored: unknown): D;
}

/**
 * Defines an event once: its stored name, its schema, and how older shapes become today's. The
 * version is counted from the upcasts, so it can be neither forgotten nor wrong.
 */
export const defineEvent = <T extends string, S extends z.ZodObject>(
  type: T,
  schema: S,
  upcasts: readonly Upcast[] = [],
): EventDefinition<T, z.output<S>> => {
  const version = upcasts.length + 1;
  return {
    type,
    version,
    schema: schema as unknown as z.ZodType<z.output<S>>,
    of: (data) => ({ type, data: schema.parse(data) as z.output<S> }),
    decode: (storedVersion, stored) => {
      if (!Number.isInteger(storedVersion) || storedVersion < 1 || storedVersion > version) {
        throw new Error(
          `${type} is stored in version ${storedVersion}; this program knows 1 to ${version}`,
        );
      }
      const current = upcasts
        .slice(storedVersion - 1)
        .reduce((data, upcast) => upcast(data), stored as Record<string, unknown>);
      return schema.parse(current) as z.output<S>;
    },
  };
};

/** The fact that a definition makes. */
export type FactOf<D> = D extends EventDefinition<infer T, infer Data> ? Fact<T, Data> : never;
