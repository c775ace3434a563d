import type { RateCard } from '../events/pricing.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

export interface RateCardDocument extends RateCard {
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
