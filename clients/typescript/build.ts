import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// `npm pack` compiles the client twice: to ES modules, and to CommonJS for programs that `require` it.

const here = import.meta.dirname;
const compiler = join(here, '../../node_modules/.bin/tsc');

const COMMONJS = [
  '--module',
  'commonjs',
  '--moduleResolution',
  'bundler',
  '--verbatimModuleSyntax',
  'false',
];

/** Writes the built client into a folder, which is emptied first. */
export const build = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, type, options] of [
    ['esm', 'module', []],
    ['cjs', 'commonjs', COMMONJS],
  ] as const) {
    const out = join(folder, name);
    execFileSync(compiler, ['-p', here, '--outDir', out, ...options], { stdio: 'inherit' });
    // It is nearer than the package's own, so what that says must stand here too.
    writeFileSync(join(out, 'package.json'), JSON.stringify({ type, sideEffects: false }));
  }
};

if (import.meta.main) build(join(here, 'dist'));
