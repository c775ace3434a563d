import { expect } from 'chai';
import { type Callee, startCallee } from '../support/callee.ts';
import { killChildren } from '../support/faults/child.ts';
import { type Crashes, openCrashes } from '../support/faults/crash.ts';
import { useRealConnections } from '../support/network.ts';
import { until, untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

const FROM = '919812345678';
/** Longer than a call may take, and than anybody waits for one that another process makes. */
const LATER_MS = 11_000;

describe('a process killed while it calls the URL of a number @long', () => {
  useRealConnections();
  let crashes: Crashes;
  let callee: Callee;
  let tenant: Tenant;
  const env = { WAYBILL_FORWARD_ALLOW: '127.0.0.1' };

  const write = (text: string) =>
    crashes.simulator.inbound(FROM, { phoneNumberId: tenant.phoneNumberId, text });
  const timelines = async (): Promise<Json[][]> => {
    const how = { token: tenant.apiKey };
    const { body } = await crashes.call('GET', '/v1/messages?direction=inbound', how);
    const read = async ({ id }: Json) => {
      const path = `/v1/messages/${encodeURIComponent(id)}/timeline`;
      return (await crashes.call('GET', path, how)).body.timeline;
    };
    return Promise.all(body.messages.toReversed().map(read));
  };
  const outcomes = async (): Promise<(string | null)[]> =>
    (await timelines()).map((entries) => {
      const ends = entries.filter(({ type }) => type === 'MessageForwarded');
      expect(ends).to.have.length.below(2);
      return ends[0]?.data.outcome ?? null;
    });

  before(async () => {
    crashes = await openCrashes();
    callee = await startCallee();
    const first = await crashes.start({ env });
    tenant = await crashes.tenant();
    const body = { webhookUrl: `${callee.url}/hook` };
    const path = `/v1/phones/${tenant.phoneNumberId}/webhook`;
    expect((await crashes.call('PATCH', path, { token: tenant.apiKey, body })).status).to.equal(
      200,
    );
    await write('answered');
    await untilTrue('the first outcome', async () => (await outcomes())[0] === 'answered');
    callee.answer(() => undefined);
    await write('cut off');
    await write('cut off too');
    await until('the calls', () => callee.calls.length === 3);
    await first.kill();
  });
  after(async () => {
    await killChildren();
    await crashes.close();
    await callee.close();
  });

  it('calls it no more, and says that nobody knows @series', async () => {
    await crashes.start({ env, clockOffsetMs: LATER_MS });
    await untilTrue('the outcomes', async () => !(await outcomes()).includes(null));
    expect(await outcomes()).to.deep.equal(['answered', 'unknown', 'unknown']);
    const [, timeline] = await timelines();
    expect(timeline!.map(({ type }) => type)).to.deep.equal([
      'MessageReceived',
      'ForwardClaimed',
      'MessageForwarded',
    ]);
    expect(timeline![2].data.error).to.match(/nobody knows whether it arrived/);
    callee.answer((response) => response.end());
    await write('afterwards');
    await untilTrue('the last outcome', async () => (await outcomes())[3] === 'answered');
    expect(callee.calls).to.have.length(4);
  });
});
