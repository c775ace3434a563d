import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { constants, getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasChromium } from './support/chromium.ts';
import { findNode, MAJORS } from './support/nodes.ts';

// The lanes of the tests. Tags in the titles of suites or tests say where they belong:
//   @long    a second or more: not in `npm run test:fast`
//   @alone   needs the processor for itself, as a browser or the kill of a process does: not in
//            `npm run test:fast`; in `npm test` such files run one after the other
//   @series  repeats what another test shows, for longer, or is of a release or a tool: in `npm run faults` alone

const root = join(import.meta.dirname, '..');
const MOCHA = join(root, 'node_modules/mocha/bin/mocha.js');

type Lane = 'all' | 'fast' | 'series';
const TITLES: Record<Lane, readonly string[]> = {
  all: ['--grep', '@series', '--invert'],
  fast: ['--grep', '@long|@alone|@series', '--invert'],
  series: ['--grep', '@series'],
};

const given = process.argv[2] ?? 'all';
if (!(given in TITLES)) throw new Error(`the lanes are ${Object.keys(TITLES).join(', ')}`);
const lane = given as Lane;

const has = (program: string, ...question: string[]) =>
  spawnSync(program, question.length === 0 ? ['--version'] : question).status === 0;
const nodesMissing = MAJORS.filter((major) => lane !== 'fast' && findNode(major) === undefined);
const IS_311 = 'import sys; sys.exit(sys.version_info < (3, 11))';
const { EVENTSTORE_URL, MONGODB_URL, META_OPENAPI, HELM = 'helm' } = process.env;
/** What a machine may lack, what is not tested without it, and what helps. */
const NEEDS: readonly (readonly [isThere: () => boolean, untested: string, remedy: string])[] = [
  [() => has('cc'), 'failing disks and power cuts', 'apt-get install gcc libc6-dev'],
  [() => has('prlimit'), 'full disks', 'apt-get install util-linux'],
  [() => hasChromium, 'the console in a browser', 'CHROMIUM_PATH=<the program> npm test'],
  [() => has('curl'), "the guide's commands", 'apt-get install curl'],
  [() => has('python3', '-c', IS_311), 'the Python client', 'Python 3.11 as python3'],
  [
    () => nodesMissing.length === 0,
    `the TypeScript client on Node ${nodesMissing.join(' and ')}`,
    `${nodesMissing.map((major) => `NODE_${major}=<the program>`).join(' ')} npm test`,
  ],
  [() => has('promtool'), 'the alert rules', 'apt-get install prometheus'],
  [() => has(HELM, 'version'), 'the chart', 'HELM=<the program> npm test'],
  [() => Boolean(EVENTSTORE_URL && MONGODB_URL), 'a cluster', 'npm run test:servers'],
  [() => Boolean(META_OPENAPI), "the provider's published schemas", 'npm run test:published'],
];

const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const having = (tag: string) => files.filter((file) => texts.get(file)!.includes(tag));

const alone = lane === 'fast' ? [] : having('@alone');
const long = new Set(having('@long'));
const beside = files.filter((file) => !alone.includes(file));
// Long ones first, so that none is left when all others are done.
const ordered = [
  ...beside.filter((file) => long.has(file)),
  ...beside.filter((file) => !long.has(file)),
];
const wanted = lane === 'series' ? new Set(having('@series')) : undefined;

const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 4_000_000_000;
/** Files of tests lie in memory where it is large enough and may hold programs: a send takes a third of the time. */
const chooseFolder = (): string => {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    const { bavail, bsize } = statfsSync(MEMORY);
    const isFit = mount && !mount.includes('noexec') && bavail * bsize > MEMORY_BYTES_MIN;
    return isFit ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
};
/** Compiled code of sources and tests, kept from run to run. */
const COMPILED = join(root, 'node_modules/.cache/waybill-tests');
const folder = mkdtempSync(join(chooseFolder(), 'waybill-tests-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

interface Outcome {
  status: number;
  text: string;
}

/** Of the files that run side by side: behind those that need the processor for themselves. */
const BESIDE_PRIORITY = Math.min(getPriority() + 5, constants.priority.PRIORITY_LOW);

/** Runs mocha on these files; `isBeside` shows what it says as it says it. */
const run = (chosen: readonly string[], options: readonly string[], isBeside: boolean) => {
  const mine = wanted ? chosen.filter((file) => wanted.has(file)) : chosen;
  if (mine.length === 0) return Promise.resolve<Outcome>({ status: 0, text: '' });
  const child: ChildProcess = spawn(
    process.execPath,
    [MOCHA, ...options, ...TITLES[lane], ...mine],
    {
      cwd: root,
      env: { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: COMPILED },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  if (isBeside && child.pid) setPriority(child.pid, BESIDE_PRIORITY);
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (isBeside) process.stdout.write(part);
  });
  return new Promise<Outcome>((resolve) => {
    child.on('close', (code) => {
      if (!isBeside) process.stdout.write(text);
      resolve({ status: code ?? 1, text });
    });
  });
};

const outcomes = await Promise.all([
  // Five on two cores: while some wait, the others work.
  run(ordered, ['--parallel', '--jobs', '5'], true),
  // Playwright and others leave a timer behind.
  run(alone, ['--exit'], false),
]);

const count = (what: 'passing' | 'failing' | 'pending') =>
  outcomes.reduce((sum, { text }) => {
    const [, number = '0'] = new RegExp(`^\\s+(\\d+) ${what}\\b`, 'm').exec(text) ?? [];
    return sum + Number(number);
  }, 0);
process.stdout.write(
  `${count('passing')} passed, ${count('failing')} failed, ${count('pending')} skipped\n`,
);
const missing = NEEDS.filter(([isThere]) => lane !== 'fast' && !isThere());
if (missing.length > 0) {
  const lines = missing.map(([, untested, remedy]) => `${untested} (${remedy})`);
  process.stdout.write(`Not tested on this machine: ${lines.join('; ')}\n`);
}
process.exitCode = outcomes.find(({ status }) => status !== 0)?.status ?? 0;
