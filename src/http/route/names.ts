import { z } from 'zod';

/** A name that people read in lists: something of it must show. */
export const displayName = (about: string, lengthMin = 1): z.ZodString =>
  z
    .string()
    .min(lengthMin)
    .max(200)
    .regex(/\S/, 'must have a character that is not a blank')
    .describe(about);
