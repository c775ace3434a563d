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
    accountId?: string;
    entryId?: string;
  };
  link: { previousHash: string; hash: string };
}

const text = readFileSync(new URL('../../docs/seals.md', import.meta.url), 'utf8');

const block = (language: string): string => {
  const [, found] = new RegExp(`\`\`\`${language}\\n([^]*?)\\n\`\`\``).exec(text) ?? [];
  if (found === undefined) throw new Error(`the document has no ${language} block`);
  return found;
};

const sha256 = (words: string) => createHash('sha256').update(words, 'utf8').digest('hex');

describe('docs/seals.md', () => {
  const links = block('jsonl')
    .split('\n')
    .map((line) => JSON.parse(line) as Link);

  it('has an example that holds by its own rules', () => {
    let previous = '0'.repeat(64);
    let balance = 0;
    expect(links).to.have.length(3);
    for (const [index, link] of links.entries()) {
      const { data, revision } = link;
      const { previousHash, hash } = link.link;
      expect(data.sequence).to.equal(index + 1);
      expect(previousHash).to.equal(previous);
      expect(hash).to.equal(sha256(previousHash + JSON.stringify(data)));
      balance += data.amount;
      expect(data.balanceAfter).to.equal(balance);
      const account = links[0]!.data.accountId!.replace('acc_', '');
      const entryId = `led_${account}_${revision.toString(36)}`;
      expect([entryId, undefined]).to.include(data.entryId);
      previous = hash;
    }
  });

  it('shows the text that is hashed, its length and its hash', () => {
    const shown = block('text');
    const { data, link } = links[0]!;
    expect(shown).to.equal(JSON.stringify(data));
    expect(text).to.include(`one line of ${Buffer.byteLength(shown)} bytes`);
    expect(block('sh')).to.include(sha256(link.previousHash + shown));
  });
});
