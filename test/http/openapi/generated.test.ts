import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { problemsOf } from '../../support/compiler.ts';
import { openWorld } from '../../support/faults/world.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';
import { referenceFile } from '../../support/openapi.ts';

/** What a caller would write with a client that a generator has made. */
const USAGE = `import { createClient } from './client/index.ts';
import { getMessageStatus, listMessages, sendNotification } from './index.ts';

export const use = async (baseUrl: string, auth: string) => {
  const client = createClient({ baseUrl, auth });
  const { data, error } = await sendNotification({
    client,
    headers: { 'Idempotency-Key': 'order-A-1042-shipped' },
    body: {
      to: '+919812345678',
      event: 'order_shipped',
      variables: { orderId: 'A-1042', awbCode: 'AWB7', trackingLink: 'https://shop.example/t' },
    },
  });
  if (error) throw new Error(JSON.stringify(error));
  // The other answer is that of a dry run.
  if (!('messageId' in data)) throw new Error('nothing was sent');
  const { messageId } = data;
  const status = await getMessageStatus({ client, path: { messageId } });
  const page = await listMessages({ client, query: { limit: 1 } });
  const refused = await sendNotification({ client, body: { to: '+919812345678', event: 'none' } });
  const code = refused.error && 'code' in refused.error ? refused.error.code : undefined;
  return { status: status.data?.status, found: page.data?.messages[0]?.metaMessageId, messageId, code };
};
`;

const SETTINGS = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
    noEmit: true,
    strict: true,
    allowImportingTsExtensions: true,
  },
  files: ['usage.ts'],
};

/** Makes the client. The generator builds its text with a compiler's interface that ours no longer has. */
const generate = async (path: string): Promise<void> => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const isItsOwn = context.parentURL?.includes('/@hey-api/');
      return next(isItsOwn && specifier === 'typescript' ? 'typescript-ast' : specifier, context);
    },
  });
  try {
    const { createClient } = await import('@hey-api/openapi-ts');
    await createClient({
      input: referenceFile,
      output: { path, module: { extension: '.ts' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    });
  } finally {
    hooks.deregister();
  }
};

describe('a client that @hey-api/openapi-ts makes of the reference @long', () => {
  useRealConnections();

  it('compiles, sends, and reads back @series', async () => {
    const { path, remove } = temporaryFolder();
    const world = await openWorld();
    try {
      await generate(path);
      writeFileSync(join(path, 'usage.ts'), USAGE);
      writeFileSync(join(path, 'package.json'), JSON.stringify({ type: 'module' }));
      writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(SETTINGS));
      expect(await problemsOf(path)).to.equal('');
      const { use } = await import(pathToFileURL(join(path, 'usage.ts')).href);
      const { apiKey } = await world.tenant({ credits: 1 });
      const used = await use(`${world.waybill.url}/api`, apiKey);
      expect(used).to.include({ status: 'sent', code: 'UNKNOWN_EVENT' });
      expect(used.found).to.equal(used.messageId);
    } finally {
      await world.close();
      remove();
    }
  });
});
