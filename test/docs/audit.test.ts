import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

// Nothing of the program is used here: this is what another program can do with the document alone.

interface Link {
  revision: number;
  type: string;
  data: Record<string, unknown> & {
    amount: number;
    balanceAfter: number;
    sequence: number;
    previousHash: string;
    hash: string;
    accountId: string;
    entryId: string;
  };
}

const text = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');

const block = (language: string): string => {
  const [, found] = new RegExp(`\`\`\`${language}\\n([^]*?)\\n\`\`\``).exec(text) ?? [];
  if (found === undefined) throw new Error(`the document has no ${language} block`);
  return found;
};

const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = value as Record<string, unknown>;
  const names = Object.keys(fields).sort((one, other) => (one < other ? -1 : 1));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(fields[name])}`).join(',')}}`;
};

const hashedText = ({ type, data: { hash: _own, ...rest } }: Link): string =>
  canonical({ ...rest, type });

const sha256 = (words: string) => createHash('sha256').update(words, 'utf8').digest('hex');

describe('docs/audit.md', () => {
  const links = block('jsonl')
    .split('\n')
    .map((line) => JSON.parse(line) as Link);

  it('has an example that holds by its own rules', () => {
    let previous = '0'.repeat(64);
    let balance = 0;
    expect(links).to.have.length(3);
    for (const [index, link] of links.entries()) {
      const { data, revision } = link;
      expect(data.sequence).to.equal(index + 1);
      expect(data.previousHash).to.equal(previous);
      expect(data.hash).to.equal(sha256(hashedText(link)));
      balance += data.amount;
      expect(data.balanceAfter).to.equal(balance);
      const account = data.accountId.replace('acc_', '');
      expect(data.entryId).to.equal(`led_${account}_${revision.toString(36)}`);
      previous = data.hash;
    }
  });

  it('shows the text that is hashed, its length and its hash', () => {
    const shown = block('text');
    expect(shown).to.equal(hashedText(links[0]!));
    expect(text).to.include(`one line of ${Buffer.byteLength(shown)} bytes`);
    expect(block('sh')).to.include(sha256(shown));
  });
});
