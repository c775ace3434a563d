import type { KnownEvent } from '../events/index.ts';
import { type EventReader, interestIn } from '../events/store.ts';
import type { LiveEvent, LiveFeed } from '../http/console/live.ts';
import type { Logger } from '../shared/logger.ts';
import { Interrupted, retry } from '../shared/retry.ts';

/** What viewers are notified of. Everything else is read again when they look. */
const TYPES = [
  'ChargeReserved',
  'ChargeRefunded',
  'MessageSent',
  'StatusUpdated',
  'MessageReceived',
  'BotsSilenced',
  'BotsResumed',
  'ConversationAssigned',
  'ConversationLabelled',
  'NoteAdded',
  'DeadLetterKept',
  'AccountPaused',
  'LedgerSealed',
] as const satisfies readonly KnownEvent['type'][];

const RETRY_DELAYS = { minMs: 200, maxMs: 5_000 };
/** Connections of this process. */
const VIEWERS_MAX = 256;
/** Connections of one administrator or account, so that none takes the places of all. */
const SHARE_MAX = 16;

const shown = ({ type, position, meta, data }: KnownEvent): LiveEvent => {
  const { accountId = meta.accountId, chargeId, status } = data as Partial<LiveEvent>;
  return {
    type,
    position,
    at: meta.at,
    accountId: accountId ?? null,
    ...(chargeId !== undefined && { chargeId }),
    ...(status !== undefined && { status }),
  };
};

/**
 * Follows the log, with its personal fields closed, while somebody looks: one reader of the log for
 * all viewers of this process.
 */
export const createLiveFeed = ({
  log,
  logger,
}: {
  log: Pick<EventReader, 'follow' | 'end'>;
  logger: Logger;
}): LiveFeed => {
  const viewers = new Map<(event: LiveEvent) => void, string>();
  const countOf = (viewer: string) =>
    viewers.values().reduce((count, one) => (one === viewer ? count + 1 : count), 0);
  let following: AbortController | undefined;

  const follow = async (signal: AbortSignal, progressed: () => void) => {
    const batches = log.follow(await log.end(), signal, interestIn(TYPES));
    for await (const { events } of batches) {
      progressed();
      for (const event of events as KnownEvent[]) {
        if (!(TYPES as readonly string[]).includes(event.type)) continue;
        const live = shown(event);
        for (const tell of viewers.keys()) tell(live);
      }
    }
  };

  const start = (): AbortController => {
    const controller = new AbortController();
    const { signal } = controller;
    retry((progressed) => follow(signal, progressed), { delays: RETRY_DELAYS, signal }).catch(
      (error) => {
        if (!(error instanceof Interrupted)) logger.warn({ err: error }, 'The live feed ended');
      },
    );
    return controller;
  };

  return {
    hasRoom: (viewer) => viewers.size < VIEWERS_MAX && countOf(viewer) < SHARE_MAX,
    watch(viewer, tell) {
      viewers.set(tell, viewer);
      following ??= start();
      return () => {
        viewers.delete(tell);
        if (viewers.size > 0) return;
        following?.abort();
        following = undefined;
      };
    },
  };
};
