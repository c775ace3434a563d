import { parseVerifierKey } from './note.ts';
import type { SealsToCheck } from './seal-audit.ts';
import { readSealsText } from './seals-file.ts';

/** Reads seals and keys as a person gives them. Throws errors in words. */
export const sealsOf = ({
  seals,
  keys = [],
}: {
  seals?: string | undefined;
  keys?: readonly string[] | undefined;
} = {}): SealsToCheck => ({
  ...(seals !== undefined && { kept: readSealsText(seals) }),
  keys: keys.map(parseVerifierKey),
});
