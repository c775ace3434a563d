#!/usr/bin/env node
'use strict';

// An older Node cannot parse the program, so a file of its own checks the version.
require('../shared/prelude.cjs');

// A package has the compiled program in place of the sources.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const source = './waybill.ts';
const program = existsSync(join(__dirname, source)) ? source : '../../dist/cli/waybill.js';

import(program).catch((error) => {
  process.stderr.write(`error: ${error.stack}\n`);
  process.exitCode = 1;
});
