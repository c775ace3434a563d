import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** The first process that ever used this log said who it is. Nothing of the secret is in it. */
export const InstallationFounded = defineEvent(
  'InstallationFounded',
  z.object({
    installationId: z.string(),
    /** A keyed hash of the id, by which WAYBILL_SECRET is known again. */
    secretCheck: z.string(),
  }),
);
/** An operator let another secret take the place of one that was lost. */
export const SecretReplaced = defineEvent(
  'SecretReplaced',
  z.object({ installationId: z.string(), secretCheck: z.string() }),
);
export const installationEvents = [InstallationFounded, SecretReplaced] as const;
export type InstallationFact = FactOf<(typeof installationEvents)[number]>;
