import { expect } from 'chai';
import { forEachLane, takeDue } from '../../../src/commands/core/timers.ts';
import { NotReached, type Reader, type Shown } from '../../../src/projections/engine/reader.ts';
import { createScheduledLookups } from '../../../src/service/lookups/scheduled.ts';
import { createWebhookLookups } from '../../../src/service/webhooks/webhook-lookups.ts';

describe('what the read models show as due', () => {
  const open = (shown: Shown) => {
    const store = { head: async () => '9' };
    const reader = {
      reached: async () => shown,
      find: async () => [],
      count: async () => 3,
    } as unknown as Reader;
    const scheduled = createScheduledLookups({ store, reader });
    return { scheduled, webhooks: createWebhookLookups({ store, reader }) };
  };
  const refusal = (work: Promise<unknown>) => work.catch((error: unknown) => error);

  it('row 80: is not known while an older version serves: it is looked for again', async () => {
    const { scheduled, webhooks } = open('older');
    const of = { rows: scheduled, until: 0, inHand: () => () => false, offer: () => true };
    for (const look of [
      takeDue('lane', of),
      forEachLane(scheduled, () => undefined),
      webhooks.reachHead(),
    ]) {
      expect(await refusal(look)).to.be.instanceOf(NotReached);
    }
    expect(await scheduled.count('acc_1'), 'a bound').to.equal(3);
  });

  it('row 15: is what a halted one has, which another program goes on with', async () => {
    for (const shown of ['halted', 'all'] as const) {
      const { scheduled, webhooks } = open(shown);
      await scheduled.reachHead();
      await webhooks.reachHead();
    }
  });
});
