import { z } from 'zod';

const NOTHING_SHOWN = /^[\s\p{Default_Ignorable_Code_Point}\p{Control}]*$/u;

/** A name that people read in lists: something of it must show. */
export const displayName = (about: string, lengthMin = 1): z.ZodString =>
  z
    .string()
    .min(lengthMin)
    .max(200)
    .regex(/\S/, 'must have a character that is not a blank')
    .refine((name) => !NOTHING_SHOWN.test(name), 'must have a character that shows')
    .describe(about);
