import { createActions } from '../commands/bots/actions.ts';
import { createBotRuns } from '../commands/bots/bot-runs.ts';
import { createBotRepository } from '../commands/bots/repository.ts';
import type { Subjects } from '../commands/contacts/subjects.ts';
import type { Writer } from '../commands/core/execute.ts';
import type { Lookups } from '../commands/core/lookups.ts';
import type { Outbound } from '../commands/core/outbound.ts';
import type { NumberLinks } from '../commands/numbers/number-links.ts';
import type { Notifications } from '../commands/sending/notification.ts';
import type { PassThrough } from '../commands/sending/pass-through.ts';
import type { EventStore } from '../events/store.ts';
import type { Clock, Ids } from '../shared/clock.ts';
import type { Logger } from '../shared/logger.ts';

/** Wires the bots. */
export const createBotWork = (deps: {
  store: EventStore;
  writer: Writer;
  subjects: Subjects;
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
  const repository = createBotRepository(deps);
  const act = createActions({ ...rest, onFault });
  return {
    repository,
    /** Called at each start of the reactors: the lease may move and come back. */
    createRuns: (isOurs: (accountId: string) => boolean) =>
      createBotRuns({
        ...rest,
        repository,
        act,
        onFault,
        isOurs,
        onBound: ({ runId, botId, accountId, detail }) =>
          logger.warn({ runId, botId, accountId, detail }, 'A bound ended the run of a bot'),
        onLag: (accountId, lags) =>
          logger.warn(
            { accountId },
            lags ? 'Bots of an account lag behind' : 'Bots have caught up',
          ),
      }),
  };
};
