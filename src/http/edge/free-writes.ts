import type { FreeWrites } from '../../commands/account/free-writes.ts';
import type { JsonRoute, RouteInput } from '../route/route.ts';
import type { AnyContext } from './request.ts';

/** Limits the writes of a free route to the account's plan. */
export const boundFreeWrites = (
  route: JsonRoute,
  freeWrites: Pick<FreeWrites, 'run'>,
): JsonRoute => ({
  ...route,
  errors: [...route.errors, 'account.free_writes'],
  handle: (input: RouteInput, context: AnyContext) =>
    freeWrites.run(context.key!.accountId, async () => route.handle(input, context)),
});
