import { createGrowingCache } from '../../shared/growing-cache.ts';
import type { Lookups } from './lookups.ts';

/** Plans that are kept, of one kind. */
const PLANS_MAX = 10_000;

/**
 * Keeps what is made of the answers of look-ups until one of them changes. At once where it is kept;
 * what is not `isWhole` is made each time.
 */
export const createLookupMemo = <Plan extends {}>(
  { version }: Pick<Lookups, 'version'>,
  isWhole: (plan: Plan) => boolean = () => true,
) => {
  const plans = createGrowingCache<string, Plan>(PLANS_MAX);
  /** The version of the answers that they are made of. */
  let keptOf: number | undefined;
  return (key: string, make: () => Promise<Plan>): Plan | Promise<Plan> => {
    const madeOf = version();
    if (madeOf !== keptOf) plans.clear();
    keptOf = madeOf;
    const kept = plans.get(key);
    if (kept) return kept;
    return make().then((plan) => {
      if (madeOf !== undefined && madeOf === version() && isWhole(plan)) plans.set(key, plan);
      return plan;
    });
  };
};
