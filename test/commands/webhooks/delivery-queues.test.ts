import { expect } from 'chai';
import type { Attempted } from '../../../src/commands/webhooks/attempt.ts';
import { createDeliveryQueues } from '../../../src/commands/webhooks/delivery-queues.ts';
import type { Delivery } from '../../../src/commands/webhooks/ports.ts';
import { fixedClock } from '../../support/ambient.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const delivery = (eventId: string, orderKey = 'c-1'): Delivery => ({
  endpointId: 'wh_1',
  accountId: 'acc_1',
  source: { eventId, topic: 'message.sent', stream: 'message-1', revision: 0, orderKey },
});
const begunAs = (number: number) => ({ number, begunAt: '', attempts: 1, lastCall: 0 });
const attempted = (nextAt: number | null): Attempted => ({ begun: begunAs(0), nextAt });

describe('deliveries in memory', () => {
  const open = () => {
    const clock = fixedClock();
    const calls: { eventId: string; end: (made?: Attempted) => void; fail: () => void }[] = [];
    const retries: number[] = [];
    const queues = createDeliveryQueues(
      {
        clock,
        writer: {} as never,
        onFault: () => undefined,
        attempt: ({ source: { eventId } }) =>
          new Promise((resolve, reject) => {
            calls.push({ eventId, end: resolve, fail: () => reject(new Error('a fault')) });
          }),
        onRetry: (_, nextAt) => retries.push(nextAt),
      },
      new AbortController().signal,
    );
    const settled: string[] = [];
    const offer = (one: Delivery) => {
      const offered = queues.offer(one);
      void offered?.settled.then(() => settled.push(one.source.eventId));
      return offered !== undefined;
    };
    return { clock, calls, retries, queues, settled, offer };
  };

  it('are settled once the log knows of them, and not before', async () => {
    const { calls, settled, offer } = open();
    offer(delivery('e-1'));
    await turn();
    expect(settled).to.deep.equal([]);
    calls[0]!.end(attempted(null));
    await turn();
    expect(settled).to.deep.equal(['e-1']);
  });

  it('stay for a call that is due within a minute, and go for a later one', async () => {
    const { clock, calls, retries, queues, settled, offer } = open();
    offer(delivery('e-1'));
    offer(delivery('e-2'));
    calls[0]!.end(attempted(clock.now() + 5000));
    await turn();
    expect(settled).to.deep.equal(['e-1']);
    expect(queues.inHand.has('wh_1', 0)).to.equal(true);
    expect(calls).to.have.length(1);
    clock.advance(5000);
    queues.wake();
    expect(calls[1]!.eventId).to.equal('e-1');
    calls[1]!.end(attempted(clock.now() + 300_000));
    await turn();
    expect(queues.inHand.has('wh_1', 0)).to.equal(false);
    expect(retries).to.deep.equal([clock.now() + 300_000]);
    expect(calls[2]!.eventId).to.equal('e-2');
  });

  it('are 8 calls and 200 deliveries of an endpoint', () => {
    const { calls, offer } = open();
    const offered = Array.from({ length: 201 }, (_, index) =>
      offer(delivery(`e-${index}`, `c-${index}`)),
    );
    expect(offered.filter(Boolean)).to.have.length(200);
    expect(calls).to.have.length(8);
  });

  it('are forgotten after a fault', async () => {
    const { calls, queues, settled, offer } = open();
    offer({ ...delivery('e-1'), begun: begunAs(7) });
    expect(queues.inHand.has('wh_1', 7)).to.equal(true);
    calls[0]!.fail();
    await turn();
    expect(queues.inHand.has('wh_1', 7)).to.equal(false);
    expect(settled).to.deep.equal(['e-1']);
  });
});
