'use strict';

// Node loads this file before every other one of ours, in every thread (`--require`). It is written
// for the oldest Node that can be met: a newer form would end there with a SyntaxError, and not with
// a sentence. It is no TypeScript, because translating it would load the translator, which costs each
// thread 10 MB for as long as the thread lives.

const { engines } = require('../../package.json');

const wanted = Number.parseInt(engines.node.replace(/^\D+/, ''), 10);

if (Number.parseInt(process.versions.node, 10) < wanted) {
  process.stderr.write(
    `waybill needs Node.js ${wanted} or later, and this is ${process.version}: install it, ` +
      'or run npm ci without --ignore-scripts and --omit=dev, which brings it along\n',
  );
  process.exit(1);
}

// What Node made of a file of ours is kept beside the packages for the next start.
require('node:module').enableCompileCache(
  process.env.NODE_COMPILE_CACHE ||
    require('node:path').join(__dirname, '../../node_modules/.cache/waybill'),
);
