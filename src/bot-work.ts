import type { Clock, Ids } from './clock.ts';
import { createBotRuns } from './commands/botruns.ts';
import { createActions } from './commands/bots/actions.ts';
import { createLibrary } from './commands/bots/library.ts';
import type { Writer } from './commands/execute.ts';
import type { Lookups } from './commands/lookups.ts';
import type { Notifications } from './commands/notification.ts';
import type { NumberLinks } from './commands/number-links.ts';
import type { Outbound } from './commands/outbound.ts';
import type { PassThrough } from './commands/passthrough.ts';
import type { EventStore } from './events/store.ts';
import type { Logger } from './logger.ts';

/** What runs bots, wired. */
export const createBotWork = (deps: {
  store: EventStore;
  writer: Writer;
  lookups: Lookups;
  links: NumberLinks;
  passThrough: PassThrough;
  notifications: Notifications;
  outbound: Pick<Outbound, 'request'>;
  mayAct: (accountId: string) => Promise<boolean>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}) => {
  const { logger, ...rest } = deps;
  const onFault = (err: unknown) => logger.error({ err }, 'A bot failed unexpectedly');
  const library = createLibrary(deps);
  const act = createActions({ ...rest, onFault });
  return {
    library,
    /** Runs of their own: what a process does for others may end before the process does. */
    createRuns: () =>
      createBotRuns({
        ...{ ...rest, library, act, onFault },
        onLag: (accountId, lags) =>
          logger.warn(
            { accountId },
            lags ? 'Bots of an account lag behind' : 'Bots have caught up',
          ),
      }),
  };
};
