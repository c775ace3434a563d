import { spawnSync } from 'node:child_process';
import { testServers } from '../support/stores.ts';

// What runs on servers: the instances side by side first, on a log that must hold nothing else yet, then
// the contracts of both adapters, then the whole of the API tests.

const STAGES = [
  ['test/servers/**/*.test.ts'],
  ['test/events/store.test.ts', 'test/projections/views.mongodb*.test.ts'],
  ['test/http/v1/**/*.test.ts', 'test/http/admin/**/*.test.ts', 'test/http/provider*.test.ts'],
];

/** It is about the files of the embedded log. */
const IGNORED = ['--ignore', 'test/http/admin/audit.test.ts'];

if (!testServers()) {
  console.error('test:servers needs EVENTSTORE_URL and MONGODB_URL: servers to be thrown away');
  process.exit(1);
}
const statuses = STAGES.map(
  (files) =>
    spawnSync('mocha', ['--timeout', '30000', ...IGNORED, ...files], {
      stdio: 'inherit',
      shell: false,
    }).status,
);
process.exit(statuses.every((status) => status === 0) ? 0 : 1);
