'use strict';

// Node loads this file first, in every thread (`--require`). It is written in old JavaScript, so that
// an old Node prints the sentence below and not a SyntaxError. It is not TypeScript, because the
// translator of types would take 10 MB in each thread.

const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { engines } = require('../../package.json');

const wanted = Number.parseInt(engines.node.replace(/^\D+/, ''), 10);

if (Number.parseInt(process.versions.node, 10) < wanted) {
  // A package never holds this file.
  const isRepository = existsSync(join(__dirname, '../../package-lock.json'));
  const remedy = isRepository
    ? 'install it, or run npm ci without --ignore-scripts and --omit=dev, which brings it along'
    : 'install it';
  process.stderr.write(
    `waybill needs Node.js ${wanted} or later, and this is ${process.version}: ${remedy}\n`,
  );
  process.exit(1);
}

// Keeps the compiled code for the next start.
require('node:module').enableCompileCache(
  process.env.NODE_COMPILE_CACHE || join(__dirname, '../../node_modules/.cache/waybill'),
);
