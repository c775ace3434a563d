import { expect } from 'chai';
import { createAttempt } from '../../../src/commands/webhooks/attempt.ts';
import { initialEndpoint } from '../../../src/commands/webhooks/endpoint.ts';
import { fixedClock } from '../../support/ambient.ts';
import { until } from '../../support/until.ts';

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
    const source = {
      eventId: 'e-1',
      topic: 'message.sent',
      stream: 'm',
      revision: 0,
      orderKey: '',
    };
    const attempting = attempt({ endpointId: 'wh_1', accountId: 'acc_1', source } as never);
    await until('it has asked again', () => asked === 2);
    expect(called).to.deep.equal([]);
    isCurrent = true;
    await attempting;
    expect(called).to.deep.equal(['https://x']);
  });
});
