import type { CommandContext } from '../../commands/core/decider.ts';
import type { AdministratorContext } from '../edge/context.ts';

/** The administrators share the limits of one owner of lists. */
export const ADMINISTRATION = 'administration';

/** The acting administrator, from the token and never from the body. */
export const actingOn = ({
  requestId,
  administrator: { id, email, name },
  claim,
}: AdministratorContext): CommandContext => ({
  requestId,
  by: { id, email, name },
  ...(claim && { claim }),
});
