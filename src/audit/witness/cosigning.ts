import type { Outbound } from '../../commands/core/outbound.ts';
import { base64 } from '../seals/merkle.ts';
import { parseNote, signersOf, type VerifierKey } from '../seals/note.ts';
import type { Witness } from './policy.ts';
import { addCheckpointText } from './witness.ts';

/** A checkpoint that is offered to witnesses. */
export interface Offered {
  size: number;
  note: string;
  /** Proves that the tree of a size is the beginning of this one. */
  consistency(size: number): Promise<readonly Uint8Array[]>;
}

/** The signature lines of witnesses, and why others gave none. */
interface Cosigned {
  lines: string;
  failures: readonly string[];
}

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** The lines of an answer that are of this witness; undefined where it has not signed the note. */
const linesOf = (note: string, answer: string, key: VerifierKey): string | undefined => {
  const { text, signatures } = parseNote(note) ?? { text: '', signatures: [] };
  const given = parseNote(`${text}\n${answer}`)?.signatures ?? [];
  const own = given
    .filter(({ name, id }) => name === key.name && id.equals(key.id))
    .map(({ name, id, signature }) => `— ${name} ${base64(Buffer.concat([id, signature]))}\n`);
  const isKnown = signatures.some(({ name, id }) => name === key.name && id.equals(key.id));
  const lines = own.slice(0, 1).join('');
  return !isKnown && signersOf(`${text}\n${lines}`, [key])?.length ? lines : undefined;
};

/** Offers checkpoints to the witnesses of a policy that have an address. */
export const createCosigning = (
  witnesses: readonly Witness[],
  outbound: Pick<Outbound, 'request'>,
) => {
  /** The size that each is believed to know. */
  const known = new Map<string, number>();

  const post = async ({ url }: Witness, offered: Offered, old: number) => {
    const proof = await offered.consistency(old);
    const answer = await outbound.request({
      url: `${url!.replace(/\/+$/, '')}/add-checkpoint`,
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: addCheckpointText({ old, proof, note: offered.note }),
      timeoutMs: TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
    });
    if (answer.kind === 'failed') throw new Error(answer.reason);
    return answer;
  };

  const ask = async (witness: Witness, offered: Offered): Promise<string> => {
    const { size, note } = offered;
    let old = Math.min(known.get(witness.name) ?? 0, size);
    let answer = await post(witness, offered, old);
    if (answer.status === 409) {
      old = /^(0|[1-9]\d{0,14})\n$/.test(answer.body) ? Number(answer.body) : Number.NaN;
      if (old > size) throw new Error(`it has seen ${old} entries, and the log has ${size} now`);
      if (Number.isNaN(old)) throw new Error('it does not say which size it knows');
      answer = await post(witness, offered, old);
    }
    if (answer.status !== 200) {
      throw new Error(`the answer was ${answer.status}: ${answer.body.slice(0, 200).trim()}`);
    }
    const lines = linesOf(note, answer.body, witness.key);
    if (lines === undefined) throw new Error('the answer has no sound signature of its key');
    known.set(witness.name, size);
    return lines;
  };

  /** The witnesses that have not signed a note. */
  const missing = (note: string): readonly Witness[] => {
    const signers = signersOf(
      note,
      witnesses.map(({ key }) => key),
    );
    return witnesses.filter(({ key, url }) => url !== undefined && !signers?.includes(key));
  };

  return {
    async cosign(offered: Offered): Promise<Cosigned> {
      const asked = missing(offered.note);
      const answers = await Promise.allSettled(asked.map((one) => ask(one, offered)));
      const failures = answers.flatMap((answer, index) =>
        answer.status === 'rejected'
          ? [`${asked[index]!.name}: ${(answer.reason as Error).message}`]
          : [],
      );
      const lines = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      return { lines: lines.join(''), failures };
    },
  };
};
