import { PlanPublished, planBounds, RateCardPublished } from '../../src/events/pricing.ts';
import { plans, ratecards } from '../../src/projections/plans.ts';
import { given } from '../support/projections.ts';
import { positionAt, written } from '../support/projections-facts.ts';
import { NOW } from '../support/samples.ts';

describe('plans', () => {
  const terms = (planVersion: number, markup: number) => ({
    planId: 'gold',
    planVersion,
    name: 'Gold',
    billing: 'credits' as const,
    currency: 'USD',
    markup,
    creditValue: 10_000,
    refundFailedDeliveries: true,
    ...planBounds,
    chargeService: false,
  });
  const published = (planVersion: number, markup: number, at: number) =>
    written('plan-gold', PlanPublished.of(terms(planVersion, markup)), at);

  it('show their newest terms, in the place of the first', () =>
    given(plans)(published(1, 200_000, NOW), published(2, 250_000, NOW + 1000)).thenIs('gold', {
      ...terms(2, 250_000),
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:00:01.000Z',
      order: positionAt(0),
    }));
});

describe('rate cards', () => {
  const card = {
    rateCardId: 'rc_1',
    currency: 'USD',
    effectiveFrom: '2026-10-01T00:00:00.000Z',
    rates: { Other: { MARKETING: 60_400, UTILITY: 7_700, AUTHENTICATION: 7_700 } },
  };
  it('show what was published', () =>
    given(ratecards)(written('ratecard-1', RateCardPublished.of(card))).thenIs('rc_1', {
      ...card,
      createdAt: '2026-11-21T12:00:00.000Z',
      order: positionAt(0),
    }));
});
