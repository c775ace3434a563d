import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { request } from 'undici';
import { VARIABLES } from '../../clients/postman/collection.ts';
import { useRealConnections } from '../support/network.ts';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'src/cli/demo.ts');

/** Starts the demo on a free port; `lines` gives what it prints, as it comes. */
const startDemo = (command: string, ...parameters: string[]) => {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const child = spawn(command, parameters, {
    cwd: root,
    // A process group of its own, so that whatever it leaves behind can be found.
    detached: true,
    env: { PATH: path, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = text(child.stderr);
  return { child, lines: createInterface({ input: child.stdout }), log };
};

const stop = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill('SIGTERM');
  const [status] = (await once(child, 'exit')) as [number | null];
  return status;
};

/** Sends one notification to a demo; resolves to the status. */
const send = async (demo: { baseUrl: string; apiKey: string }, to: string): Promise<number> => {
  const variables = { customerName: 'Asha', orderId: 'A-1' };
  const { statusCode, body } = await request(`${demo.baseUrl}/v1/notifications/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to, event: 'order_delivered', variables }),
    reset: true,
  });
  await body.dump();
  return statusCode;
};

describe('npm run demo @long', () => {
  useRealConnections();
  const running: ChildProcess[] = [];
  const start = (command: string, ...parameters: string[]) => {
    const demo = startDemo(command, ...parameters);
    running.push(demo.child);
    return demo;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map(stop));
  });

  it('row 37: prints one line of JSON with all that a caller needs, and ends whole on SIGTERM', async () => {
    const { child, lines, log } = start('npm', 'run', '--silent', 'demo', '--', '--json');
    const printed: string[] = [];
    lines.on('line', (line) => printed.push(line));
    await once(lines, 'line');
    const ready = JSON.parse(printed[0]!);
    expect(ready).to.include.all.keys(...Object.keys(VARIABLES));
    const ids = 'organisationId accountId phoneNumberId wabaId';
    const secrets = 'adminToken apiKey appSecret verifyToken';
    expect(ready).to.have.all.keys(`baseUrl providerUrl ${ids} ${secrets}`.split(' '));
    expect(await send(ready, '+919812345678')).to.equal(200);
    expect(await send(ready, '+15550199901')).to.equal(502);
    expect(await stop(child)).to.equal(0);
    expect(() => process.kill(-child.pid!, 0), 'nothing lives on').to.throw('ESRCH');
    expect(printed).to.have.length(1);
    expect(await log, 'what is logged goes elsewhere').to.contain('131026');
  });

  it('goes on in its folder with the same account, keys and templates @series', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'demo-'));
    const ready = async () => {
      const demo = start(process.execPath, program, '--json', '--data', folder);
      const [line] = (await once(demo.lines, 'line')) as [string];
      return { ...demo, told: JSON.parse(line) };
    };
    const first = await ready();
    // As a power cut ends it.
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await ready();
    const { apiKey, accountId, adminToken } = first.told;
    expect(second.told).to.include({ apiKey, accountId, adminToken });
    expect(await send(second.told, '+919812345678')).to.equal(200);
    await stop(second.child);
    rmSync(folder, { recursive: true });
  });

  it('shows a message from its price to its status read, the ledger, and the answer of a bot @series', async () => {
    const { lines } = start(process.execPath, program);
    const seen: string[] = [];
    for await (const line of lines) {
      seen.push(line);
      if (line.startsWith('waybill()')) break;
    }
    const text = seen.join('\n');
    expect(text).to.match(/18 submitted, 18 approved/);
    expect(text).to.match(/UTILITY, price 0\.00168 USD, 1 credit, 999 left/);
    expect(text).to.match(/→ read/);
    expect(text).to.match(/DEDUCT\s+-1\s+→\s+999\s+order_shipped/);
    expect(text).to.match(/bot +Hi Mia, we are open/);
    expect(text).to.match(/curl -sw '\\n' -i \$WAYBILL_URL\/v1\/notifications\/send/);
    const block = seen.slice(seen.findIndex((line) => line.startsWith('# The reference')));
    const names = ['WAYBILL_URL', 'WAYBILL_ADMIN_TOKEN', 'WAYBILL_API_KEY', 'WAYBILL_PROVIDER_URL'];
    const show = [...names, 'KEY', 'ACCOUNT'].map((name) => `echo "${name}=$${name}"`);
    const [, account] = /^account +(acc_\S+),/m.exec(text.replaceAll(/^ +/gm, ''))!;
    const bill = `waybill reconcile --month ${new Date().toISOString().slice(0, 7)} --provider`;
    const script = [...show, 'waybill status', `waybill account show ${account}`, `${bill} 2>&1`];
    const printed = execFileSync('sh', ['-c', `eval "$BLOCK"; ${script.join('; ')}`], {
      env: { PATH: process.env.PATH, BLOCK: block.join('\n') },
      encoding: 'utf8',
    });
    expect(printed).to.match(/^WAYBILL_URL=http:\S+\/api$/m);
    expect(printed).to.match(/^WAYBILL_ADMIN_TOKEN=\S{24,}$/m);
    expect(printed).to.match(/^WAYBILL_API_KEY=wb_test_\S+$/m);
    expect(printed).to.match(/^WAYBILL_PROVIDER_URL=http:\S+$/m);
    expect(printed).to.match(/^KEY=Authorization: Bearer wb_test_\S+$/m);
    expect(printed).to.match(/^ACCOUNT=http:\S+\/accounts\/acc_\S+$/m);
    expect(printed, 'waybill status').to.match(/^ready: +yes$/m);
    expect(printed, 'the account').to.match(/^strict: +yes$/m);
    expect(printed, 'waybill reconcile').to.match(/^All is settled/m);
    expect(text).not.to.include('npx waybill');
  });
});
