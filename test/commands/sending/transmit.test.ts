import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { standardPlan } from '../../../src/commands/pricing/pricing.ts';
import { defaultRateCard } from '../../../src/commands/pricing/rate-card.ts';
import { createTransmitter } from '../../../src/commands/sending/transmit.ts';
import type { RefundCause } from '../../../src/events/account.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { type EventStore, type NewEvent, StoreUnavailable } from '../../../src/events/store.ts';
import type { SendOutcome } from '../../../src/provider/provider.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { intent, NOW } from '../../support/samples.ts';

const ID = 'acc_1';
const accepted: SendOutcome = { kind: 'accepted', messageId: 'wamid.1', recipientWaId: null };
const refusedWith = (code: number | null): SendOutcome => ({
  kind: 'refused',
  refusal: { code, subcode: null, message: 'no', httpStatus: 400 },
});
const sender = {
  ...{ phoneNumberId: '100000000000001', wabaId: '200000000000002' },
  ...{ accessToken: 'token', messagesPerSecond: 80 },
};
const draft = {
  ...{ category: 'UTILITY' as const, reason: 'order_shipped', intent: intent() },
  outgoing: { sender, content: intent().content, details: { template: null } },
};

describe('the transmitter', () => {
  const open = async (
    outcome: SendOutcome = accepted,
    { mayCall = true, onAppend = (_: readonly NewEvent[]): void => undefined } = {},
  ) => {
    const log = createMemoryLog();
    const store: EventStore = {
      ...log.store,
      async append(stream, expected, events) {
        onAppend(events);
        return log.store.append(stream, expected, events);
      },
    };
    const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
    const terms = { planId: standardPlan.planId, billing: 'credits', currency: 'USD' } as const;
    const opening = { type: 'Open' as const, accountId: ID, organisationId: 'o', name: 'A', terms };
    const grant = { type: 'GrantCredits' as const, at: NOW, amount: 9, reason: null, by: null };
    const context = { requestId: 'r', accountId: ID };
    await writer.execute(accountDecider(ID), ID, opening, context);
    await writer.execute(accountDecider(ID), ID, grant, context);
    const causes: RefundCause[] = [];
    const free: number[] = [];
    const leftOpen: string[] = [];
    let calls = 0;
    const { transmit } = createTransmitter({
      ...{ writer, account: accountDecider, clock: fixedClock(), bytesPerMb: 1024 * 1024 },
      lookups: {
        account: async () => ({ id: ID, organisationId: 'o', planId: standardPlan.planId }),
        plan: async () => standardPlan,
        rateCards: async () => [defaultRateCard],
      },
      provider: {
        async send() {
          calls += 1;
          return outcome;
        },
      },
      refunds: {
        async refund(_, __, cause) {
          causes.push(cause);
          return true;
        },
      },
      recovery: { sent: async () => undefined, reversible: () => undefined },
      sends: {
        reserve: (_, make) => make(),
        end: () => undefined,
        mayCall: () => mayCall,
        mayRecord: () => true,
      },
      onLeftOpen: (what) => leftOpen.push(what),
      onFree: (_, bytes) => free.push(bytes),
    });
    const types = () => (log.events as KnownEvent[]).slice(2).map(({ type }) => type);
    const failure = async (signal?: AbortSignal, change: Partial<typeof draft> | object = {}) => {
      const error = await transmit({ ...draft, ...change }, { ...context, signal }).catch(
        (thrown: unknown) => thrown,
      );
      return (error as AppError).code;
    };
    const seen = () => ({ calls, causes, free: free.length, leftOpen });
    return { transmit: () => transmit(draft, context), failure, seen, types };
  };
  const nothing = { calls: 0, causes: [], free: 0, leftOpen: [] };

  it('reserves, sends and records', async () => {
    const { transmit, seen, types } = await open();
    const { messageId, charge } = await transmit();
    expect([messageId, charge.balanceAfter]).to.deep.equal(['wamid.1', 8]);
    expect(types()).to.deep.equal(['ChargeReserved', 'MessageSent']);
    expect(seen()).to.deep.equal({ ...nothing, calls: 1 });
  });

  it('gives the charge back, and never calls, when the caller has gone before the call', async () => {
    const { failure, seen } = await open();
    expect(await failure(AbortSignal.abort())).to.equal('request.timeout');
    expect(seen()).to.deep.equal({ ...nothing, causes: ['not_sent'], free: 1 });
  });

  it('gives the charge back, and never calls, when there is no time left for the call', async () => {
    const { failure, seen } = await open(accepted, { mayCall: false });
    expect(await failure()).to.equal('service.unavailable');
    expect(seen()).to.deep.equal({ ...nothing, causes: ['not_sent'] });
  });

  it('counts a refusal as free where the provider gave a code, and not otherwise', async () => {
    for (const [code, free] of [
      [131026, 1],
      [null, 0],
    ] as const) {
      const { failure, seen } = await open(refusedWith(code));
      expect(await failure()).to.equal('provider.refused');
      expect(seen()).to.deep.equal({ ...nothing, calls: 1, causes: ['not_sent'], free });
    }
  });

  it('gives the charge back for an unknown outcome, as such', async () => {
    const { failure, seen } = await open({ kind: 'unknown', reason: 'silence' });
    expect(await failure()).to.equal('provider.unknown_outcome');
    expect(seen()).to.deep.equal({ ...nothing, calls: 1, causes: ['unknown_outcome'] });
  });

  it('reserves what it refuses without the content, and gives it back', async () => {
    const { failure, seen, types } = await open();
    const outgoing = new AppError('number.none', 'none');
    expect(await failure(undefined, { outgoing })).to.equal('number.none');
    expect(types()).to.deep.equal(['ChargeReserved']);
    expect(seen()).to.deep.equal({ ...nothing, causes: ['not_sent'], free: 1 });
  });

  it('leaves no trace of what it refuses where it would be free', async () => {
    const { failure, seen, types } = await open();
    const outgoing = new AppError('number.none', 'none');
    expect(await failure(undefined, { outgoing, category: 'SERVICE' })).to.equal('number.none');
    expect(types()).to.deep.equal([]);
    expect(seen()).to.deep.equal(nothing);
  });

  it('writes the record again while the log is unavailable', async () => {
    let failures = 2;
    const onAppend = (events: readonly NewEvent[]) => {
      if (events[0]?.type !== 'MessageSent' || failures === 0) return;
      failures -= 1;
      throw new StoreUnavailable('down');
    };
    const { transmit, seen, types } = await open(accepted, { onAppend });
    await transmit();
    expect(types()).to.deep.equal(['ChargeReserved', 'MessageSent']);
    expect(seen()).to.deep.equal({ ...nothing, calls: 1 });
  });

  it('keeps the charge of a message that it could not record', async () => {
    const onAppend = (events: readonly NewEvent[]) => {
      if (events[0]?.type === 'MessageSent') throw new Error('broken');
    };
    const { failure, seen } = await open(accepted, { onAppend });
    expect(await failure()).to.equal('service.unavailable');
    expect(seen()).to.deep.equal({ ...nothing, calls: 1, leftOpen: ['record'] });
  });
});
