import { expect } from 'chai';
import { edge, node } from '../commands/bots/graphs.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { customerWrites, makeBot, threadOf } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

const KB = 1024;

/** No call goes out: the host has no dot. */
const call = (id: string) => node(id, 'http_request', { method: 'GET', url: 'http://redis/' });

describe('what the runs of bots write @long', () => {
  useRealConnections();
  const logLines: Json[] = [];
  let tenant: Tenant;
  let bot: Json;
  const world = inSuite(() => openWorld({ logLines }));
  beforeEach(async () => {
    tenant = await world.tenant();
    logLines.length = 0;
  });

  const read = async (path: string): Promise<Json> => {
    const { status, body } = await world.call('GET', path, { token: tenant.apiKey });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  /** The contact writes so often; each message is answered before the next. */
  const write = async (count: number): Promise<Json> => {
    const runs = async () => (await read(`/v1/bots/${bot.id}/runs`)).runs as Json[];
    let last = (await runs())[0]?.id;
    for (let one = 0; one < count; one += 1) {
      await customerWrites(world.waybill, tenant);
      await untilTrue('the run to end', async () => {
        const [run] = await runs();
        return run?.state === 'ended' && run.id !== last;
      });
      last = (await runs())[0]!.id;
    }
    return read(`/v1/bots/${bot.id}/runs/${last}`);
  };
  const bytesOfRuns = async (): Promise<number> => {
    const events = await world.waybill.events(await threadOf(world.waybill, tenant));
    return events
      .filter(({ type }) => type.startsWith('Bot'))
      .reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
  };
  const warnings = () => logLines.filter(({ msg }) => msg === 'A bound ended the run of a bot');

  it('row 33: a bot that calls in a loop is ended after 10 calls, and writes 10 KB for each message', async () => {
    const edges = ['start -> call', 'call -> call'].map(edge);
    bot = await makeBot(world, tenant, [node('start', 'start'), call('call')], edges);
    const run = await write(6);
    const detail = 'more than 10 requests for one message';
    expect(run).to.include({ state: 'ended', reason: 'bounds', detail });
    expect(run.steps).to.have.length(11);
    expect((await bytesOfRuns()) / 6).to.be.below(10 * KB);
    expect(warnings()).to.have.length(6);
    const { runId, botId, accountId } = warnings()[0]!;
    expect(warnings()[0]).to.include({ detail });
    expect({ botId, accountId }).to.deep.equal({ botId: bot.id, accountId: tenant.accountId });
    expect(runId).to.match(/^run_/);
    expect(await world.problems()).to.deep.equal([]);
  });
});
