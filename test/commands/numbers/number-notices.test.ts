import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { expect } from 'chai';
import { createNumberNotices } from '../../../src/commands/numbers/number-notices.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { fixedClock } from '../../support/ambient.ts';
import { react } from '../../support/react.ts';
import { NOW } from '../../support/samples.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const noticed = (phoneNumberId = '10', type = 'PhoneNoticed') =>
  ({
    id: `of ${phoneNumberId}`,
    type,
    data: { phoneNumberId },
    meta: { at: new Date(NOW).toISOString(), requestId: 'r' },
  }) as unknown as KnownEvent;

const open = (refresh: (phoneNumberId: string) => Promise<void> = async () => undefined) => {
  const clock = fixedClock();
  const asked: unknown[] = [];
  const unread: string[] = [];
  const reactor = createNumberNotices({
    clock,
    numbers: {
      refresh(phoneNumberId, context) {
        asked.push([phoneNumberId, context]);
        return refresh(phoneNumberId);
      },
    },
    onUnread: (phoneNumberId, error) =>
      unread.push(`${phoneNumberId}: ${(error as Error).message}`),
  });
  const handle = async (event = noticed()) => (await react(reactor, event))?.settled;
  return { clock, asked, unread, reactor, handle };
};
const failed = () => new AppError('provider.failed', 'later');

describe('A notice of a number', () => {
  it('causes a new read of the number', async () => {
    const { reactor, asked, handle } = open();
    expect(reactor.name).to.equal('number-notices');
    expect(Object.keys(reactor.on)).to.deep.equal(['PhoneNoticed']);
    await handle();
    expect(asked).to.deep.equal([['10', { requestId: 'r', cause: 'of 10' }]]);
    expect(await react(reactor, noticed('10', 'PhoneLinked'))).to.equal(undefined);
    expect(asked).to.have.length(1);
  });

  it('is ignored after a day', async () => {
    const { reactor, clock, asked, handle } = open();
    clock.advance(DAY_MS - 1);
    await handle();
    expect(asked).to.have.length(1);
    clock.advance(1);
    expect(await react(reactor, noticed())).to.equal(undefined);
    expect(asked).to.have.length(1);
  });

  it('is retried after a failure of the provider, and reported after any other', async () => {
    let failures = 1;
    const flaky = open(async () => {
      failures -= 1;
      if (failures >= 0) throw failed();
    });
    await flaky.handle();
    expect([flaky.asked.length, flaky.unread]).to.deep.equal([2, []]);
    const gone = open(() => Promise.reject(new AppError('number.unknown', 'gone')));
    await gone.handle();
    expect([gone.asked.length, gone.unread]).to.deep.equal([1, ['10: gone']]);
  });

  it('is retried after 0.2, 1, 5, 30 and 120 s, and then reported', async () => {
    const turns = async () => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    };
    mock.timers.enable({ apis: ['setTimeout'] });
    // The pauses were imported before.
    syncBuiltinESMExports();
    try {
      const { reactor, asked, unread } = open(() => Promise.reject(failed()));
      const reading = await react(reactor, noticed());
      for (const [index, ms] of [200, 1000, 5000, 30_000, 120_000].entries()) {
        await turns();
        mock.timers.tick(ms - 1);
        await turns();
        expect(asked, `before ${ms} ms`).to.have.length(index + 1);
        mock.timers.tick(1);
        await turns();
        expect(asked, `after ${ms} ms`).to.have.length(index + 2);
      }
      await reading?.settled;
      expect(unread).to.deep.equal(['10: later']);
    } finally {
      mock.timers.reset();
      syncBuiltinESMExports();
    }
  });

  it('waits only for notices of the same number, up to 20 of them', async () => {
    const { reactor, asked, unread, handle } = open((number) =>
      number === '10' ? new Promise(() => undefined) : Promise.resolve(),
    );
    for (let count = 0; count < 20; count += 1) {
      expect(await react(reactor, noticed())).to.have.property('settled');
    }
    expect(asked).to.have.length(1);
    expect(unread).to.deep.equal([]);
    expect(await react(reactor, noticed())).to.equal(undefined);
    expect(unread).to.deep.equal(['10: too many notices wait']);
    await handle(noticed('11'));
    expect(asked).to.have.length(2);
  });

  it('stays open at a stop, so that the next start reads the number', async () => {
    const { reactor, asked, handle } = open(() => Promise.reject(failed()));
    let isSettled = false;
    void handle().then(() => {
      isSettled = true;
    });
    await until('the first try', () => asked.length === 1);
    await reactor.drain?.();
    await new Promise(setImmediate);
    expect([isSettled, asked.length]).to.deep.equal([false, 1]);
  });
});
