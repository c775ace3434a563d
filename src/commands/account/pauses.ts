import type { AccountPaused } from '../../events/account.ts';
import type { FactOf } from '../../events/define.ts';

type Paused = FactOf<typeof AccountPaused>['data'];

/** Why the service has paused an account, in words for its owner and for administrators. */
export const pauseReasonOf = ({ count, day }: Pick<Paused, 'count' | 'day'>): string =>
  `the callers of ${count} sends on ${day} (UTC) hung up before the answer, so that their charges were given back although the messages went out`;
