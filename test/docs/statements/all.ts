import { existsSync, readFileSync } from 'node:fs';
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

/** The title of a test as the source has it: a text, or a template with gaps. */
const TITLES = /\b(?:it|behaves)\(\s*('|"|`)((?:(?!\1)[^\\]|\\.)*)\1/g;
/** A tag says where a test runs, and a seed is another one in every run. */
const NO_PART = / @\w+$| \(WAYBILL_FAULTS_SEED=[^)]*\)$/;
const escaped = (text: string) => text.replace(/[.*+?^()|[\]\\{}$]/g, '\\$&');

/** The titles of the tests in a file; gaps are still in them. */
const titlesIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(TITLES)].map(([, , title]) =>
    title!.replaceAll("\\'", "'").replace(NO_PART, ''),
  );

/** Whether a test in this file has such a title. */
const isThere = (file: string, title: string): boolean =>
  existsSync(file) &&
  titlesIn(file).some((one) =>
    new RegExp(
      `^${one
        .split(/\$\{[^}]*\}/)
        .map(escaped)
        .join('.*')}$`,
    ).test(title),
  );

/** What the statements say of tests and is not so; none when all is well. */
export const findGaps = (all: readonly Statement[] = statements): string[] =>
  all.flatMap(({ section, says, tests, untestable }) => {
    const where = `${section} ${says}`;
    if (tests.length === 0 && !untestable) return [`${where}: neither a test nor a reason`];
    if (tests.length > 0 && untestable) return [`${where}: both a test and a reason for none`];
    return tests.flatMap((name) => {
      const [file, title] = splitName(name);
      return isThere(fileOf(file), title) ? [] : [`${where}: no test "${name}"`];
    });
  });
