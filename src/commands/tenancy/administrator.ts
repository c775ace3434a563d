import type { FactOf } from '../../events/define.ts';
import {
  AdministratorCreated,
  type AdministratorFact,
  AdministratorRevoked,
} from '../../events/directory.ts';
import type { Ids } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';

type AdministratorTerms = FactOf<typeof AdministratorCreated>['data'];

type AdministratorCommand =
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
    return state === 'active' ? [AdministratorRevoked.of(command)] : [];
  },
};

export const createAdministrators = (deps: { writer: Writer; secrets: Secrets; ids: Ids }) => ({
  /** Only this result holds the whole token. */
  async createAdministrator(
    request: Pick<AdministratorTerms, 'name' | 'email' | 'role'>,
    context: CommandContext,
  ): Promise<{ terms: AdministratorTerms; token: string }> {
    const handle = deps.ids.secret(8);
    const token = `wb_adm_${handle}_${deps.ids.secret(32)}`;
    const terms = {
      administratorId: `adm_${handle}`,
      ...request,
      prefix: `wb_adm_${handle}`,
      secretHash: deps.secrets.hashToken(token),
    };
    const command = { type: 'Create' as const, terms };
    await deps.writer.execute(administratorDecider, terms.administratorId, command, context);
    return { terms, token };
  },

  async revokeAdministrator(administratorId: string, context: CommandContext): Promise<void> {
    const command = { type: 'Revoke' as const, administratorId };
    await deps.writer.execute(administratorDecider, administratorId, command, context);
  },
});
