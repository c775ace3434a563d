import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpointStatements } from './endpoints.ts';
import { notificationStatements } from './notifications.ts';
import { resourceStatements } from './resources.ts';
import { ruleStatements } from './rules.ts';
import type { Statement } from './statement.ts';

/** The contract, statement by statement, in its order. */
export const statements: readonly Statement[] = [
  ...resourceStatements,
  ...notificationStatements,
  ...endpointStatements,
  ...ruleStatements,
];

const fileOf = (name: string) => join(import.meta.dirname, '../..', `${name}.test.ts`);
const splitName = (name: string): [file: string, title: string] => {
  const at = name.indexOf(': ');
  return [name.slice(0, at), name.slice(at + 2)];
};

interface Listed {
  title: string;
  file: string;
}

/** The titles in these files, from mocha itself: it loads the tests and runs none. */
export const listTests = (files: readonly string[]): readonly Listed[] => {
  const root = join(import.meta.dirname, '../../..');
  const output = join(tmpdir(), `waybill-contract-${process.pid}.json`);
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const options = ['--dry-run', '--exit', '--reporter', 'json'];
  try {
    execFileSync(
      process.execPath,
      [mocha, ...options, '--reporter-option', `output=${output}`, ...files],
      { cwd: root, stdio: 'pipe', timeout: 60_000 },
    );
    const { tests }: { tests: Listed[] } = JSON.parse(readFileSync(output, 'utf8'));
    // Tags say where a test runs, not what it shows.
    return tests.map(({ file, title }) => ({ file, title: title.replace(/ @\w+$/, '') }));
  } finally {
    rmSync(output, { force: true });
  }
};

/** What the statements say of tests and is not so; none when all is well. */
export const findGaps = (all: readonly Statement[] = statements): string[] => {
  const named = all.flatMap(({ tests }) => tests.map(splitName));
  const files = [...new Set(named.map(([file]) => fileOf(file)))].filter((file) =>
    existsSync(file),
  );
  const known = new Set(listTests(files).map(({ file, title }) => `${file}: ${title}`));
  return all.flatMap(({ section, says, tests, untestable }) => {
    const where = `${section} ${says}`;
    if (tests.length === 0 && !untestable) return [`${where}: neither a test nor a reason`];
    if (tests.length > 0 && untestable) return [`${where}: both a test and a reason for none`];
    return tests.flatMap((name) => {
      const [file, title] = splitName(name);
      return known.has(`${fileOf(file)}: ${title}`) ? [] : [`${where}: no test "${name}"`];
    });
  });
};
