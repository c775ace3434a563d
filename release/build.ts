import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

// Makes `dist` for a package: Node does not run TypeScript below node_modules. `npm pack` calls this.

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const emitted = join(root, '.dist');

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** The compiler changes the specifiers of imports, but not the names of the programs of threads. */
const nameThreads = (text: string): string =>
  text.replaceAll(/(new URL\('\.[^']*)\.ts(', import\.meta\.url\))/g, '$1.js$2');

remove(emitted);
remove(dist);
execFileSync(
  join(root, 'node_modules/.bin/tsc'),
  ['-p', join(root, 'tsconfig.package.json'), '--outDir', emitted],
  { stdio: 'inherit' },
);
// `package.json` is beside `src` there, because the sources import it; the package has its own.
renameSync(join(emitted, 'src'), dist);
remove(emitted);

for (const file of globSync('**/*.js', { cwd: dist })) {
  const text = nameThreads(readFileSync(join(dist, file), 'utf8'));
  if (/['"`]\.[^'"`\n]*\.ts['"`]/.test(text)) throw new Error(`${file} names a TypeScript file`);
  writeFileSync(join(dist, file), text);
}
for (const file of globSync('**/*.*', { cwd: join(root, 'src') })) {
  if (file.endsWith('.ts')) continue;
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  cpSync(join(root, 'src', file), join(dist, file));
}
