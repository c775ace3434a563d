import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import ts from 'typescript-ast';
import { build } from '../../../clients/typescript/build.ts';
import { openWorld, type World } from '../../support/faults/world.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { useRealConnections } from '../../support/network.ts';
import { findNode, MAJORS } from '../../support/nodes.ts';
import { SECRET, signedEvent } from '../support.ts';

const root = join(import.meta.dirname, '../../..');
const client = join(root, 'clients/typescript');
const run = promisify(execFile);

/** How a program gets the client: as a module, or by `require`. */
const LOADS = {
  'program.mjs': "import { verifyWebhook, Waybill } from 'waybill-client';",
  'program.cjs': "const { verifyWebhook, Waybill } = require('waybill-client');",
};

const PROGRAM = `const main = async () => {
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
};
main();
`;

/** Names that browsers and workers lack. */
const ONLY_NODE = [
  'process',
  'Buffer',
  'global',
  'require',
  'module',
  'exports',
  '__dirname',
  '__filename',
  'setImmediate',
  'clearImmediate',
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
  let world: World;
  before(async () => {
    world = await openWorld();
    build(join(installed, 'dist'));
    cpSync(join(client, 'package.json'), join(installed, 'package.json'));
    for (const [name, load] of Object.entries(LOADS)) {
      writeFileSync(join(folder.path, name), `${load}\n${PROGRAM}`);
    }
  });
  after(async () => {
    await world.close();
    folder.remove();
  });

  for (const major of MAJORS) {
    it(`sends, lists and verifies on Node ${major}, imported and required @series`, async function () {
      const node = findNode(major);
      if (node === undefined) return this.skip();
      for (const name of Object.keys(LOADS)) {
        const { apiKey } = await world.tenant({ credits: 10 });
        const url = `${world.waybill.url}/api`;
        const webhook = JSON.stringify({ ...signedEvent(), secret: SECRET });
        const line = [join(folder.path, name), url, apiKey, webhook];
        const { stdout } = await run(node, line, { env: {}, timeout: 60_000 });
        const { version, sent, listed, type, refused } = JSON.parse(stdout);
        expect(version).to.match(new RegExp(`^v${major}\\.`));
        expect(sent.billing.creditsRemaining).to.equal(9);
        expect(listed).to.deep.equal([sent.messageId]);
        expect([type, refused]).to.deep.equal(['message.sent', 'WebhookError']);
      }
    });
  }

  it('imports only its own files and names nothing that only Node has', () => {
    const dist = join(installed, 'dist/esm');
    const files = globSync('**/*.js', { cwd: dist });
    expect(files).to.include('index.js');
    const foreign = files.flatMap((file) => foreignIn(readFileSync(join(dist, file), 'utf8')));
    expect(foreign).to.deep.equal([]);
  });
});
