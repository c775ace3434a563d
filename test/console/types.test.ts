import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { consoleFailures, consoleTables, consoleTypes } from '../../console/generate.ts';

describe('The types of the console @long', () => {
  it('are those of the routes: run `npm run openapi` after a change', async () => {
    const written = (file: string) =>
      readFileSync(join(import.meta.dirname, '../../console/src/generated', file), 'utf8');
    expect(written('administration.ts') === (await consoleTypes())).to.equal(true);
    expect(written('tables.ts')).to.equal(consoleTables());
    expect(written('failures.ts')).to.equal(consoleFailures());
  });
});
