import { z } from 'zod';
import type { Lookups, NumberRecord } from '../../commands/core/lookups.ts';
import { pick } from '../route/pick.ts';
import { defineRoute } from '../route/route.ts';
import { healthOf } from './health.ts';
import { PhoneNumber } from './schemas.ts';

const ratings = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const;

const ratingOf = (number: NumberRecord) => {
  if (number.qualityRating === null) return null;
  return ratings.find((rating) => rating === number.qualityRating) ?? 'UNKNOWN';
};

/** Contract 4.13. */
export const phonesRoute = (deps: { lookups: Pick<Lookups, 'numbers'> }) =>
  defineRoute({
    method: 'GET',
    path: '/v1/phones',
    access: 'key',
    scope: 'phones:read',
    summary: 'List the numbers of the account',
    tags: ['Numbers'],
    responses: { 200: z.array(PhoneNumber) },
    errors: [],
    async handle(_, { key }) {
      const linked = await deps.lookups.numbers(key.accountId);
      return linked.toReversed().map((number) => {
        const isSound = number.blockers.length === 0 && number.limits.length === 0;
        const shown = pick(PhoneNumber, { ...number, qualityRating: ratingOf(number) });
        return isSound ? shown : { ...shown, health: healthOf(number) };
      });
    },
  });
