import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { settingSchemas } from '../../src/config.ts';
import { manual } from '../../src/shared/setting-types.ts';

// `npm run openapi` writes the tables of settings from the settings: those of traces have a page of their own.

const root = join(import.meta.dirname, '../..');
const TRACES = 'docs/monitoring.md';
export const settingPages = ['docs/running.md', TRACES];

const TABLE = /(?<=^\| variable \| default \| meaning \|\n\|---\|---\|---\|\n)(?:\|.*\n)+/m;

const defaultOf = (schema: z.ZodType): string => {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return 'required';
  if (typeof data === 'number') return String(data);
  const text = typeof data === 'string' ? data : Object.values(data ?? {}).join();
  return text === '' ? '–' : `\`${text}\``;
};

const rowOf = ([name, schema]: [string, z.ZodType]): string => {
  const told = manual.get(schema);
  if (!told) throw new Error(`${name} needs a sentence for the manual`);
  return `| \`${name}\` | ${told.initially ?? defaultOf(schema)} | ${told.says} |\n`;
};

/** The page with the rows of its settings, in their order. */
export const withSettings = (page: string, text: string): string => {
  if (!TABLE.test(text)) throw new Error(`${page} has no table of settings`);
  const own = Object.entries(settingSchemas).filter(
    ([name]) => name.startsWith('OTEL_') === (page === TRACES),
  );
  return text.replace(TABLE, () => own.map(rowOf).join(''));
};

if (import.meta.main) {
  for (const page of settingPages) {
    const path = join(root, page);
    writeFileSync(path, withSettings(page, readFileSync(path, 'utf8')));
  }
}
