import { expect } from 'chai';
import { type BatchCode, createBatches } from '../../../src/commands/sending/batch.ts';
import type {
  NotificationRequest,
  Notifications,
} from '../../../src/commands/sending/notification.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import type { Slot } from '../../../src/provider/provider.ts';
import { AppError, type ErrorCode } from '../../../src/shared/errors.ts';
import { fixedClock } from '../../support/ambient.ts';
import { codeOf } from '../../support/spec.ts';

const TIME_LIMIT_MS = 120_000;
const context = { requestId: 'r', accountId: 'acc_1', keyId: 'key_1' };
const recipients = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ to: `+9198000${10_000 + index}`, variables: {} }));

interface Stage {
  /** Called for each slot that is waited for. */
  takeSlot?: Notifications['takeSlot'];
  send?: (request: NotificationRequest) => Promise<void>;
  mayGoOn?: () => Promise<boolean>;
  nowMs?: () => number;
}

const slot = (): Slot & { back: number } => {
  const made = {
    key: 'n',
    back: 0,
    use: () => true,
    release: () => {
      made.back += 1;
    },
  };
  return made;
};

const stage = ({ takeSlot, send, mayGoOn, nowMs = () => 0 }: Stage) => {
  const sent: string[] = [];
  const faults: unknown[] = [];
  const batches = createBatches({
    notifications: {
      takeSlot: takeSlot ?? (async () => undefined),
      async send(request: NotificationRequest) {
        await send?.(request);
        sent.push(request.to);
        return { messageId: `wamid.${sent.length}`, channel: 'template' };
      },
    } as unknown as Notifications,
    schedules: { hold: async () => undefined },
    clock: fixedClock(),
    monotonicMs: nowMs,
    mayGoOn: mayGoOn ?? (async () => true),
    onFault: (error) => faults.push(error),
  });
  const run = (count: number, stopping: AbortSignal = new AbortController().signal) =>
    batches.send({ event: 'order_shipped', recipients: recipients(count) }, context, stopping, {
      quietHours: null,
      timeZone: 'UTC',
    });
  return { run, sent, faults };
};

const insufficient = new AppError('account.insufficient', 'no', {
  reason: 'INSUFFICIENT_CREDITS',
  category: 'MARKETING',
  creditsRequired: 2,
  price: '0.01416',
  currency: 'USD',
  balance: 1,
});
const capReached = new AppError('account.cap_reached', 'no', {
  limit: 'daily',
  usage: { minute: 0, day: 1, month: 1 },
  limits: { perMinute: null, daily: 1, monthly: null, paused: false },
});
/** Waits until it is told to stop. */
const noSlotUntilAborted: Notifications['takeSlot'] = (_request, _context, { signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('none')));

describe('a batch', () => {
  it('waits for a slot before each recipient, as long as it has time itself', async () => {
    const asked: number[] = [];
    let now = 0;
    const { run } = stage({
      nowMs: () => now,
      async takeSlot(_request, _context, { withinMs }) {
        asked.push(withinMs);
        now += 1000;
        return slot();
      },
    });
    expect(await run(100)).to.have.length(100);
    expect(asked).to.have.length(100);
    expect(asked[0]).to.equal(TIME_LIMIT_MS);
    expect(Math.min(...asked)).to.be.at.least(TIME_LIMIT_MS - 100_000);
  });

  it('leaves out, unsent, recipients that got no slot in time', async () => {
    let given = 0;
    const { run, sent } = stage({
      async takeSlot() {
        given += 1;
        return given > 40 ? 'none' : slot();
      },
    });
    const results = await run(500);
    expect(results.map(({ ok }) => ok)).to.deep.equal(Array(40).fill(true));
    expect(sent).to.have.length(40);
    expect(given).to.be.lessThan(500);
  });

  it('gives a slot back that a recipient did not use', async () => {
    const slots: ReturnType<typeof slot>[] = [];
    const { run } = stage({
      async takeSlot() {
        slots.push(slot());
        return slots.at(-1);
      },
      send: () => Promise.reject(insufficient),
    });
    const results = await run(3);
    expect(results.map(({ code }) => code)).to.deep.equal(Array(3).fill('INSUFFICIENT_CREDITS'));
    expect(slots.map(({ back }) => back)).to.deep.equal([1, 1, 1]);
  });

  const codes: [ErrorCode, BatchCode][] = [
    ['event.unknown', 'UNKNOWN_EVENT'],
    ['number.none', 'NO_PHONE'],
    ['template.not_approved', 'TEMPLATE_NOT_APPROVED'],
    ['account.free_writes', 'LIMIT_REACHED'],
    ['provider.refused', 'SEND_FAILED'],
  ];
  for (const [refusal, code] of codes) {
    it(`reports ${refusal} as ${code}`, async () => {
      const { run, faults } = stage({
        async send() {
          throw new AppError(refusal as 'number.none', 'the reason');
        },
      });
      const [result] = await run(1);
      expect(result).to.deep.equal({ to: '+919800010000', ok: false, code, error: 'the reason' });
      expect(faults).to.deep.equal([]);
    });
  }

  it('ends every wait when it stops, and starts no further recipient', async () => {
    const stopping = new AbortController();
    const { run, sent } = stage({ takeSlot: noSlotUntilAborted });
    const running = run(100, stopping.signal);
    stopping.abort();
    expect(await running).to.deep.equal([]);
    expect(sent).to.deep.equal([]);
  });

  it('ends every wait when a cap is final, and reports it once', async () => {
    let asked = 0;
    const { run } = stage({
      takeSlot(...wanted) {
        asked += 1;
        return asked === 1 ? Promise.resolve(slot()) : noSlotUntilAborted(...wanted);
      },
      send: () => Promise.reject(capReached),
    });
    const results = await run(100);
    expect(results.map(({ code }) => code)).to.deep.equal(['LIMIT_REACHED']);
  });

  it('reports what was sent before a cap was met', async () => {
    const { run } = stage({
      async send({ to }) {
        if (to !== '+919800010000') throw capReached;
      },
    });
    const results = await run(3);
    expect(results.map(({ to, ok }) => [to, ok])).to.deep.equal([
      ['+919800010000', true],
      ['+919800010001', false],
    ]);
  });

  it('keeps what it has when the store goes away, whatever asks it', async () => {
    let asked = 0;
    const away = async () => {
      asked += 1;
      if (asked > 20) throw new StoreUnavailable('away');
    };
    for (const part of ['takeSlot', 'send', 'mayGoOn'] as const) {
      asked = 0;
      const parts = {
        takeSlot: () => away().then(() => undefined),
        send: away,
        mayGoOn: () => away().then(() => true),
      };
      const { run, sent, faults } = stage({ [part]: parts[part] });
      const results = await run(200);
      expect(
        results.map(({ ok }) => ok),
        part,
      ).to.deep.equal(Array(20).fill(true));
      expect([sent.length, faults], part).to.deep.equal([20, []]);
    }
  });

  it('begins no further recipient once one had no slot, or the log was away', async () => {
    let asked = 0;
    const counting = <T>(answer: T) => {
      asked += 1;
      return answer;
    };
    const away = new StoreUnavailable('away');
    for (const part of [
      { takeSlot: async () => counting('none' as const) },
      { mayGoOn: async () => counting(false) },
      { send: () => Promise.reject(counting(away)) },
    ]) {
      asked = 0;
      const { run, sent, faults } = stage(part);
      expect(await run(100)).to.deep.equal([]);
      expect([asked, sent, faults]).to.deep.equal([32, [], []]);
    }
  });

  it('does not leave out who may have been sent to before: it is asked for again', async () => {
    const { run, sent } = stage({
      async send({ to }) {
        if (to === '+919800010001') throw new AppError('idempotency.in_progress', 'wait');
      },
    });
    expect(await codeOf(run(100))).to.equal('idempotency.in_progress');
    expect(sent.length).to.be.lessThan(100);
  });
});
