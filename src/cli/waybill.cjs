#!/usr/bin/env node
'use strict';

// An older Node cannot parse the program, so a file of its own checks the version.
require('../shared/prelude.cjs');

import('./waybill.ts').catch((error) => {
  process.stderr.write(`error: ${error.stack}\n`);
  process.exitCode = 1;
});
