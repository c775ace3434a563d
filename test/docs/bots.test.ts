import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { openSimulated } from '../support/simulated.ts';
import { openTenant } from '../support/waybill.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/bots.md'), 'utf8');

describe('the bot in five minutes of docs/bots.md @long', () => {
  useRealConnections();
  const on = inSuite(openSimulated);

  it('answers as it says, line by line', async () => {
    const { waybill, providerUrl } = on;
    const tenant = await openTenant(waybill, { number: false });
    const number = { phoneNumberId: '100000000000001', wabaId: '2001', accessToken: 'token' };
    await waybill.admin('POST', `/accounts/${tenant.accountId}/numbers`, number);
    const section = guide.slice(guide.indexOf('## A bot in five minutes'));
    const lines = section
      .slice(0, section.indexOf('\n## ', 4))
      .split('\n')
      .filter((line) => line.startsWith('    '));
    const program = `"${process.execPath}" "${join(root, 'src/cli/waybill.cjs')}"`;
    const script = `waybill() { ${program} "$@"; echo; }\n${lines.join('\n')}`;
    const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
      env: {
        ...process.env,
        WAYBILL_URL: `${waybill.url}/api`,
        KEY: `Authorization: Bearer ${tenant.apiKey}`,
        JSON: 'Content-Type: application/json',
        WAYBILL_PROVIDER_URL: providerUrl,
        no_proxy: '127.0.0.1',
      },
    });
    expect(stdout).to.contain('{"valid":true,"problems":[]}');
    expect(stdout).to.contain('"wouldStart":true').and.contain('A number, please.');
    expect(stdout.match(/^Sent back: .*$/gm)).to.deep.equal([
      'Sent back: How was it, 1 to 5?',
      'Sent back: Thank you, Mia: 5 it is.',
    ]);
    const { runs } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"runs"')));
    expect(runs).to.have.length(1);
    expect(runs[0]).to.include({ state: 'ended', reason: 'completed', stepCount: 3 });
  });
});
