import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { sync } from '../../shared/files.ts';

import type { Place } from './place.ts';

const namesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(directory, name)).isFile())
        .map((name) => relative(directory, join(directory, name)).replaceAll('\\', '/'))
    : [];

export const openDirectory = (directory: string): Place => ({
  list: async () => namesIn(directory),
  async put(name, file) {
    const target = join(directory, name);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const partial = `${target}.partial`;
    copyFileSync(file, partial);
    sync(partial);
    renameSync(partial, target);
    sync(dirname(target));
  },
  get: async (name, file) => copyFileSync(join(directory, name), file),
  read: async (name) => readFileSync(join(directory, name), 'utf8'),
  async remove(name) {
    const target = join(directory, name);
    rmSync(target, { force: true });
    const folder = dirname(target);
    if (folder !== directory && readdirSync(folder).length === 0)
      rmSync(folder, { recursive: true });
  },
  close: async () => undefined,
});
