import type { CommandContext } from '../../commands/core/decider.ts';
import type { AdministratorContext } from '../edge/context.ts';

/** The owner of all administrators' lists, who share its places. */
export const ADMINISTRATION = 'administration';

/** The acting administrator, from the token and never from the body. */
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
