#!/usr/bin/env node
// Nothing may be imported above the check: imports run first, and what they load needs Node 24.

const MAJOR_MIN = 24;
const major = Number.parseInt(process.versions.node, 10);

if (major < MAJOR_MIN) {
  process.stderr.write(`waybill needs Node.js ${MAJOR_MIN} or later; this is ${process.version}\n`);
  process.exitCode = 1;
} else {
  // The reader of a pipe may leave early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  const { run } = await import('./run.ts');
  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => Date.now(),
    uuid: () => globalThis.crypto.randomUUID(),
  });
}

export {};
