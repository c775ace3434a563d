import type { CommandContext } from '../../commands/core/decider.ts';
import { type AdministratorContext, actorOf } from '../edge/context.ts';

/** The administrators share the limits of one owner of lists. */
export const ADMINISTRATION = 'administration';

/** The acting administrator, from the token and never from the body. */
export const actingOn = ({
  requestId,
  administrator,
  claim,
}: AdministratorContext): CommandContext => ({
  requestId,
  by: actorOf(administrator),
  ...(claim && { claim }),
});
