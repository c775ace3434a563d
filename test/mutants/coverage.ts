import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Sandbox } from './sandbox.ts';

/** What a test file runs, in all of its processes and threads. */
export interface Coverage {
  /** Of the test file and everything of ours that it loads: a change makes it run again. */
  hash: string;
  loaded: string[];
  green: boolean;
  ms: number;
  /** By file: start and end of each stretch that runs, one after the other. */
  spans: Record<string, number[]>;
}

interface Dump {
  result: {
    url: string;
    functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
  }[];
}

const LIMIT_MS = 300_000;

/** Marks what ran in one process: an inner range says it more exactly than an outer one. */
const paint = (functions: Dump['result'][number]['functions'], ran: Uint8Array) => {
  const ranges = functions.flatMap((one) => one.ranges);
  ranges.sort((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
  const here = new Uint8Array(ran.length);
  for (const { startOffset, endOffset, count } of ranges) {
    here.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  here.forEach((value, at) => {
    if (value) ran[at] = 1;
  });
};

const spansOf = (ran: Uint8Array): number[] => {
  const spans: number[] = [];
  ran.forEach((value, at) => {
    if (value !== (ran[at - 1] ?? 0)) spans.push(at);
  });
  return spans.length % 2 === 1 ? [...spans, ran.length] : spans;
};

export const covers = (coverage: Coverage, file: string, at: number): boolean => {
  const spans = coverage.spans[file] ?? [];
  const next = spans.findIndex((bound) => bound > at);
  return next % 2 === 1;
};

const hashOf = (folder: string, files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of files) {
    try {
      hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
    } catch {
      return 'gone';
    }
  }
  return hash.digest('hex').slice(0, 24);
};

const measure = async (
  sandbox: Sandbox,
  test: string,
  scope: ReadonlyMap<string, string>,
): Promise<Coverage> => {
  const folder = join(sandbox.folder, '.v8');
  rmSync(folder, { recursive: true, force: true });
  const run = await sandbox.run([test], LIMIT_MS, { NODE_V8_COVERAGE: folder });
  const home = pathToFileURL(`${sandbox.folder}/`).href;
  const loaded = new Set([test]);
  const painted = new Map<string, Uint8Array>();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Dump;
    for (const { url, functions } of result) {
      if (!url.startsWith(home)) continue;
      const file = fileURLToPath(url.split('?')[0]!).slice(sandbox.folder.length + 1);
      if (file.startsWith('node_modules/')) continue;
      loaded.add(file);
      if (!scope.has(file)) continue;
      const ran =
        painted.get(file) ??
        new Uint8Array(readFileSync(join(sandbox.folder, file), 'utf8').length);
      painted.set(file, ran);
      paint(functions, ran);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  const files = [...loaded].sort();
  const spans = Object.fromEntries([...painted].map(([file, ran]) => [file, spansOf(ran)]));
  const green = run.result === 'green';
  return {
    hash: hashOf(sandbox.folder, files),
    loaded: files,
    green,
    ms: Math.round(run.ms),
    spans,
  };
};

/** Coverage of each test file; only those run whose files have changed since the last time. */
export const coverageOf = async (
  sandbox: Sandbox,
  tests: readonly string[],
  scope: ReadonlyMap<string, string>,
  { cacheFile, say }: { cacheFile: string; say: (line: string) => void },
): Promise<Map<string, Coverage>> => {
  let known: Record<string, Coverage> = {};
  try {
    known = JSON.parse(readFileSync(cacheFile, 'utf8'));
  } catch {
    // Nothing has been measured yet.
  }
  const found = new Map<string, Coverage>();
  for (const test of tests) {
    const old = known[test];
    // Red ones are measured again: the reason may have been a busy machine.
    if (old?.green && old.hash === hashOf(sandbox.folder, old.loaded)) {
      found.set(test, old);
      continue;
    }
    const coverage = await measure(sandbox, test, scope);
    if (!coverage.green) say(`left out, red without a mutant: ${test}`);
    else say(`measured ${test} (${coverage.ms} ms)`);
    found.set(test, coverage);
    known[test] = coverage;
    mkdirSync(dirname(cacheFile), { recursive: true });
    writeFileSync(cacheFile, JSON.stringify(known));
  }
  return found;
};
