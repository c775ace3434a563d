import { expect } from 'chai';
import { createMetrics } from '../../../src/http/ops/metrics.ts';
import { waitingSince } from '../../../src/projections/read-silence.ts';
import { createNumberWatch } from '../../../src/service/health/watch-numbers.ts';
import { fixedClock } from '../../support/ambient.ts';

const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const MINUTE = 60_000;

/** A message of so many minutes ago. */
const message = (minutes: number, change: object = {}) => {
  const createdAt = new Date(NOW - minutes * MINUTE).toISOString();
  const assumed = { status: 'sent', statusTimestamp: createdAt };
  return { recorded: true, direction: 'outbound', ...assumed, createdAt, ...change } as const;
};
const delivered = { status: 'delivered' };
const reported = { statusTimestamp: '2026-11-26T11:59:59.000Z' };
const received = { direction: 'inbound', status: null, statusTimestamp: null };

const waits = (...newest: object[]) => {
  const since = waitingSince(newest as never, NOW);
  return since === undefined ? undefined : (NOW - since) / MINUTE;
};

describe('how long a number waits for a status', () => {
  it('is the age of the oldest message after the last one with a status', () => {
    expect(waits(message(1), message(5), message(9, delivered), message(20))).to.equal(5);
    expect(waits(message(1), message(5), message(30))).to.equal(30);
    expect(waits(message(1, received), message(16))).to.equal(16);
  });

  it('is nothing after any status, without sends, and a day later', () => {
    for (const status of [delivered, reported, { status: 'failed' }]) {
      expect(waits(message(16, status), message(20))).to.equal(undefined);
    }
    expect(waits()).to.equal(undefined);
    expect(waits(message(20, received))).to.equal(undefined);
    expect(waits(message(25 * 60))).to.equal(undefined);
  });
});

describe('the watch over numbers', () => {
  const open = () => {
    const clock = fixedClock(NOW);
    const metrics = createMetrics({ ofProcess: false });
    const lines: object[] = [];
    const state = { numbers: [] as object[], messages: {} as Record<string, object[]> };
    const watch = createNumberWatch({
      reader: {
        find: async (
          { name }: { name: string },
          { where }: { where: { phoneNumberId: string } },
        ) => (name === 'numbers' ? state.numbers : (state.messages[where.phoneNumberId] ?? [])),
      } as never,
      clock,
      metrics,
      logger: { warn: (line: object) => void lines.push(line) } as never,
    });
    const shown = async () =>
      (await metrics.text())
        .split('\n')
        .filter((line) => /^waybill_numbers/.test(line))
        .map((line) => line.replace('waybill_numbers_', ''));
    return { clock, lines, state, watch, shown };
  };
  const number = (phoneNumberId: string, change: object = {}) => {
    const order = phoneNumberId;
    return { phoneNumberId, accountId: 'a', accessToken: {}, subscribed: null, order, ...change };
  };

  it('shows and logs once the numbers that are silent or have no subscription', async () => {
    const { state, watch, shown, lines } = open();
    state.numbers = [
      number('1', { subscribed: true }),
      number('2', { subscribed: false }),
      number('3', { accessToken: null, subscribed: false }),
    ];
    state.messages = { 1: [message(16)], 2: [message(14)], 3: [message(16)] };
    await watch.look();
    await watch.look();
    expect(await shown()).to.deep.equal(['silent 1', 'without_subscription 1']);
    expect(lines).to.deep.equal([{ phoneNumberId: '1' }, { phoneNumberId: '2' }]);
    state.messages[1] = [message(0, delivered), message(16)];
    await watch.look();
    expect(await shown()).to.deep.equal(['silent 0', 'without_subscription 1']);
  });

  it('remembers what a busy number has waited for, beyond the messages that it reads', async () => {
    const { state, watch, shown, clock } = open();
    state.numbers = [number('1')];
    for (let minute = 0; minute < 15; minute += 1) {
      state.messages[1] = [message(-minute)];
      await watch.look();
      expect(await shown()).to.include('silent 0');
      clock.advance(MINUTE);
    }
    await watch.look();
    expect(await shown()).to.include('silent 1');
  });

  it('shows nothing once another process has the duty', async () => {
    const { state, watch, shown, clock } = open();
    state.numbers = [number('1', { subscribed: false })];
    await watch.look();
    expect(await shown()).to.include('without_subscription 1');
    clock.advance(3 * MINUTE);
    expect(await shown()).to.include('without_subscription 0');
  });
});
