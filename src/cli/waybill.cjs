#!/usr/bin/env node
'use strict';

// An older Node cannot read the program itself, so the check of its version has a file of its own.
require('../shared/prelude.cjs');

import('./waybill.ts').catch((error) => {
  process.stderr.write(`error: ${error.stack}\n`);
  process.exitCode = 1;
});
