import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import type { Child } from '../support/faults/child.ts';
import { openCrashes } from '../support/faults/crash.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { notify } from '../support/surface.ts';
import { PATIENCE_MS, untilTrue } from '../support/until.ts';
import type { Tenant } from '../support/waybill.ts';

/** No file of the process may grow beyond this until the limit is lifted. */
const FULL_BYTES = 3_000_000;

describe('a full disk @alone', () => {
  useRealConnections();
  const crashes = inSuite(openCrashes);
  let tenant: Tenant;
  let child: Child;
  before(async function () {
    if (spawnSync('prlimit', ['--version']).status !== 0) this.skip();
    child = await crashes.start({ under: ['prlimit', `--fsize=${FULL_BYTES}:unlimited`] });
    tenant = await crashes.tenant({ credits: 1_000_000 });
  });

  const send = (signal?: AbortSignal) => notify(crashes, tenant, {}, {}, signal);
  /** Sends until one is refused; what was begun and cannot be written is not waited for. */
  const fillUp = async (
    sending: (signal: AbortSignal) => Promise<{ status: number }>,
    most: number,
  ): Promise<number> => {
    for (let count = 0; count < most; count += 1) {
      const status = await sending(AbortSignal.timeout(PATIENCE_MS)).then(
        (answer) => answer.status,
        () => 503,
      );
      if (status === 503) return count;
    }
    throw new Error(`${most} fit in`);
  };
  /** Refused by the provider, and 90 KB of it are kept in the log, and nowhere else. */
  const fill = (signal: AbortSignal) => {
    const components = [{ type: 'body', text: 'x'.repeat(90_000) }];
    const template = { name: 'order_shipped', language: 'en_US', components };
    return crashes.call('POST', '/v1/messages/send', {
      token: tenant.apiKey,
      body: { to: '+919812345678', type: 'template', template },
      signal,
    });
  };
  const sendsSeen = () => crashes.simulator.sends().length;

  it('row 16: sends are 503 and reserve nothing, reads go on, and it recovers alone @series', async () => {
    expect((await send()).status).to.equal(200);
    expect(await fillUp(fill, 100)).to.be.at.least(10);
    // What is smaller may still fit in.
    await fillUp(send, 5000);

    const seen = sendsSeen();
    const left = (await crashes.balance(tenant)) as number;
    for (let time = 0; time < 5; time += 1) {
      const { status: refused, headers } = await send();
      expect(refused).to.equal(503);
      expect(Number(headers['retry-after'])).to.be.at.least(1);
    }
    expect(sendsSeen(), 'nothing is sent that cannot be recorded').to.equal(seen);
    // The refund of an earlier one may have gone in meanwhile.
    expect(await crashes.balance(tenant)).to.be.at.least(left);
    const readiness = async () => (await fetch(`${child.url}/health/ready`)).status;
    await untilTrue('that it is seen', async () => (await readiness()) === 503);
    const signedIn = await crashes.call('POST', '/console/session', {
      body: { credential: tenant.apiKey },
      headers: { 'X-Waybill-Console': '1' },
    });
    expect(signedIn.status, 'row 76: somebody must be able to look').to.equal(201);

    spawnSync('prlimit', ['--pid', String(child.process.pid), '--fsize=unlimited']);
    await untilTrue('sends to be taken again', async () => (await send()).status === 200);
    expect(await child.stop()).to.equal(0);
    const problems = await crashes.inspect(0, undefined, { mayBeOpen: true });
    expect(problems).to.deep.equal([]);
  });
});
