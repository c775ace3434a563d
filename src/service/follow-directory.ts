import type { EventReader } from '../events/store.ts';
import type { Logger } from '../shared/logger.ts';
import { type Background, followLog } from './background.ts';
import type { createLookups } from './lookups.ts';

/** Keeps what the lookups remember in step with the log, and says when the log is away. */
export const followDirectory = ({
  store,
  directory,
  logger,
}: {
  store: EventReader;
  directory: Pick<ReturnType<typeof createLookups>, 'interest' | 'note' | 'setFollowing'>;
  logger: Logger;
}): Background & { started: Promise<void> } => {
  let isLogAway = false;
  return followLog(store, {
    onFollowing(now) {
      directory.setFollowing(now);
      if (now && isLogAway) logger.info('The log is followed again');
      isLogAway &&= !now;
    },
    interest: directory.interest,
    onEvent: directory.note,
    onFailure(error) {
      const reason = (error as Error).message;
      if (!isLogAway) logger.warn({ reason }, 'The log cannot be followed: trying again');
      isLogAway = true;
    },
  });
};
