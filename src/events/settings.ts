import type { SealedUnder } from './sealing.ts';

// Some settings of accounts hold secrets of their own systems: URLs with a secret part, headers and bodies
// of calls. The log has them encrypted under a key of the installation, as it has access tokens, so that
// a backup tells none of them. Readers of the log get them in clear, and read models hold them in clear.

/** The name of that key among the data keys. It is derived from the key of the installation, and never destroyed. */
export const SETTINGS_KEY: SealedUnder = { ref: 'settings', month: '0000-01' };

/** What of an event's data is such a secret. */
export interface SecretSettings<D> {
  /** Where the secrets are. None of these places is in a list. */
  paths(data: D): readonly (readonly (string | number)[])[];
  /** What stands in the data for top-level fields that are sealed. */
  unopened: Readonly<Record<string, unknown>>;
}
