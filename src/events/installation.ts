import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

/** Names the installation of this log, by its first process. Reveals nothing of the secret. */
export const InstallationFounded = defineEvent(
  'InstallationFounded',
  z.object({
    installationId: z.string(),
    /** A keyed hash of the id, to recognise WAYBILL_SECRET. */
    secretCheck: z.string(),
    format: z.int(),
  }),
  // Version 1 is that of formats 1 and 2.
  [(v1) => ({ ...v1, format: 2 })],
);
/** An operator replaced a lost secret. */
export const SecretReplaced = defineEvent(
  'SecretReplaced',
  z.object({ installationId: z.string(), secretCheck: z.string() }),
);
/**
 * Names the store of data keys that the log goes with. A later one replaces keys that an operator
 * declared lost, or names the newest generation of the installation's key that the store holds.
 */
export const DataKeysFounded = defineEvent(
  'DataKeysFounded',
  z.object({
    keysId: z.string(),
    /** Absent for the first one. */
    generation: z.string().optional(),
  }),
);
/** Names who issues statements from here on. In the stream of the issuer. */
export const IssuerNamed = defineEvent(
  'IssuerNamed',
  z.object({ name: z.string(), address: z.string().nullable(), taxId: z.string().nullable() }),
);
export const installationEvents = [
  InstallationFounded,
  SecretReplaced,
  DataKeysFounded,
  IssuerNamed,
] as const;
export type InstallationFact = FactOf<typeof InstallationFounded | typeof SecretReplaced>;
