import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { typesOf } from '../../../clients/typescript/generate.ts';
import { referenceFile } from '../../support/openapi.ts';

const root = join(import.meta.dirname, '../../..');
// Inside the tree, so that what the client imports is found.
const folder = join(root, 'node_modules/.cache/openapi-client');

/** What a caller would write: it compiles only while names, fields and codes are these. */
const USAGE = `import createClient from 'openapi-fetch';
import type { components, operations, paths } from './reference.ts';

const client = createClient<paths>({ baseUrl: 'http://localhost:8080/api' });

export const tell = async (): Promise<string> => {
  const { data, error, response } = await client.POST('/v1/notifications/send', {
    params: { header: { 'Idempotency-Key': 'order-A-1042-shipped' } },
    body: { to: '+919812345678', event: 'order_shipped', variables: { orderId: 'A-1042' } },
  });
  if (data && 'scheduled' in data) return data.scheduled.dueAt;
  if (data) return data.missingVariables?.join() ?? data.messageId;
  if (response.status === 429 && 'limit' in error) return error.limit;
  if ('code' in error && error.code === 'UNKNOWN_EVENT') return error.supportedEvents.join();
  if ('reason' in error) return \`\${error.creditsRequired} credits needed\`;
  return typeof error.error === 'string' ? error.error : error.error.formErrors.join();
};

export const statusOf = async (messageId: string): Promise<string | null | undefined> => {
  const path = { messageId };
  const { data } = await client.GET('/v1/notifications/status/{messageId}', { params: { path } });
  return data?.status;
};

export type Sent = components['schemas']['Message'];
export type Page = operations['listMessages']['parameters']['query'];
export const page: Page = { limit: 10 };

// @ts-expect-error An event must be named.
client.POST('/v1/notifications/send', { body: { to: '+919812345678' } });
// @ts-expect-error There is no such address.
client.GET('/v1/nothing');
`;

const SETTINGS = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: [],
    module: 'nodenext',
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  files: ['usage.ts'],
};

describe('a client made from the reference @long', () => {
  before(() => mkdirSync(folder, { recursive: true }));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('compiles, and knows requests, answers and refusals @series', async () => {
    const reference = JSON.parse(readFileSync(referenceFile, 'utf8'));
    writeFileSync(join(folder, 'reference.ts'), await typesOf(reference));
    writeFileSync(join(folder, 'usage.ts'), USAGE);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    const tsc = join(root, 'node_modules/.bin/tsc');
    const problems = await promisify(execFile)(tsc, ['-p', folder]).then(
      () => '',
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
    expect(problems).to.equal('');
  });
});
