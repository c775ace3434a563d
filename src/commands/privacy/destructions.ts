import { ContactErased, type DestructionFact, MonthsExpired } from '../../events/erasure.ts';
import type { Decider } from '../core/decider.ts';

/** The stream `destroyedkeys-all`. */
export const DESTRUCTIONS_ID = 'all';

/** Destructions that are remembered, so that a repeated command adds nothing. */
const REMEMBERED_MAX = 200;

interface DestructionsState {
  /** Names of the newest destructions. One that is forgotten and repeated does no harm. */
  recent: readonly string[];
}

type DestructionCommand =
  | { type: 'Erase'; erasureId: string; refs: readonly string[] }
  | { type: 'Expire'; accountId: string; through: string };

const nameOf = ({ type, data }: DestructionFact): string =>
  type === 'ContactErased' ? data.erasureId : `${data.accountId} ${data.through}`;

/** Records for every reader of the log, once the keys are destroyed, that they are. */
export const destructionsDecider: Decider<DestructionsState, DestructionCommand, DestructionFact> =
  {
    category: 'destroyedkeys',
    initial: { recent: [] },
    evolve: ({ recent }, fact) => ({ recent: [...recent, nameOf(fact)].slice(-REMEMBERED_MAX) }),
    decide(command, { recent }) {
      const fact =
        command.type === 'Erase'
          ? ContactErased.of({ erasureId: command.erasureId, refs: [...command.refs] })
          : MonthsExpired.of({ accountId: command.accountId, through: command.through });
      return recent.includes(nameOf(fact)) ? [] : [fact];
    },
    snapshot: { version: 1, every: 500 },
  };
