import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from '../../../clients/typescript/build.ts';
import { generated } from '../../../clients/typescript/generate.ts';
import { problemsOf } from '../../support/compiler.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { readReference } from '../../support/openapi.ts';

const client = join(import.meta.dirname, '../../../clients/typescript');

const SETTINGS = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  module: 'nodenext',
  noEmit: true,
  strict: true,
  skipDefaultLibCheck: true,
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
    return isReplayed ? messageId : (billing?.price ?? 'later');
  } catch (error) {
    if (error instanceof SendFailedError) return String(error.body.details.providerCode);
    if (!(error instanceof ApiError)) throw error;
    if (error.is('UNKNOWN_EVENT')) return error.body.supportedEvents.join();
    return error.requestId ?? error.message;
  }
};

export const formsOf = async (waybill: Waybill): Promise<[string, string, number | string]> => [
  await waybill.getStatement({ month: '2026-09', format: 'csv' }),
  await waybill.getCreditProof({ chargeId: 'c', format: 'tlog-proof' }),
  (await waybill.getStatement({ month: '2026-09' })).closing,
];
`;

/** Mistakes, one a line, and what the compiler says of each. */
const MISTAKES: readonly [call: string, said: string | RegExp][] = [
  [
    "sendNotification({ to: '1', event: 'order_shipped', variables: { orderId } })",
    /missing the following properties .*: awbCode, trackingLink$/,
  ],
  [
    "sendNotification({ to: '1', event: 'order_delivered', variables: { orderId, custmerName } })",
    "'custmerName' does not exist in type '{ customerName: VariableValue; orderId: VariableValue; }'. Did you mean to write 'customerName'?",
  ],
  [
    "sendNotification({ to: '1', event: 'otp_verification', variables: { otp, code: '1' } })",
    "'code' does not exist in type '{ otp: VariableValue; }'",
  ],
  [
    "sendNotification({ to: '1', event: 'otp_verificaton', variables: { otp } })",
    `Did you mean '"otp_verification"'?`,
  ],
  [
    "sendNotification({ to: '1', event: 'otp_verification', variables: { otp }, phoneNumber: '2' })",
    `'phoneNumber' does not exist in type 'NotificationOf<"otp_verification">'. Did you mean to write 'phoneNumberId'?`,
  ],
  [
    "sendNotificationBatch({ event: 'order_delivered', recipients: [{ to: '1', variables: { orderId } }] })",
    /Property 'customerName' is missing .* required in type '\{ customerName: VariableValue; orderId: VariableValue; \}'/,
  ],
  [
    "sendNotificationBatch({ event: 'otp_verification', variables: { otp }, recipients: [] })",
    `'variables' does not exist in type 'NotificationBatchOf<"otp_verification">'`,
  ],
];

const WRONG = `import type { Waybill } from 'waybill-client';
declare const waybill: Waybill, orderId: string, custmerName: string, otp: string;
${MISTAKES.map(([call]) => `waybill.${call};`).join('\n')}
`;

/** As programs that \`require\` it read it. */
const REQUIRED = `import { Waybill } from 'waybill-client';
export const balance = (apiKey: string): Promise<number> =>
  new Waybill({ apiKey, baseUrl: 'https://waybill.test/api' }).getCredits().then((it) => it.balance);
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
    const operations = Object.entries(readReference().paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .flatMap(([, methods]) => Object.values(methods))
      .map(({ operationId }) => operationId);
    const methods = [Waybill.prototype, Object.getPrototypeOf(Waybill.prototype)];
    expect(methods.flatMap((of) => Object.getOwnPropertyNames(of))).to.include.members(operations);
  });

  describe('as a package', () => {
    const folder = temporaryFolder();
    const installed = join(folder.path, 'node_modules/waybill-client');
    before(() => {
      build(join(installed, 'dist'));
      cpSync(join(client, 'package.json'), join(installed, 'package.json'));
      writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
    });
    after(() => folder.remove());

    /** What the compiler says of a program, a line for each error. */
    const saysOf = async (files: Readonly<Record<string, string>>, settings: object = {}) => {
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder.path, name), text);
      }
      const config = { compilerOptions: { ...SETTINGS, ...settings }, files: Object.keys(files) };
      writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
      return (await problemsOf(folder.path)).split('\n').filter((line) => line !== '');
    };

    it('has no dependencies, and runs as JavaScript', async () => {
      const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));
      expect(manifest).not.to.have.any.keys('dependencies', 'devDependencies');
      const built = await import(join(installed, 'dist/esm/index.js'));
      const waybill = new built.Waybill({ apiKey: 'k', baseUrl: 'https://waybill.test/api' });
      expect(waybill).to.have.property('sendNotification');
    });

    for (const [how, settings] of [
      ['Node', { module: 'node16' }],
      ['a bundler @series', { module: 'esnext', moduleResolution: 'bundler' }],
    ] as const) {
      it(`compiles in a program as its README shows for ${how}`, async () => {
        const readme = readFileSync(join(client, 'README.md'), 'utf8');
        const [first, list, jobs, webhook] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(
          ([, code]) => code!,
        );
        const files = {
          'readme.ts': `${first}\n${list}`,
          'jobs.ts': jobs!,
          'webhook.ts': webhook!,
          'usage.ts': USAGE,
          'required.cts': REQUIRED,
          'process.d.ts': 'declare const process: { env: Record<string, string | undefined> };',
        };
        expect(await saysOf(files, settings)).to.deep.equal([]);
      });
    }

    it('names the variable that is missing or misspelt, and the event that is meant', async () => {
      const said = await saysOf({ 'wrong.ts': WRONG });
      for (const [index, [call, expected]] of MISTAKES.entries()) {
        const ofLine = said.find((line) => line.includes(`wrong.ts(${index + 3},`));
        if (typeof expected === 'string') expect(ofLine, call).to.include(expected);
        else expect(ofLine, call).to.match(expected);
      }
    });
  });
});
