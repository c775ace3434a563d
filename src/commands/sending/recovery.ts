import type { FactOf } from '../../events/define.ts';
import {
  ChargeExpired,
  ChargeMatched,
  ChargeReleased,
  type RecoveryFact,
} from '../../events/recovery.ts';
import type { Decider } from '../core/decider.ts';
import { Rejected } from '../inbound/rejected.ts';

export type Match = FactOf<typeof ChargeMatched>['data'];

export interface RecoveryState {
  /** The message that won the charge. */
  matched: Match | null;
  /** Whether the sweep has expired the charge. */
  expired: boolean;
}

export type RecoveryCommand =
  | { type: 'Match'; match: Match }
  /** The message cannot have the charge after all. */
  | { type: 'Release'; messageRef: string }
  /** Changes nothing when a message has won the charge. */
  | { type: 'Expire'; chargeId: string; accountId: string };

export const chargeTaken = (): Rejected =>
  new Rejected('charge_taken', 'the charge that the status carries has a message already');

const evolve = (state: RecoveryState, fact: RecoveryFact): RecoveryState => {
  switch (fact.type) {
    case 'ChargeMatched':
      return { ...state, matched: fact.data };
    case 'ChargeReleased':
      return { ...state, matched: null };
    case 'ChargeExpired':
      return { ...state, expired: true };
  }
};

/** The charge of an interrupted send: at most one message wins it. */
export const recoveryDecider: Decider<RecoveryState, RecoveryCommand, RecoveryFact> = {
  category: 'recovery',
  initial: { matched: null, expired: false },
  evolve,
  decide(command, { matched, expired }) {
    switch (command.type) {
      case 'Expire': {
        const { chargeId, accountId } = command;
        return matched || expired ? [] : [ChargeExpired.of({ chargeId, accountId })];
      }
      case 'Release': {
        if (matched?.messageRef !== command.messageRef) return [];
        const { chargeId, accountId, messageRef } = matched;
        return [ChargeReleased.of({ chargeId, accountId, messageRef })];
      }
      case 'Match':
        if (!matched) return [ChargeMatched.of(command.match)];
        if (matched.messageRef === command.match.messageRef) return [];
        throw chargeTaken();
    }
  },
};
