import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { generated } from '../../../clients/typescript/generate.ts';
import { temporaryFolder } from '../../support/folder.ts';

const root = join(import.meta.dirname, '../../..');
const client = join(root, 'clients/typescript');

const SETTINGS = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
    noEmit: true,
    strict: true,
  },
};

/** It compiles only while the client knows these. */
const USAGE = `import { ApiError, SendFailedError, type Waybill } from 'waybill-client';

export const told = async (waybill: Waybill): Promise<string> => {
  try {
    const { messageId, billing, isReplayed } = await waybill.sendNotification({
      to: '+919812345678',
      event: 'otp_verification',
      variables: { otp: 482913 },
    });
    return isReplayed ? messageId : billing.price;
  } catch (error) {
    if (error instanceof SendFailedError) return String(error.body.details.providerCode);
    if (!(error instanceof ApiError)) throw error;
    if (error.is('UNKNOWN_EVENT')) return error.body.supportedEvents.join();
    return error.requestId ?? error.message;
  }
};

export const wrong = (waybill: Waybill) => [
  // @ts-expect-error The event lacks a variable.
  waybill.sendNotification({ to: '1', event: 'order_shipped', variables: { orderId: 'A' } }),
  // @ts-expect-error There is no such event.
  waybill.sendNotification({ to: '1', event: 'order_shiped', variables: {} }),
  // @ts-expect-error The event has no such variable.
  waybill.sendNotification({ to: '1', event: 'otp_verification', variables: { otp: '1', opt: '1' } }),
];
`;

describe('the types of the TypeScript client @long', () => {
  it('are those of the reference and of the catalog; `npm run openapi` writes them', async () => {
    for (const [name, text] of Object.entries(await generated())) {
      const file = readFileSync(join(client, 'src/generated', name), 'utf8');
      expect(file === text, `${name} is old: run npm run openapi`).to.equal(true);
    }
  });

  it('have a method for each operation of callers', async () => {
    const { Waybill } = await import('../../../clients/typescript/src/index.ts');
    const reference = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const operations = Object.entries(reference.paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([, methods]) => Object.values(methods))
      .flatMap(({ operationId }) => operationId ?? []);
    expect(Object.getOwnPropertyNames(Waybill.prototype)).to.include.members(operations);
  });

  describe('as a package', () => {
    const folder = temporaryFolder();
    const dist = join(folder.path, 'node_modules/waybill-client/dist');
    const tsc = (...args: string[]): Promise<string> =>
      promisify(execFile)(join(root, 'node_modules/.bin/tsc'), args).then(
        () => '',
        ({ stdout, stderr }) => `${stdout}${stderr}`,
      );
    before(async () => {
      expect(await tsc('-p', client, '--outDir', dist)).to.equal('');
      cpSync(join(client, 'package.json'), join(dist, '../package.json'));
    });
    after(() => folder.remove());

    it('has no dependencies, and runs as JavaScript', async () => {
      const { dependencies, devDependencies } = JSON.parse(
        readFileSync(join(client, 'package.json'), 'utf8'),
      );
      expect([dependencies, devDependencies]).to.deep.equal([undefined, undefined]);
      const built = await import(join(dist, 'index.js'));
      const waybill = new built.Waybill({ apiKey: 'k', baseUrl: 'https://waybill.test/api' });
      expect(waybill).to.have.property('sendNotification');
    });

    it('compiles in a program as its README shows, and not with a wrong variable or event', async () => {
      const readme = readFileSync(join(client, 'README.md'), 'utf8');
      const [first, list, webhook] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(
        ([, code]) => code!,
      );
      const files = {
        'readme.ts': `${first}\n${list}`,
        'webhook.ts': webhook!,
        'usage.ts': USAGE,
        'process.d.ts': 'declare const process: { env: Record<string, string | undefined> };',
      };
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(folder.path, name), text);
      writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(SETTINGS));
      expect(await tsc('-p', folder.path)).to.equal('');
    });
  });
});
