import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');

/** The anchors that GitHub gives to the headings of a page, and those that it has itself. */
const anchorsOf = (text: string): string[] => [
  ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  ),
  ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!),
];

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

  it('link to sections that exist', () => {
    const broken = globSync('{*.md,docs/*.md}', { cwd: root }).flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([\w./-]*\.md)?#([\w-]+)\)/g)]
        .filter(([, file, section]) => {
          const text = readFileSync(
            file ? join(root, dirname(page), file) : join(root, page),
            'utf8',
          );
          return !anchorsOf(text).includes(section!);
        })
        .map(([, file = '', section]) => `${page}: ${file}#${section}`),
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
