import type { KnownEvent } from '../../events/index.ts';
import { interestIn } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { isRefusal } from '../../shared/errors.ts';
import { Interrupted } from '../../shared/retry.ts';
import { pause } from '../../shared/timing.ts';
import { createKeyedQueue, offerUntilSettled } from '../core/keyed-queue.ts';
import type { Reactor } from '../core/reactor.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import type { Numbers } from './numbers.ts';

/** Pauses before a number that the provider could not show is asked for again. */
const RETRY_MS = [200, 1000, 5000, 30_000, 120_000];
/** A number is read by one at a time, and none waits for another. */
const WAITING_PER_NUMBER = 20;
const WAITING_MAX = 2000;
/** What is older was settled by whatever was read since, or is by hand. */
const AGE_MS_MAX = 24 * 60 * 60_000;

type Noticed = Extract<KnownEvent, { type: 'PhoneNoticed' }>;

/** The provider did not answer, or would not: it may another time. */
const mayPass = (error: unknown) => isRefusal(error, 'provider.failed');

/**
 * Reads a number again after the provider has hinted that it changed: the notice itself says
 * neither the rating nor what keeps the number from sending.
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
  });

  const read = async ({ data, meta, id }: Noticed): Promise<void> => {
    const context = { requestId: meta.requestId, cause: id };
    const once = () =>
      retryWhileUnavailable(() => numbers.refresh(data.phoneNumberId, context), signal);
    for (const delayMs of RETRY_MS) {
      try {
        return await once();
      } catch (error) {
        if (!mayPass(error)) throw error;
      }
      await pause(delayMs, signal);
      if (signal.aborted) throw new Interrupted();
    }
    return once();
  };

  return {
    name: 'number-notices',
    interest: interestIn(['PhoneNoticed']),
    async handle(event) {
      if (event.type !== 'PhoneNoticed') return undefined;
      if (clock.now() - Date.parse(event.meta.at) >= AGE_MS_MAX) return undefined;
      const { phoneNumberId } = event.data;
      const taken = offerUntilSettled(queue, {
        ...{ group: phoneNumberId, key: phoneNumberId },
        work: () => read(event),
        onFault: (error) => onUnread(phoneNumberId, error),
      });
      if (taken) return taken;
      onUnread(phoneNumberId, new Error('too many notices wait'));
      return undefined;
    },
    drain() {
      stopping.abort();
      return queue.drain();
    },
  };
};
