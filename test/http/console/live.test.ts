import { expect } from 'chai';
import { useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { openTenant, type Tenant } from '../../support/waybill.ts';

/** Connections of one account. */
const SHARE = 16;

describe('Places at the live events', () => {
  const on = useWaybill();
  const opened: AbortController[] = [];
  const follow = async ({ apiKey }: Tenant): Promise<number> => {
    const controller = new AbortController();
    const { status } = await fetch(`${on.waybill.url}/api/v1/live`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: controller.signal,
    });
    opened.push(controller);
    return status;
  };
  const leave = () => {
    for (const controller of opened.splice(0)) controller.abort();
  };
  afterEach(leave);

  it('are shared, so that one account cannot take those of another', async () => {
    const greedy = await openTenant(on.waybill, { number: false });
    const other = await openTenant(on.waybill, { number: false });
    const statuses = await Promise.all(Array.from({ length: SHARE }, () => follow(greedy)));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await follow(greedy)).to.equal(503);
    expect(await follow(other)).to.equal(200);
    leave();
    await untilTrue('the places to be free again', async () => (await follow(greedy)) === 200);
  });
});
