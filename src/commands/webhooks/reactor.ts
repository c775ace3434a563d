import type { EventStore } from '../../events/store.ts';
import { isRefusal } from '../../shared/errors.ts';
import type { FreeWrites } from '../account/free-writes.ts';
import type { Lookups } from '../core/lookups.ts';
import { accountOf, type Reactor } from '../core/reactor-following.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import type { Unsettled } from '../core/unsettled.ts';
import { type AttemptDeps, createAttempt } from './attempt.ts';
import { createDeliveryQueues } from './delivery-queues.ts';
import { createDirectory } from './directory.ts';
import { endpointDecider } from './endpoint.ts';
import { createEndpointEvents } from './endpoint-events.ts';
import type { Delivery, OpenReplay, WebhookLookups } from './ports.ts';
import { allOf, createReplays } from './replays.ts';
import { sourcesOf } from './sources.ts';
import { createWaiting } from './waiting.ts';

interface DeliveringDeps extends AttemptDeps {
  /** The log as it is stored: only bodies need what is sealed. */
  log: EventStore;
  lookups: Pick<Lookups, 'templates' | 'numbersOfWaba'>;
  webhooks: WebhookLookups;
  freeWrites: Pick<FreeWrites, 'run'>;
  onFault: (error: unknown) => void;
  /** Something could not be done yet, and is tried again. */
  onFailure: (error: unknown) => void;
}

/** Deliveries in memory and in the log, and replays. */
const createDeliveries = (deps: DeliveringDeps, signal: AbortSignal) => {
  const { writer, log, webhooks, freeWrites, clock, onFault, onFailure } = deps;
  const available = <T>(work: () => Promise<T>) => retryWhileUnavailable(work, signal);
  const told = { log, lookups: deps.lookups };
  const directory = createDirectory();
  const queues = createDeliveryQueues(
    {
      writer,
      clock,
      onFault,
      attempt: createAttempt(deps, signal),
      onRetry: (delivery, at) => void waiting.expect(delivery, at),
    },
    signal,
  );
  const { isActive } = directory;
  const waiting = createWaiting({ lookups: webhooks, queues, isActive, clock, onFailure });
  const end = async ({ endpointId, accountId, replayId }: OpenReplay) => {
    const command = { type: 'EndReplay' as const, endpointId, accountId, replayId };
    const context = { requestId: replayId, accountId, cause: replayId, countsAsFree: true };
    await available(() => writer.execute(endpointDecider, endpointId, command, context));
  };
  const mayWrite = (accountId: string) =>
    freeWrites
      .run(accountId, async () => true)
      .catch((error) => {
        if (!isRefusal(error, 'account.free_writes')) throw error;
        return false;
      });
  const replays = createReplays({
    log,
    end,
    mayWrite,
    offer: queues.offerReplayed,
    sourcesOf: (event) => available(() => sourcesOf(event, { ...told, wants: () => true })),
    onFailure: (_, __, error) => onFailure(error),
  });
  const take = async (delivery: Delivery): Promise<Unsettled> => {
    const taken = waiting.lags(delivery.endpointId) ? undefined : queues.offer(delivery);
    return taken ?? waiting.deferring(delivery, () => queues.defer(delivery));
  };
  return { available, told, directory, queues, waiting, replays, take };
};

/** Delivers events to the endpoints of their accounts. `tick` must be called every moment. */
export const createDelivering = (deps: DeliveringDeps): { reactor: Reactor; tick(): void } => {
  const { webhooks, clock } = deps;
  const stopping = new AbortController();
  const deliveries = createDeliveries(deps, stopping.signal);
  const { told, directory, queues, waiting, replays, take } = deliveries;
  const onEndpoint = createEndpointEvents({
    ...deps,
    ...deliveries,
    waiting: {
      begin: waiting.begin,
      expectNow: (delivery) => void waiting.expect(delivery, clock.now()),
    },
  });

  return {
    reactor: {
      name: 'webhooks',
      get interest() {
        return directory.interest();
      },
      // An event of a template may be told to several accounts.
      unitOf: (event) =>
        event.type.startsWith('Template') ? null : (accountOf(event) ?? event.stream),
      async prepare(isNew) {
        await webhooks.reachHead();
        const all = await webhooks.all();
        directory.load(all.endpoints);
        for (const one of all.waiting) if (isNew(one.accountId)) waiting.begin(one);
        for (const replay of all.replays) if (isNew(replay.accountId)) replays.start(replay);
      },
      async handle(event, _, isFor = () => true) {
        if (event.type.startsWith('Webhook')) return onEndpoint(event);
        const taken: Unsettled[] = [];
        const { wants } = directory;
        for (const { accountId, source } of await sourcesOf(event, { ...told, wants })) {
          if (!isFor(accountId)) continue;
          for (const { endpointId } of directory.of(accountId, source.topic, event.position)) {
            taken.push(await take({ endpointId, accountId, source }));
          }
        }
        return allOf(taken);
      },
      async drain() {
        stopping.abort();
        await Promise.all([replays.drain(), waiting.drain(), queues.drain()]);
      },
    },
    tick() {
      queues.wake();
      waiting.tick();
    },
  };
};
