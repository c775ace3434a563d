import { execFile, execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import ts from 'typescript-ast';
import { openWorld } from '../../support/faults/world.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';

const root = join(import.meta.dirname, '../../..');
const client = join(root, 'clients/typescript');
const run = promisify(execFile);

const SECRET = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0';

const PROGRAM = `import { verifyWebhook, Waybill } from 'waybill-client';

const [baseUrl, apiKey, webhook] = process.argv.slice(2);
const waybill = new Waybill({ apiKey, baseUrl });
const variables = { orderId: 'A-1', awbCode: 'AWB1', trackingLink: 'https://shop.example/t/1' };
const sent = await waybill.sendNotification({ to: '+919812345678', event: 'order_shipped', variables });
const listed = [];
for await (const { id } of waybill.listMessages({ direction: 'outbound' })) {
  listed.push(id);
}
const signed = JSON.parse(webhook);
const { type } = await verifyWebhook(signed);
const refused = await verifyWebhook({ ...signed, body: '{}' }).catch((error) => error.name);
const { version } = process;
console.log(JSON.stringify({ version, sent, listed, type, refused }));
`;

/** A signed event, as `verifyWebhook` takes it. */
const signedWebhook = () => {
  const body = JSON.stringify({ type: 'message.sent', data: {} });
  const at = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('evt_1', at, body),
  };
  return JSON.stringify({ body, headers, secret: SECRET });
};

const versionOf = (program: string): string => {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
};

/** The oldest Node that the client supports, if this machine has it: on the path, or named by NODE_20. */
const findNode20 = (): string | undefined =>
  [
    process.env.NODE_20 ?? [],
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node')),
  ]
    .flat()
    .find((program) => versionOf(program).startsWith('v20.'));

/** Names that browsers and workers lack. */
const ONLY_NODE = [
  ...['process', 'Buffer', 'global', 'require', 'module', 'exports', '__dirname', '__filename'],
  ...['setImmediate', 'clearImmediate'],
];

const isImport = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword);

const isField = (node: ts.Node): boolean =>
  (ts.isPropertyAccessExpression(node.parent) || ts.isPropertyAssignment(node.parent)) &&
  node.parent.name === node;

/** What a module imports from elsewhere, and the names in it that only Node has. */
const foreignIn = (text: string): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isForeign = ts.isIdentifier(node)
      ? ONLY_NODE.includes(node.text) && !isField(node)
      : ts.isStringLiteral(node) && isImport(node.parent) && !node.text.startsWith('.');
    if (isForeign) found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, true));
  return found;
};

describe('the TypeScript client, where it runs @long', () => {
  useRealConnections();
  const folder = temporaryFolder();
  const installed = join(folder.path, 'node_modules/waybill-client');
  before(async () => {
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', client, '--outDir', `${installed}/dist`]);
    cpSync(join(client, 'package.json'), join(installed, 'package.json'));
  });
  after(() => folder.remove());

  it('sends, lists and verifies on Node 20, as a built package', async function () {
    const node = findNode20();
    if (node === undefined) return this.skip();
    const world = await openWorld();
    try {
      const { apiKey } = await world.tenant({ credits: 10 });
      const program = join(folder.path, 'program.mjs');
      writeFileSync(program, PROGRAM);
      const url = `${world.waybill.url}/api`;
      const line = [program, url, apiKey, signedWebhook()];
      const { stdout } = await run(node, line, { env: {}, timeout: 30_000 });
      const { version, sent, listed, type, refused } = JSON.parse(stdout);
      expect(version).to.match(/^v20\./);
      expect(sent.billing.creditsRemaining).to.equal(9);
      expect(listed).to.deep.equal([sent.messageId]);
      expect([type, refused]).to.deep.equal(['message.sent', 'WebhookError']);
    } finally {
      await world.close();
    }
  });

  it('imports only its own files and names nothing that only Node has', () => {
    const dist = join(installed, 'dist');
    const files = globSync('**/*.js', { cwd: dist });
    expect(files).to.include('index.js');
    const foreign = files.flatMap((file) => foreignIn(readFileSync(join(dist, file), 'utf8')));
    expect(foreign).to.deep.equal([]);
  });
});
