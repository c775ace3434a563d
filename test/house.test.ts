import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { expect } from 'chai';

// The rules of docs/architecture.md, as far as a program can check them.

const root = join(import.meta.dirname, '..');
const sources = globSync('src/**/*.{ts,cjs}', { cwd: root });
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:from|import|require)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, target]) => relative(root, join(root, dirname(file), target!)))
    .filter((target) => target.startsWith('src/'));
const imports = new Map(sources.map((file) => [file, importsOf(file)]));

/** A room is a folder directly in `src`, or a file that stands loose there. */
const roomOf = (file: string) => file.split('/')[1]!;
const folderOf = (file: string) => dirname(file).slice('src/'.length);

/** Rooms that the files of a room may import beside their own. */
const allowed: Record<string, readonly string[]> = {
  shared: [],
  events: ['shared'],
  keys: ['events', 'shared'],
  provider: ['events', 'shared'],
  projections: ['events', 'shared'],
  commands: ['events', 'provider', 'shared'],
  net: ['commands', 'shared'],
  audit: ['events', 'keys', 'commands', 'projections', 'shared'],
  http: ['events', 'commands', 'projections', 'provider', 'audit', 'shared'],
  service: [
    'events',
    'keys',
    'commands',
    'projections',
    'provider',
    'audit',
    'net',
    'http',
    'shared',
  ],
};
const ROOMS_MAX = 15;

/** Folders with sub-folders, and what may stand beside these: ports, indexes, definitions. */
const looseFiles: Record<string, RegExp> = {
  '': /^(main|run|config)\.ts$/,
  // The checks of the books; seals have a folder.
  audit: /./,
  cli: /^(demo|simulator|waybill)\.(ts|cjs)$/,
  commands: /^$/,
  'commands/bots': /./,
  // The definitions, which are the room's subject; adapters and the copy have folders.
  events: /./,
  http: /^(app|apps|routes|pipelines)\.ts$/,
  keys: /^(key-store|key-ring|key-cache|data-subjects|installation-key|wrapping)\.ts$/,
  // The folds, and the ports of the adapters.
  projections: /./,
  provider: /^(provider|shape)\.ts$/,
  // What wires the parts, and what is of no part alone.
  service:
    /^(service|deps|stores|commands|http|sending|inbound|charging|bot-work|authenticator|rate-limits|live-feed)\.ts$/,
};

/** An adapter lies in a folder named after its technology. */
const ADAPTER = /^src\/(events\/(sqlite|eventstoredb)|(projections|keys)\/(sqlite|mongodb))\//;
/** What puts the program together, and what reads the files of a service that is not running. */
const COMPOSITION =
  /^src\/(main|run)\.ts$|^src\/audit\/(offline[a-z-]*|copy-log)\.ts$|^src\/service\/projector\/thread\.ts$/;

/** Libraries that one place of the program owns. */
const homes: Record<string, RegExp> = {
  koa: /^src\/http\//,
  '@koa/router': /^src\/http\//,
  'koa-bodyparser': /^src\/http\//,
  'node:sqlite': /^src\/(events|projections|keys)\/sqlite\//,
  '@eventstore/db-client': /^src\/events\/eventstoredb\//,
  mongodb: /^src\/(projections|keys)\/mongodb\//,
  'prom-client': /^src\/http\//,
  'openid-client': /^src\/net\//,
  '@simplewebauthn/server': /^src\/http\//,
  commander: /^src\/cli\//,
  '@modelcontextprotocol/sdk/server/mcp.js': /^src\/cli\/mcp\//,
  '@opentelemetry/api': /^src\/service\/tracing\//,
  '@opentelemetry/core': /^src\/service\/tracing\//,
  '@opentelemetry/otlp-transformer': /^src\/service\/tracing\//,
  '@opentelemetry/resources': /^src\/service\/tracing\//,
  '@opentelemetry/sdk-trace': /^src\/service\/tracing\//,
};

/** Groups of names that import one another, directly or through others. */
const circlesOf = (edges: ReadonlyMap<string, Iterable<string>>): string[][] => {
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(edges.get(from) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(edges.get(next) ?? []));
    }
    return seen;
  };
  const reached = new Map([...edges.keys()].map((name) => [name, reach(name)]));
  const inCircle = [...edges.keys()].filter((name) => reached.get(name)!.has(name));
  const groups = Map.groupBy(inCircle, (name) =>
    inCircle
      .filter((other) => reached.get(name)!.has(other) && reached.get(other)!.has(name))
      .join(),
  );
  return [...groups.values()];
};

const edgesBetween = (nameOf: (file: string) => string): Map<string, Set<string>> => {
  const edges = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const from = nameOf(file);
    const to = edges.get(from) ?? new Set();
    for (const target of targets) if (nameOf(target) !== from) to.add(nameOf(target));
    edges.set(from, to);
  }
  return edges;
};

describe('the house', () => {
  it('has few rooms, and imports between them go one way', () => {
    const edges = edgesBetween(roomOf);
    expect(edges.size).to.be.at.most(ROOMS_MAX);
    expect(circlesOf(edges)).to.deep.equal([]);
    const wrong = [...imports].flatMap(([file, targets]) => {
      const may = allowed[roomOf(file)];
      if (!may) return [];
      return targets
        .filter((target) => ![roomOf(file), ...may].includes(roomOf(target)))
        .map((target) => `${file} imports ${target}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('has no files that import one another', () => {
    expect(circlesOf(edgesBetween((file) => file))).to.deep.equal([]);
  });

  it('has no file beside folders except ports, indexes and definitions', () => {
    const folders = new Set(sources.map(folderOf));
    const isParent = (folder: string) =>
      [...folders].some((other) => other !== folder && other.startsWith(folder && `${folder}/`));
    const wrong = sources.filter((file) => {
      const folder = dirname(file) === 'src' ? '' : folderOf(file);
      return isParent(folder) && !looseFiles[folder]?.test(basename(file));
    });
    expect(wrong).to.deep.equal([]);
  });

  it('names files in kebab-case', () => {
    const all = [...sources, ...globSync('{test,bench}/**/*.ts', { cwd: root })];
    const wrong = all.filter((file) => {
      const stem = basename(file, extname(file)).replace(/\.test$/, '');
      return !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(stem);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('lets only the composition root and the adapter itself import an adapter', () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => ADAPTER.test(target) && !COMPOSITION.test(file))
        .filter((target) => dirname(target) !== dirname(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('imports each library in one room', () => {
    const wrong = sources.flatMap((file) =>
      Object.entries(homes)
        .filter(([name, home]) => read(file).includes(`from '${name}'`) && !home.test(file))
        .map(([name]) => `${file} imports ${name}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('reads the environment in one file', () => {
    const readers = sources.filter((file) => /process\.env\b/.test(read(file)));
    // The samples of the reference are text.
    const free =
      /^src\/(main|config)\.ts$|^src\/cli\/|^src\/shared\/prelude\.cjs$|^src\/http\/reference\/samples\.ts$/;
    expect(readers.filter((file) => !free.test(file))).to.deep.equal([]);
  });

  it('injects time, ids and randomness', () => {
    const pattern = /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)|\brandomUUID\(/;
    const free = /^src\/(shared\/system|main|run)\.ts$|^src\/cli\//;
    const wrong = sources.filter((file) => pattern.test(read(file)) && !free.test(file));
    expect(wrong).to.deep.equal([]);
  });

  it('makes HTTP answers of errors at the edge alone', () => {
    // The table of errors holds the words that a caller reads, and no header.
    const inner = sources.filter(
      (file) =>
        /^src\/(shared|events|projections|commands|audit)\//.test(file) &&
        file !== 'src/shared/error-table.ts',
    );
    const pattern = /retry-after|www-authenticate|new AppError\([^;]*\b(status|headers|body):/i;
    expect(inner.filter((file) => pattern.test(read(file)))).to.deep.equal([]);
  });

  it('has no notes of unfinished work', () => {
    const wrong = sources.filter((file) => /\b(TODO|FIXME|XXX)\b/.test(read(file)));
    expect(wrong).to.deep.equal([]);
  });
});
