import type { Entry } from './entry.ts';
import type { Problems } from './problems.ts';
import { checkHead, HeadProof } from './seals/proof.ts';
import type { SealsReport, SealsToCheck } from './seals/seal-audit.ts';

/** The first line of an export with a proof: a seal covers the chain up to one of its links. */
export const proofLine = (proof: HeadProof): string => JSON.stringify({ proof: true, ...proof });

export const isProofLine = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { proof?: unknown }).proof === true;

/** Compares the proof of an export with its links, with kept seals and with keys. */
export const createExportProof = (
  { kept, keys = [] }: SealsToCheck,
  { problems, isWanted }: { problems: Problems; isWanted: boolean },
) => {
  let proof: HeadProof | undefined;
  let isMet = false;
  const say = (detail: string) =>
    problems.add({
      ...{ accountId: proof?.leaf.accountId ?? null, kind: 'seal', at: 'the proof', detail },
    });
  return {
    read(value: unknown): void {
      const parsed = HeadProof.safeParse(value);
      if (parsed.success) proof = parsed.data;
      else say('it cannot be read');
    },
    take(entry: Entry | undefined): void {
      if (!proof || entry?.kind !== 'link') return;
      const { accountId, sequence, hash } = proof.leaf;
      if (entry.accountId !== accountId) say(`it is of ${accountId}`);
      if (entry.sequence !== sequence) return;
      isMet = true;
      if (entry.hash !== hash) {
        say(`link ${sequence} has the hash ${entry.hash}; the seal covers ${hash}`);
      }
    },
    end(): SealsReport | null {
      if (!proof) {
        if (isWanted) say('the export has none: write one with waybill ledger export --proof');
        return null;
      }
      const { seal, problems: found } = checkHead(proof, keys);
      for (const one of found) say(one);
      if (!isMet) say(`the export has no link ${proof.leaf.sequence}`);
      const known = kept?.find(({ number }) => number === seal?.number);
      if (kept && known?.note !== proof.note) say('its seal is not among the kept ones');
      const last = seal ? { number: seal.number, at: seal.at } : null;
      return { count: seal ? 1 : 0, last, signed: keys.length > 0 };
    },
  };
};
