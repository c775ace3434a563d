import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openSimulated, type Simulated } from '../../support/simulated.ts';
import { untilTrue } from '../../support/until.ts';
import { openTenant } from '../../support/waybill.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');
const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, text]) => text!)
  .filter((text) => text.includes('curl'));

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The last line of what curl writes is the status. */
const PREAMBLE =
  'curl() { command curl --silent --show-error --max-time 60 --write-out "\\n%{http_code}" "$@"; }\n';

describe('the guide to the API @long', () => {
  let stage: Simulated;
  const environment: Record<string, string> = {};
  const folder = temporaryFolder();

  const run = async (block: string) => {
    const { stdout } = await promisify(execFile)('sh', ['-euc', PREAMBLE + block], {
      env: { ...process.env, ...environment },
      cwd: folder.path,
    });
    const lines = stdout.split('\n');
    const status = Number(lines.pop());
    const start = lines.findIndex((line) => /^[{[]/.test(line));
    // The content of a file goes to a file.
    const body = start < 0 ? {} : JSON.parse(lines.slice(start).join('\n'));
    return { status, body, text: stdout };
  };

  before(async function () {
    if (!hasCurl) this.skip();
    writeFileSync(join(folder.path, 'photo.jpg'), 'a photo');
    stage = await openSimulated();
    const { waybill, simulator } = stage;
    simulator.configure({ timings: { reviewMs: 0 } });
    const tenant = await openTenant(waybill, { number: false });
    const { accountId, apiKey, phoneNumberId, wabaId } = tenant;
    const number = { phoneNumberId, wabaId, accessToken: 'token' };
    await answered(201, waybill.admin('POST', `/accounts/${accountId}/numbers`, number));
    await simulator.inbound('919812345678', { phoneNumberId, text: 'Can you come later?' });
    Object.assign(environment, {
      WAYBILL_URL: `${waybill.url}/api`,
      WAYBILL_API_KEY: apiKey,
      no_proxy: '127.0.0.1',
    });
  });
  after(async () => {
    await stage?.close();
    folder.remove();
  });

  it('shows calls that give the documented results, in its order', async () => {
    expect(blocks).to.have.length.of.at.least(10);
    for (const block of blocks) {
      const { status, body, text } = await run(block);
      const [, refused, code] = /^# (\d{3})(?: (\w+))?/.exec(block) ?? [];
      const expected = refused ? [Number(refused)] : [200, 201];
      expect(status, `${block}\n${text}`).to.be.oneOf(expected);
      if (code) expect(body.code).to.equal(code);
      if (body.messageId) environment.MESSAGE_ID ??= body.messageId;
      if (body.kind) environment.MEDIA_ID = body.id;
      // The provider's approval is what the next call waits for.
      if (body.submitted)
        await untilTrue('the approval', async () => stage.simulator.pending() === 0);
      if (body.events) expect(body.ready, 'events that are ready').to.equal(body.total);
      if (block.includes('received.jpg')) {
        expect(readFileSync(join(folder.path, 'received.jpg'), 'utf8')).to.equal('a photo');
      }
      if (body.transactions) expect(body).to.deep.include({ balance: 999 });
    }
  });

  it('names every status and code of a refused send', () => {
    for (const code of ['UNKNOWN_EVENT', 'ORG_SUSPENDED', 'NO_PHONE', 'TEMPLATE_NOT_APPROVED']) {
      expect(guide).to.include(code);
    }
    for (const code of ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH', 'SEND_FAILED']) {
      expect(guide).to.include(code);
    }
  });
});
