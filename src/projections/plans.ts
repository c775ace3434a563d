import type { PlanTerms, RateCard } from '../events/pricing.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** A plan's newest terms. */
interface PlanDocument extends PlanTerms {
  createdAt: string;
  updatedAt: string;
  order: Position;
}

export const plans = defineProjection<PlanDocument>({
  name: 'plans',
  version: 3,
  indexes: [['-order']],
  on: {
    PlanPublished: {
      key: ({ data }) => data.planId,
      fold: (plan, { data, meta, position }) => ({
        ...data,
        createdAt: plan?.createdAt ?? meta.at,
        updatedAt: meta.at,
        order: plan?.order ?? position,
      }),
    },
  },
});

interface RateCardDocument extends RateCard {
  createdAt: string;
  order: Position;
}

export const ratecards = defineProjection<RateCardDocument>({
  name: 'ratecards',
  version: 2,
  indexes: [['-order']],
  on: {
    RateCardPublished: {
      key: ({ data }) => data.rateCardId,
      fold: (_, { data, meta, position }) => ({ ...data, createdAt: meta.at, order: position }),
    },
  },
});
