import { parseVerifierKey, SIGNATURES_MAX, signersOf, type VerifierKey } from '../seals/note.ts';

// A trust policy, after C2SP tlog-policy (September 2025): known logs and witnesses, and which witnesses together
// are enough.

interface Known {
  key: VerifierKey;
  url: string | undefined;
}

export interface Witness extends Known {
  name: string;
}

export interface Policy {
  logs: readonly Known[];
  witnesses: readonly Witness[];
  /** Whether enough witnesses have signed the note, and no signature of one of them is wrong. */
  isMetBy(note: string): boolean;
}

/** The file is no policy: what is wrong, with the number of its line. */
class PolicyError extends Error {
  constructor(line: number, what: string) {
    super(`line ${line} of the policy: ${what}`);
    this.name = 'PolicyError';
  }
}

/** Members of a group, and how many of them are enough. */
interface Group {
  needed: number;
  members: readonly string[];
}

const NONE = 'none';
const LINES_MAX = 1000;
/** Witnesses that are asked for a signature: the log's own stands in the note too. */
const ASKED_MAX = SIGNATURES_MAX - 1;

const neededOf = (word: string, count: number): number | undefined => {
  if (word === 'all') return count;
  if (word === 'any') return 1;
  const needed = /^[1-9]\d{0,3}$/.test(word) ? Number(word) : 0;
  return needed >= 1 && needed <= count ? needed : undefined;
};

/** Throws an error in words for another text. */
export const parsePolicy = (text: string): Policy => {
  const logs: Known[] = [];
  const witnesses: Witness[] = [];
  const groups = new Map<string, Group>();
  const members = new Set<string>();
  let quorum: string | undefined;
  const lines = text.split('\n');
  if (lines.length > LINES_MAX) throw new PolicyError(LINES_MAX, 'there are too many lines');

  const readLine = (words: readonly string[], refuse: (what: string) => never): void => {
    const [kind, ...rest] = words;
    const keyOf = (word: string | undefined, isWitness: boolean): VerifierKey => {
      let key: VerifierKey;
      try {
        key = parseVerifierKey(word ?? '');
      } catch (error) {
        return refuse((error as Error).message);
      }
      const known = isWitness ? witnesses : logs;
      if (key.isWitness !== isWitness) {
        refuse(`a ${isWitness ? 'witness has a key for cosignatures' : 'log has a key for notes'}`);
      }
      if (known.some((one) => one.key.key.equals(key.key))) refuse('the key stands there twice');
      return key;
    };
    const demandNew = (name: string): string => {
      const isKnown = groups.has(name) || witnesses.some((one) => one.name === name);
      if (name === NONE || isKnown) refuse(`the name ${name} is taken`);
      return name;
    };
    const demandKnown = (name: string | undefined): string => {
      if (name === undefined) return refuse('a name is missing');
      const isKnown = groups.has(name) || witnesses.some((one) => one.name === name);
      return isKnown ? name : refuse(`${name} is not defined above`);
    };
    if (kind === 'log' && rest.length <= 2) {
      logs.push({ key: keyOf(rest[0], false), url: rest[1] });
    } else if (kind === 'witness' && rest.length >= 2 && rest.length <= 3) {
      const [name = '', key, url] = rest;
      witnesses.push({ name: demandNew(name), key: keyOf(key, true), url });
      if (witnesses.filter((one) => one.url !== undefined).length > ASKED_MAX) {
        refuse(`a note has room for ${ASKED_MAX} witnesses: leave out the URLs of the others`);
      }
    } else if (kind === 'group' && rest.length >= 3) {
      const [name = '', word = '', ...all] = rest;
      const needed =
        neededOf(word, all.length) ?? refuse('write all, any, or how many of the members');
      for (const one of all) {
        if (members.has(demandKnown(one))) refuse(`${one} is a member already`);
        members.add(one);
      }
      groups.set(demandNew(name), { needed, members: all });
    } else if (kind === 'quorum' && rest.length === 1) {
      if (quorum !== undefined) refuse('there is one quorum');
      quorum = rest[0] === NONE ? NONE : demandKnown(rest[0]);
    } else refuse('write log, witness, group or quorum, and what belongs to it');
  };

  for (const [index, line] of lines.entries()) {
    const refuse = (what: string): never => {
      throw new PolicyError(index + 1, what);
    };
    if (/(?!\t)\p{Cc}/u.test(line)) refuse('it has control characters');
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    if (words.length > 0 && !words[0]!.startsWith('#')) readLine(words, refuse);
  }
  if (quorum === undefined) throw new PolicyError(lines.length, 'the quorum is missing');

  const holds = (name: string, signed: ReadonlySet<string>): boolean => {
    const group = groups.get(name);
    if (!group) return name === NONE || signed.has(name);
    return group.members.filter((one) => holds(one, signed)).length >= group.needed;
  };
  const wanted = quorum;
  return {
    logs,
    witnesses,
    isMetBy(note) {
      const signers = signersOf(
        note,
        witnesses.map(({ key }) => key),
      );
      if (!signers) return false;
      const signed = witnesses.filter(({ key }) => signers.includes(key)).map(({ name }) => name);
      return holds(wanted, new Set(signed));
    },
  };
};
