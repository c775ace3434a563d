import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeArguments, programs } from '../../src/cli/program/program.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('waybill start and waybill demo', () => {
  for (const name of ['start', 'demo']) {
    it(`gives node what npm run ${name} gives it`, () => {
      const program = programs.find((one) => one.name === name)!;
      const words = nodeArguments(program, []).map((word) => word.replace(`${root}/`, ''));
      const script = scripts[name].replaceAll('./src/', 'src/');
      expect(['exec', 'node', ...words].join(' ')).to.equal(script);
    });
  }
});
