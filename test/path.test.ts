import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';

type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Work of the background may end inside of what is counted: so many calls more are no longer path. */
const TOLERANCE = 1.02;
/** The keys of an erasure are destroyed in the background, which may begin before the answer is written. */
const isOfBackground = (work: string, figure: string): boolean =>
  work === 'erasure' && figure === 'appendsUntilAnswer';

describe('The path of a send', () => {
  it('is not longer than it was, nor that of what follows from messages @long @alone @series', async () => {
    const held: Figures = JSON.parse(
      readFileSync(new URL('../bench/path/held.json', import.meta.url), 'utf8'),
    );
    const run = await promisify(execFile)('npm', ['run', '--silent', 'path', '--', '--json']);
    const measured: Figures = JSON.parse(run.stdout);
    for (const [work, figures] of Object.entries(held)) {
      for (const [figure, most] of Object.entries(figures)) {
        if (isOfBackground(work, figure)) continue;
        const bound = figure === 'calls' || figure === 'changes' ? most * TOLERANCE : most;
        expect(
          measured[work]![figure],
          `${figure} of ${work}: make it shorter, or say why in the commit that runs \`npm run path -- --keep\``,
        ).to.be.at.most(bound);
        // What a decryption gives is kept for a while, so that there may be none.
        if (most > 0 && figure !== 'decryptions')
          expect(measured[work]![figure], `${figure} of ${work}`).to.be.above(0);
      }
    }
  });
});
