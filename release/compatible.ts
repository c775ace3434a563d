import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breakingChanges, mayBreak, type OpenApi } from './openapi-changes.ts';

// `npm run compatible` compares openapi.json with that of the last release, which a tag such as v0.2.0
// names. Exit status 1: a program of a caller could break, and the major version is the same.

const root = join(import.meta.dirname, '..');
/** Bytes of the document of a release. */
const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024;

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: DOCUMENT_BYTES_MAX });

const after = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as OpenApi;
const own = `v${after.info.version}`;
const last = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname')
  .split('\n')
  .find((tag) => /^v\d+\.\d+\.\d+$/.test(tag) && tag !== own);

if (last === undefined) {
  process.stdout.write(`There is no release before ${own} to compare with.\n`);
} else {
  const before = JSON.parse(git('show', `${last}:openapi.json`)) as OpenApi;
  const changes = breakingChanges(before, after);
  for (const change of changes) process.stdout.write(`${change}\n`);
  const sentence = changes.length === 0 ? 'no change breaks' : `${changes.length} changes break`;
  process.stdout.write(`From ${last} to ${own}, ${sentence} the programs of callers.\n`);
  if (changes.length > 0 && !mayBreak(before, after)) {
    process.stderr.write('Take the changes back, or raise the major version.\n');
    process.exitCode = 1;
  }
}
