import type { CommandContext } from '../../commands/core/decider.ts';
import type { AdministratorContext } from '../edge/context.ts';

/** Under this name all administrators together share what may be read at a time. */
export const ADMINISTRATION = 'administration';

/** Who acts, from the token and never from the body. */
export const actingOn = (
  { requestId, administrator, claim }: AdministratorContext,
  accountId?: string,
): CommandContext => {
  const { id, email, name } = administrator;
  return {
    requestId,
    by: { id, email, name },
    ...(accountId !== undefined && { accountId }),
    ...(claim && { claim }),
  };
};
