import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const SOURCE = join(import.meta.dirname, '../../console/src');

const DISTANCE = /^\s*((?:row-|column-)?gap|(?:padding|margin)(?:-\w+)?): ([^;]+);/gm;
const SIZE = /^\s*(font(?:-size)?): ([^;]+);/gm;
/** Thinner than the smallest step: what is aligned by eye. */
const THIN_MAX = 3;

describe('The styles of the console', () => {
  it('take every distance and every size of type from the one scale', () => {
    const found = globSync('**/*.css', { cwd: SOURCE }).flatMap((name) => {
      const text = readFileSync(join(SOURCE, name), 'utf8');
      const rules = [...text.matchAll(DISTANCE), ...text.matchAll(SIZE)];
      return rules.flatMap(([, property, value = '']) => {
        const lengths = [...value.matchAll(/(?<![\w.])(\d+(?:\.\d+)?)px/g)].map(([, px]) =>
          Number(px),
        );
        const isOwn = lengths.some((px) => px > THIN_MAX) && !value.startsWith('calc(');
        return isOwn ? [`${name}: ${property}: ${value}`] : [];
      });
    });
    expect(found).to.deep.equal([]);
  });
});
