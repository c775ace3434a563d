import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runName, testServers } from '../support/servers.ts';
import { PATIENCE_MS } from '../support/until.ts';
import { openCleaner } from './clean.ts';

// What runs on servers. Whatever the servers hold already does not matter: each service has a part
// of the log and a database of its own, and both are cleared away at the end.

interface Stage {
  name: string;
  files: readonly string[];
  /** Workers beside each other. */
  workers?: number;
  /** A stage that has not ended by then has failed. */
  minutesMax: number;
}

const SEVERAL = [1, 2, 4].map((workers) => ({
  name: `several instances side by side, workers: ${workers}`,
  files: ['test/servers/**/*.test.ts'],
  workers,
  minutesMax: 20,
}));

const STAGES: readonly Stage[] = [
  ...SEVERAL,
  {
    name: 'contracts of the adapters',
    files: ['test/events/{store,eventstoredb/*}.test.ts', 'test/projections/mongodb/*.test.ts'],
    minutesMax: 10,
  },
  {
    name: 'the API',
    files: [
      'test/http/v1/**/*.test.ts',
      'test/http/admin/**/*.test.ts',
      'test/http/provider/*.test.ts',
    ],
    minutesMax: 20,
  },
];

/** They are about the files of the embedded log. */
const IGNORED = ['test/http/admin/audit.test.ts', 'test/events/sqlite/*.test.ts'];

const secondsSince = (start: number): string => ((performance.now() - start) / 1000).toFixed(0);

const refuse = (why: string): never => {
  console.error(`test:servers: ${why}`);
  process.exit(1);
};

const countOf = (output: string, what: string): number =>
  Number(new RegExp(`^ +(\\d+) ${what}`, 'm').exec(output)?.[1] ?? 0);

/** A group of its own, so that nothing that it has started outlives it. */
const runStage = async ({ files, workers = 2, minutesMax }: Stage) => {
  const ignored = IGNORED.flatMap((file) => ['--ignore', file]);
  // Longer than a test waits for something: the one that waits in vain says for what.
  const args = ['--exit', '--timeout', String(3 * PATIENCE_MS), ...ignored, ...files];
  const env = { ...process.env, TEST_RUN: runName, WORKERS: String(workers) };
  const stage = spawn('mocha', args, { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  stage.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const end = () => {
    try {
      process.kill(-stage.pid!, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };
  process.once('exit', end);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, minutesMax * 60_000);
  const [status] = await once(stage, 'close');
  clearTimeout(timer);
  end();
  process.off('exit', end);
  const passed = countOf(output, 'passing');
  const failed = countOf(output, 'failing');
  const pending = countOf(output, 'pending');
  return { ok: status === 0 && passed > 0, passed, failed, pending, isLate };
};

const servers =
  testServers() ?? refuse('it needs EVENTSTORE_URL and MONGODB_URL, of servers for tests');
const clean = await openCleaner(servers, runName).catch((error: Error) =>
  refuse(`the servers cannot be reached: ${error.message}`),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const begunAt = performance.now();
const lines: string[] = [];
const all = { ok: true, passed: 0, failed: 0, pending: 0 };
for (const stage of STAGES) {
  console.log(`\n=== ${stage.name}`);
  const at = performance.now();
  const { ok, passed, failed, pending, isLate } = await runStage(stage);
  const late = isLate ? `, not over after ${stage.minutesMax} minutes` : '';
  const counts = `${passed} passed, ${failed} failed, ${pending} pending`;
  lines.push(
    `${ok ? 'ok    ' : 'FAILED'} ${stage.name}: ${counts} in ${secondsSince(at)} s${late}`,
  );
  all.ok &&= ok;
  all.passed += passed;
  all.failed += failed;
  all.pending += pending;
}
const { streams, databases } = await clean();
console.log(`\n${lines.join('\n')}`);
console.log(`all stages took ${secondsSince(begunAt)} s`);
console.log(`cleared away: ${streams} streams, ${databases} databases`);
console.log(`${all.passed} passed, ${all.failed} failed, ${all.pending} pending`);
process.exit(all.ok ? 0 : 1);
