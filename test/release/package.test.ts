import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { request } from 'undici';
import { temporaryFolder } from '../support/folder.ts';
import { useRealConnections } from '../support/network.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Manifest {
  version: string;
  bin: { waybill: string };
  dependencies: Record<string, string>;
}

/**
 * Installs the package as npm does, but takes its dependencies from the repository. Leaves out the build
 * of the console, which has tests of its own.
 */
const install = async (folder: string): Promise<string> => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [exec, node, ...words] = scripts.prepack.split(' ');
  expect([exec, node]).to.deep.equal(['exec', 'node']);
  await run(process.execPath, words, { cwd: root });
  const options = ['--silent', '--ignore-scripts', '--pack-destination', folder];
  await run('npm', ['pack', ...options], { cwd: root });
  const [tarball] = globSync('*.tgz', { cwd: folder });
  const modules = join(folder, 'node_modules');
  const target = join(modules, 'waybill');
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', join(folder, tarball!), '-C', target, '--strip-components=1']);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== 'waybill') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  return target;
};

/** Imports, and the programs of threads. */
const IMPORTS = /(?:^(?:import|export|\}) ?(?:.* )?from |^import |\bimport\(|new URL\()'([^']+)'/gm;

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

describe('the package @series', () => {
  useRealConnections();
  const folder = temporaryFolder();
  const children: ChildProcess[] = [];
  let installed: string;
  let manifest: Manifest;
  let program: string;

  before(async () => {
    installed = await install(folder.path);
    manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    program = join(installed, manifest.bin.waybill);
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    folder.remove();
  });

  const waybill = (...words: string[]) =>
    run(process.execPath, [program, ...words], { cwd: folder.path });

  it('holds JavaScript, the documents and the reference, and neither sources nor tests', () => {
    const files = globSync('**/*.*', { cwd: installed });
    const others = files.filter(
      (file) => !/^(dist\/.*\.(js|cjs)|(docs|deploy|console\/dist)\/.*)$/.test(file),
    );
    expect(others).to.have.members([
      'CHANGELOG.md',
      'README.md',
      'dist/http/reference/pages.css',
      'openapi.json',
      'package.json',
      'src/cli/waybill.cjs',
      'src/shared/prelude.cjs',
    ]);
    expect(files.filter((file) => file.includes('test'))).to.be.empty;
  });

  it('imports its own files, and what it depends on', () => {
    const imported = globSync('dist/**/*.js', { cwd: installed }).flatMap((file) =>
      [...readFileSync(join(installed, file), 'utf8').matchAll(IMPORTS)].map(([, name]) => ({
        file,
        name: name!,
      })),
    );
    const own = imported.filter(({ name }) => name.startsWith('.'));
    const isThere = (file: string, name: string) =>
      existsSync(join(installed, dirname(file), name));
    expect(own.filter(({ file, name }) => !isThere(file, name))).to.deep.equal([]);
    const others = imported.filter(({ name }) => !/^(\.|node:)/.test(name));
    const packages = new Set(others.map(({ name }) => packageOf(name)));
    expect(packages.size).to.be.above(10);
    expect(Object.keys(manifest.dependencies)).to.include.members([...packages]);
  });

  it('runs the command line', async () => {
    expect((await waybill('--version')).stdout).to.equal(`${manifest.version}\n`);
    expect((await waybill('account', '--help')).stdout).to.match(/^Usage: waybill account /);
  });

  it('runs the demo, with its threads, in the place of the command line', async () => {
    const child = spawn(process.execPath, [program, 'demo', '--json'], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const ended = once(child, 'exit');
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([once(lines, 'line'), ended.then(() => ['{}'])]);
    const { baseUrl } = JSON.parse(line);
    const { statusCode, body } = await request(new URL('/docs', baseUrl), { reset: true });
    await body.dump();
    expect(statusCode).to.equal(200);
    child.kill('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
  });

  it('refuses a start without settings as the service does', async () => {
    const refused = await waybill('start').catch((error) => error);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/^waybill: WAYBILL_SECRET: is required/);
  });

  it('says on an older Node what it needs, in one sentence', async () => {
    const older = join(folder.path, 'older.cjs');
    const versions = '{ value: { node: "20.20.2" } }';
    writeFileSync(older, `Object.defineProperty(process, "versions", ${versions})`);
    const started = run(process.execPath, ['--require', older, program, 'demo']);
    const { code, stderr } = await started.catch((error) => error);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^waybill needs Node\.js 24 or later, and this is v\S+: install it\n$/);
  });
});
