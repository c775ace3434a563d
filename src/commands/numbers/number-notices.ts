import type { KnownEvent } from '../../events/index.ts';
import type { Clock } from '../../shared/clock.ts';
import { isRefusal } from '../../shared/errors.ts';
import { retry } from '../../shared/retry.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import type { Reactor } from '../core/reactor.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import type { Numbers } from './numbers.ts';

/** Pauses before the provider is asked again for a number that it did not show. */
const RETRY_MS = [200, 1000, 5000, 30_000, 120_000];
/** Waiting notices of one number, which is read once at a time, and of all numbers. */
const WAITING_PER_NUMBER = 20;
const WAITING_MAX = 2000;
/** An older notice is dropped: a later read or an administrator has settled it. */
const AGE_MS_MAX = 24 * 60 * 60_000;

type Noticed = Extract<KnownEvent, { type: 'PhoneNoticed' }>;

/** The provider did not answer, or refused: a later call may succeed. */
const mayPass = (error: unknown) => isRefusal(error, 'provider.failed');

/**
 * Reads a number again after a notice of the provider, which names neither the number's rating nor
 * its blockers.
 */
export const createNumberNotices = (deps: {
  numbers: Pick<Numbers, 'refresh'>;
  clock: Clock;
  onUnread: (phoneNumberId: string, error: unknown) => void;
}): Reactor => {
  const { numbers, clock, onUnread } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const queue = createKeyedQueue({
    runningPerGroup: 1,
    jobsPerGroup: WAITING_PER_NUMBER,
    jobs: WAITING_MAX,
    onFault: (error, { key: phoneNumberId }) => onUnread(phoneNumberId, error),
  });

  const read = ({ data, meta, id }: Noticed): Promise<void> => {
    const context = { requestId: meta.requestId, cause: id };
    const refresh = () => numbers.refresh(data.phoneNumberId, context);
    return retry(() => retryWhileUnavailable(refresh, signal), {
      delays: RETRY_MS,
      signal,
      while: mayPass,
    });
  };

  return {
    name: 'number-notices',
    on: {
      PhoneNoticed(event) {
        if (clock.now() - Date.parse(event.meta.at) >= AGE_MS_MAX) return undefined;
        const { phoneNumberId } = event.data;
        const job = { group: phoneNumberId, key: phoneNumberId, work: () => read(event) };
        const taken = queue.offer(job);
        if (!taken) onUnread(phoneNumberId, new Error('too many notices wait'));
        return taken;
      },
    },
    drain() {
      stopping.abort();
      return queue.drain();
    },
  };
};
