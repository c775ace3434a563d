import { expect } from 'chai';
import { createAttempt, retryTime } from '../../../src/commands/webhooks/attempt.ts';
import { initialEndpoint } from '../../../src/commands/webhooks/endpoint.ts';
import { fixedClock } from '../../support/ambient.ts';
import { NOW } from '../../support/samples.ts';
import { until } from '../../support/until.ts';

const HOUR = 3_600_000;
const pauseAfter = (attempts: number, random = 0, retryAfter?: string) => {
  const at = retryTime(attempts, { now: NOW, random, retryAfter });
  return at === null ? null : at - NOW;
};

describe('an attempt to deliver', () => {
  it('row 60: calls nobody while another process may deliver the same, and calls after that', async () => {
    let isCurrent = false;
    let asked = 0;
    const called: string[] = [];
    const attempt = createAttempt(
      {
        writer: {
          load: async () => ({
            state: { ...initialEndpoint, accountId: 'acc_1', url: 'https://x' },
          }),
          execute: async () => ({ facts: [] }),
        } as never,
        bodyOf: async () => ({}) as never,
        secrets: { open: () => '' },
        subjects: {} as never,
        outbound: {
          async request({ url }) {
            called.push(url);
            return { kind: 'answered', status: 200, body: '', latencyMs: 1 };
          },
        },
        clock: fixedClock(),
        random: () => 0,
        isCurrent() {
          asked += 1;
          return isCurrent;
        },
        onFault: (error) => expect.fail(String(error)),
      },
      new AbortController().signal,
    );
    const of = { eventId: 'e-1', topic: 'message.sent', stream: 'm' };
    const source = { ...of, revision: 0, orderKey: '' };
    const attempting = attempt({ endpointId: 'wh_1', accountId: 'acc_1', source } as never);
    await until('it has asked again', () => asked === 2);
    expect(called).to.deep.equal([]);
    isCurrent = true;
    await attempting;
    expect(called).to.deep.equal(['https://x']);
  });
});

describe('the next call of a delivery', () => {
  it('comes after the steps, up to a tenth later, and not after the last', () => {
    const steps = [5000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20].map((hours) => hours * HOUR)];
    expect(steps.map((_, index) => pauseAfter(index + 1))).to.deep.equal(steps);
    expect(pauseAfter(1, 0.5)).to.equal(5250);
    expect(pauseAfter(9)).to.equal(null);
  });

  it('waits as long as it is asked to, up to a day', () => {
    expect(pauseAfter(1, 0, '60')).to.equal(60_000);
    expect(pauseAfter(1, 0, '1')).to.equal(5000);
    expect(pauseAfter(1, 0, new Date(NOW + 90_000).toUTCString())).to.equal(90_000);
    expect(pauseAfter(1, 0, '9999999999')).to.equal(24 * HOUR);
    for (const unread of ['soon', '', '-5']) expect(pauseAfter(1, 0, unread)).to.be.at.most(5000);
    expect(pauseAfter(9, 0, '60')).to.equal(null);
  });
});
