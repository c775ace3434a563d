import type { FactOf } from '../../events/define.ts';
import {
  AdministratorCreated,
  type AdministratorFact,
  AdministratorRevoked,
} from '../../events/directory.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

export type AdministratorTerms = FactOf<typeof AdministratorCreated>['data'];

export type AdministratorCommand =
  | { type: 'Create'; terms: AdministratorTerms }
  | { type: 'Revoke'; administratorId: string };

export const administratorDecider: Decider<
  'none' | 'active' | 'revoked',
  AdministratorCommand,
  AdministratorFact
> = {
  category: 'administrator',
  initial: 'none',
  evolve: (_, fact) => (fact.type === 'AdministratorCreated' ? 'active' : 'revoked'),
  decide(command, state) {
    if (command.type === 'Create') {
      if (state !== 'none') {
        throw new AppError('resource.conflict', 'The administrator exists already');
      }
      return [AdministratorCreated.of(command.terms)];
    }
    if (state === 'none') throw new AppError('resource.unknown', 'Administrator not found');
    const { administratorId } = command;
    return state === 'active' ? [AdministratorRevoked.of({ administratorId })] : [];
  },
};
