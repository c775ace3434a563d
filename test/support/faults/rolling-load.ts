import { untilTrue } from '../until.ts';
import type { Answer } from '../waybill.ts';

const SENDERS = 6;

/** Callers that go on sending, each to the next of the instances that the balancer has in turn. */
export const startRollingLoad = <Upstream>(
  upstreams: readonly Upstream[],
  send: (to: Upstream) => Promise<Answer>,
) => {
  const answers: Answer[] = [];
  const underWay = new Map<Upstream, number>();
  let isOver = false;
  let turn = 0;
  const goOn = async () => {
    while (!isOver) {
      turn += 1;
      const to = upstreams[turn % upstreams.length]!;
      underWay.set(to, (underWay.get(to) ?? 0) + 1);
      answers.push(await send(to));
      underWay.set(to, underWay.get(to)! - 1);
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, goOn));
  return {
    /** What callers were told beside 200. */
    errors: () =>
      answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body]),
    /** Waits for so many further answers. */
    async more(count: number) {
      const from = answers.length;
      await untilTrue('further answers', async () => answers.length >= from + count);
    },
    /** Waits until an instance has no request of the load. */
    left: (upstream: Upstream) => untilTrue('its last answer', async () => !underWay.get(upstream)),
    async end() {
      isOver = true;
      await sending;
    },
  };
};
