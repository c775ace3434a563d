import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { consoleTypes } from '../../console/generate.ts';

describe('The types of the console @long', () => {
  it('are those of the routes: run `npm run openapi` after a change', async () => {
    const file = join(import.meta.dirname, '../../console/src/generated/administration.ts');
    expect(readFileSync(file, 'utf8') === (await consoleTypes())).to.equal(true);
  });
});
