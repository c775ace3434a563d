import { expect } from 'chai';
import { accountDecider } from '../../../src/commands/account/account.ts';
import { createFunds } from '../../../src/commands/account/funds.ts';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { standardPlan } from '../../../src/commands/pricing/pricing.ts';
import { defaultRateCard } from '../../../src/commands/pricing/rate-card.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { openCommand } from '../../support/account-commands.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { NOW } from '../../support/samples.ts';
import { codeOf } from '../../support/spec.ts';

const ACCOUNT = 'acc_1';
const by = { id: 'root', name: 'Root', email: 'root@localhost' };
const context = { requestId: 'r', by };
const claim = { id: '0192a1b2-0000-7000-8000-00000000abcd' };

/** Funds of an account of this kind; `earlier` is what an earlier run of the request wrote. */
const open = async (billing: 'credits' | 'wallet' = 'credits', earlier: readonly string[] = []) => {
  const { store, events } = createMemoryLog();
  const clock = fixedClock();
  const writer = createWriter({ store, clock, ids: countedIds() });
  const terms = { planId: 'p', billing, currency: 'USD' };
  const command = { ...openCommand(ACCOUNT), terms };
  await writer.execute(accountDecider(ACCOUNT), ACCOUNT, command, { requestId: 'r' });
  const searched: string[] = [];
  let isOwn = true;
  const funds = createFunds({
    writer,
    account: accountDecider,
    clock,
    ids: countedIds(),
    runs: {
      termOf: () => ({ mayBegin: () => isOwn, mayRecord: () => isOwn }),
      async movedEarlier({ id }, accountId) {
        searched.push(`${id} ${accountId}`);
        return earlier[0];
      },
      async wroteEarlier({ id }, stream) {
        searched.push(`${id} ${stream}`);
        return earlier.length > 0;
      },
    },
  });
  return {
    funds,
    searched,
    /** Another process has taken the request up. */
    lose() {
      isOwn = false;
    },
    events: events as KnownEvent[],
    last: () => events.at(-1) as KnownEvent,
  };
};
const { planId: _, ...terms } = standardPlan;
const draft = { ...terms, name: 'Plain' };

describe('funds', () => {
  it('are credits, granted and revoked for a reason by an administrator', async () => {
    const { funds, last } = await open();
    const entryId = await funds.moveCredits(ACCOUNT, 7, 'welcome', context);
    const granted = { amount: 7, reason: 'welcome', grantedBy: by, entryId, balanceAfter: 7 };
    expect(last()).to.include({ type: 'CreditsGranted' });
    expect(last().data).to.deep.include(granted);
    expect(last().meta.accountId).to.equal(ACCOUNT);
    await funds.moveCredits(ACCOUNT, -7, null, { requestId: 'r' });
    const revoked = { amount: -7, reason: null, grantedBy: null, balanceAfter: 0 };
    expect(last().data).to.deep.include({ ...revoked, at: isoTime(NOW) });
    const refused = funds.moveCredits(ACCOUNT, -1, null, context);
    expect(await codeOf(refused)).to.equal('account.conflict');
  });

  for (const billing of ['credits', 'wallet'] as const) {
    it(`are not moved by a request that another process has taken up: ${billing}`, async () => {
      const { funds, events, lose } = await open(billing);
      const before = events.length;
      lose();
      const on = { ...context, claim };
      const moving =
        billing === 'credits'
          ? funds.moveCredits(ACCOUNT, 7, null, on)
          : funds.moveWallet(ACCOUNT, 'top_up', 7, null, on);
      expect(await codeOf(moving)).to.equal('StoreUnavailable');
      expect(events).to.have.length(before);
    });
  }

  it('are millionths of a wallet, topped up or adjusted', async () => {
    const { funds, last } = await open('wallet');
    await funds.moveWallet(ACCOUNT, 'top_up', 1_500_000, 'paid', context);
    const paid = { kind: 'top_up', amount: 1_500_000, reason: 'paid', grantedBy: by };
    expect(last().data).to.deep.include(paid);
    const bare = { requestId: 'r' };
    const entryId = await funds.moveWallet(ACCOUNT, 'adjustment', -500_000, null, bare);
    const adjusted = { kind: 'adjustment', amount: -500_000, grantedBy: null, entryId };
    expect(last().data).to.deep.include({ ...adjusted, balanceAfter: 1_000_000 });
  });

  it('move once under one idempotent request', async () => {
    const { funds, events, searched } = await open('credits', ['led_before']);
    const on = { ...context, claim };
    expect(await funds.moveCredits(ACCOUNT, 7, null, on)).to.equal('led_before');
    expect(searched).to.deep.equal([`${claim.id} ${ACCOUNT}`]);
    expect(events).to.have.length(1);
    const first = await open();
    await first.funds.moveCredits(ACCOUNT, 7, null, on);
    expect(first.events).to.have.length(2);
    const bare = await open('credits', ['led_before']);
    await bare.funds.moveCredits(ACCOUNT, 7, null, context);
    expect([bare.events.length, bare.searched.length]).to.deep.equal([2, 0]);
  });

  it('are spent under plans, whose id is given or made', async () => {
    const { funds, last } = await open();
    expect(await funds.publishPlan({ ...draft, planId: 'p1' }, context)).to.equal('p1');
    expect(last()).to.include({ stream: 'plan-p1', type: 'PlanPublished' });
    expect(await funds.publishPlan(draft, context)).to.match(/^plan_[0-9a-f]{32}$/);
    await funds.revisePlan({ ...draft, planId: 'p1', name: 'Other' }, context);
    expect(last().data).to.include({ planId: 'p1', name: 'Other', planVersion: 2 });
  });

  it('make the same plan and rate card for the same idempotent request', async () => {
    const { funds, events, searched } = await open();
    const on = { ...context, claim };
    const id = claim.id.replaceAll('-', '');
    const { rateCardId: __, ...card } = defaultRateCard;
    expect(await funds.publishPlan(draft, on)).to.equal(`plan_${id}`);
    expect(await funds.publishRateCard(card, on)).to.equal(`card_${id}`);
    const streams = [`plan-plan_${id}`, `ratecard-card_${id}`];
    expect(searched).to.deep.equal(streams.map((stream) => `${claim.id} ${stream}`));
    expect(events.slice(1).map(({ stream }) => stream)).to.deep.equal(streams);
    const again = await open('credits', ['before']);
    expect(await again.funds.publishPlan(draft, on)).to.equal(`plan_${id}`);
    expect(await again.funds.publishRateCard(card, on)).to.equal(`card_${id}`);
    expect(again.events).to.have.length(1);
    expect(await again.funds.publishRateCard(card, context)).to.match(/^card_[0-9a-f]{32}$/);
    expect(again.events).to.have.length(2);
  });

  it('have a standard plan that is there before anything is stored, and can be revised', async () => {
    const { funds, last } = await open();
    const taken = funds.publishPlan({ ...draft, planId: 'standard' }, context);
    expect(await codeOf(taken)).to.equal('resource.conflict');
    await funds.revisePlan({ ...draft, planId: 'standard', name: 'Other' }, context);
    const planVersion = standardPlan.planVersion + 1;
    expect(last().data).to.include({ planId: 'standard', name: 'Other', planVersion });
    const unknown = funds.revisePlan({ ...draft, planId: 'none' }, context);
    expect(await codeOf(unknown)).to.equal('resource.unknown');
  });
});
