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

/** What a pattern finds in each document, and is not so, with the name of the document. */
const brokenIn = (
  pattern: RegExp,
  isThere: (page: string, ...found: (string | undefined)[]) => boolean,
): string[] =>
  globSync('{*.md,docs/*.md}', { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(pattern)]
      .filter(([, ...found]) => !isThere(page, ...found))
      .map(([whole]) => `${page}: ${whole}`),
  );

describe('the documents', () => {
  it('link to files that exist', () => {
    const broken = brokenIn(/\]\((?!https?:|#)([^)#\s]+)/g, (page, target) =>
      existsSync(join(root, dirname(page), target!)),
    );
    expect(broken).to.deep.equal([]);
  });

  it('link to sections that exist', () => {
    const broken = brokenIn(/\]\(([\w./-]*\.md)?#([\w-]+)\)/g, (page, file, section) => {
      const path = file ? join(root, dirname(page), file) : join(root, page);
      return anchorsOf(readFileSync(path, 'utf8')).includes(section!);
    });
    expect(broken).to.deep.equal([]);
  });

  it('name source files that exist', () => {
    const gone = brokenIn(/`((?:src|test|bench)\/[\w./-]+)`/g, (_, path) =>
      existsSync(join(root, path!)),
    );
    expect(gone).to.deep.equal([]);
  });
});
