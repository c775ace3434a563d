import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');

describe('the documents', () => {
  it('link to files that exist', () => {
    const broken = globSync('{*.md,docs/*.md}', { cwd: root }).flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, target]) => target!)
        .filter((target) => !existsSync(join(root, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it('name source files that exist', () => {
    const gone = globSync('{*.md,docs/*.md}', { cwd: root }).flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/`((?:src|test|bench)\/[\w./-]+)`/g)]
        .map(([, path]) => path!)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(gone).to.deep.equal([]);
  });
});
