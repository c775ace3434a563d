import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const NOT_COPIED = new Set(['.git', 'node_modules', 'data', 'coverage', '.mutants']);

export interface TestRun {
  result: 'green' | 'red' | 'timeout';
  /** Of the first red test, where the run came so far. */
  test?: { file: string; title: string; message: string };
  ms: number;
}

/** A copy of the tree in which files may be spoiled; it goes away with `close`. */
export interface Sandbox {
  folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
  run(tests: readonly string[], limitMs: number, env?: Record<string, string>): Promise<TestRun>;
  close(): void;
}

interface Report {
  failures: { file: string; fullTitle: string; err: { message?: string } }[];
}

export const openSandbox = (root: string): Sandbox => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-mutants-'));
  const filter = (path: string) => !NOT_COPIED.has(relative(root, path));
  cpSync(root, folder, { recursive: true, filter });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const reportFile = join(folder, '.report.json');

  const firstRed = (): TestRun['test'] => {
    try {
      const { failures } = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
      const [first] = failures;
      if (!first) return undefined;
      const { file, fullTitle: title, err } = first;
      return { file: relative(folder, file), title, message: err.message ?? '' };
    } catch {
      return undefined; // The process ended before mocha could write.
    }
  };

  return {
    folder,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(join(folder, file), text),
    run(tests, limitMs, env = {}) {
      rmSync(reportFile, { force: true });
      const mocha = join(folder, 'node_modules/mocha/bin/mocha.js');
      const reporter = ['--reporter', 'json', '--reporter-option', `output=${reportFile}`];
      const child = spawn(process.execPath, [mocha, '--bail', '--exit', ...reporter, ...tests], {
        cwd: folder,
        // A group of its own, so that the processes of a test end with it.
        detached: true,
        stdio: 'ignore',
        env: { ...process.env, ...env },
      });
      const startedAt = performance.now();
      const end = () => {
        try {
          process.kill(-child.pid!, 'SIGKILL');
        } catch {
          // All of them have ended.
        }
      };
      return new Promise((resolve, reject) => {
        let late = false;
        const timer = setTimeout(() => {
          late = true;
          end();
        }, limitMs);
        child.once('error', reject);
        child.once('exit', (code) => {
          clearTimeout(timer);
          end();
          const ms = performance.now() - startedAt;
          const test = firstRed();
          if (late) resolve({ result: 'timeout', ms });
          else if (code === 0) resolve({ result: 'green', ms });
          else resolve({ result: 'red', ms, ...(test && { test }) });
        });
      });
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
};
