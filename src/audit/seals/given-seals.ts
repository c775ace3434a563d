import { parsePolicy } from '../witness/policy.ts';
import { parseVerifierKey } from './note.ts';
import type { SealsToCheck } from './seal-audit.ts';
import { readSealsText } from './seals-file.ts';

/** Reads seals, keys and a policy as a person gives them. Throws errors in words. */
export const sealsOf = ({
  seals,
  keys = [],
  policy: text,
}: {
  seals?: string | undefined;
  keys?: readonly string[] | undefined;
  policy?: string | undefined;
} = {}): SealsToCheck => {
  const policy = text === undefined ? undefined : parsePolicy(text);
  const ofLogs = policy?.logs.map(({ key }) => key) ?? [];
  return {
    ...(seals !== undefined && { kept: readSealsText(seals) }),
    keys: [...keys.map(parseVerifierKey), ...ofLogs],
    policy,
  };
};
