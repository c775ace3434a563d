import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { expect } from 'chai';

// The rules of the house, as far as a program can see them.

const root = join(import.meta.dirname, '..');
const sources = globSync('src/**/*.ts', { cwd: root });
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Folders of ours that the files of a folder may import; anything directly in `src` is free. */
const allowed: Record<string, readonly string[]> = {
  events: [],
  provider: ['events'],
  projections: ['events'],
  commands: ['events', 'provider'],
  http: ['events', 'commands', 'projections', 'provider'],
};

/** What every folder may import. */
const SHARED = 'shared';

const folderOf = (file: string) => file.split('/')[1]!;
const isAdapter = (file: string) => basename(file, '.ts').includes('.');

const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target]) =>
    relative(root, join(root, dirname(file), target!)),
  );

/** Libraries that one place of the program owns. */
const homes: Record<string, RegExp> = {
  koa: /^src\/http\//,
  '@koa/router': /^src\/http\//,
  'koa-bodyparser': /^src\/http\//,
  'node:sqlite': /^src\/(events|projections)\/.*\.sqlite\./,
  '@eventstore/db-client': /^src\/events\/.*eventstoredb/,
  mongodb: /^src\/projections\/.*mongodb/,
  'prom-client': /^src\/http\//,
  commander: /^src\/cli\//,
};

describe('the house', () => {
  it('lets folders import only what stands below them', () => {
    const wrong = sources.flatMap((file) => {
      const may = allowed[folderOf(file)];
      if (!may) return [];
      return importsOf(file)
        .filter((target) => target.split('/').length > 2)
        .filter((target) => ![folderOf(file), SHARED, ...may].includes(folderOf(target)))
        .map((target) => `${file} imports ${target}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('lets nobody but the composition root import an adapter', () => {
    const roots = new Set([
      'src/run.ts',
      'src/main.ts',
      'src/audit/offline.ts',
      'src/audit/offline-part.ts',
      'src/audit/offline-worker.ts',
      'src/audit/copy-log.ts',
      'src/service/projector/thread.ts',
    ]);
    const family = (file: string) => join(dirname(file), basename(file).split('.')[0]!);
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.endsWith('.ts') && isAdapter(target) && !roots.has(file))
        .filter((target) => family(target) !== family(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('keeps each library at home', () => {
    const wrong = sources.flatMap((file) =>
      Object.entries(homes)
        .filter(([name, home]) => read(file).includes(`from '${name}'`) && !home.test(file))
        .map(([name]) => `${file} imports ${name}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('reads the environment in one file', () => {
    const readers = sources.filter((file) => /process\.env\b/.test(read(file)));
    const entries = readers.filter((file) => !/^src\/(main|config)\.ts$|^src\/cli\//.test(file));
    expect(entries).to.deep.equal([]);
  });

  it('takes time, ids and chance from outside', () => {
    const pattern = /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)|\brandomUUID\(/;
    const free = /^src\/(system|main|run)\.ts$|^src\/cli\//;
    const wrong = sources.filter((file) => pattern.test(read(file)) && !free.test(file));
    expect(wrong).to.deep.equal([]);
  });

  it('has files that can be read in one go', () => {
    const long = sources
      .map((file) => ({ file, lines: read(file).split('\n').length }))
      .filter(({ lines }) => lines > 400)
      .map(({ file, lines }) => `${file}: ${lines} lines`);
    expect(long).to.deep.equal([]);
  });

  it('leaves nothing for later in sight', () => {
    const wrong = sources.filter((file) => /\b(TODO|FIXME|XXX)\b/.test(read(file)));
    expect(wrong).to.deep.equal([]);
  });
});
