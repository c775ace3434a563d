import type { EventStore } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import { TEST_TOPIC } from '../../events/webhook.ts';
import { isRefusal } from '../../shared/errors.ts';
import type { FreeWrites } from '../account/free-writes.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { type Reactions, type Reactor, toEach } from '../core/reactor.ts';
import type { Unsettled } from '../core/reactor-checkpoints.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import { type AttemptDeps, createAttempt } from './attempt.ts';
import { createDeliveryQueues } from './delivery-queues.ts';
import { createDirectory, type Directory } from './directory.ts';
import { endpointDecider } from './endpoint.ts';
import type { Delivery, OpenReplay, WebhookLookups } from './ports.ts';
import { allOf, createReplays } from './replays.ts';
import { sourcesOf } from './sources.ts';
import { createWaiting } from './waiting.ts';

/** Deliveries of a deleted endpoint that one event drops. */
const DROPPED_MAX = 500;

interface EndpointEventsDeps {
  writer: Pick<Writer, 'execute'>;
  webhooks: Pick<WebhookLookups, 'reachHead' | 'waiting'>;
  directory: Directory;
  waiting: {
    begin(of: Pick<Delivery, 'endpointId' | 'accountId'>): void;
    expectNow(of: Pick<Delivery, 'endpointId' | 'accountId'>): void;
  };
  replays: { start(replay: OpenReplay): void; stopOf(endpointId: string): void };
  take: (delivery: Delivery) => Promise<Unsettled>;
  /** Tries again while the stores are away. */
  available: <T>(work: () => Promise<T>) => Promise<T>;
  onFailure: (error: unknown) => void;
}

/** Of a deleted endpoint, nothing waits any more. */
const dropAll = async (
  { endpointId, accountId }: Pick<Delivery, 'endpointId' | 'accountId'>,
  { writer, webhooks, available }: EndpointEventsDeps,
): Promise<void> => {
  await available(() => webhooks.reachHead());
  for (let after = ''; ; ) {
    const of = { lane: endpointId, after, limit: DROPPED_MAX };
    const page = await available(() => webhooks.waiting(of));
    if (page.length === 0) return;
    after = page.at(-1)!.due;
    const numbers = page.map(({ begun }) => begun.number);
    const command = { type: 'Drop' as const, endpointId, accountId, numbers };
    const context = { requestId: endpointId, accountId, cause: endpointId, countsAsFree: true };
    await available(() =>
      writer.execute(endpointDecider, inAccount(accountId, endpointId), command, context),
    );
  }
};

/** What follows from events of endpoints themselves. */
const createEndpointReactions = (deps: EndpointEventsDeps): Reactions => {
  const { directory, waiting, replays, take, onFailure } = deps;
  return {
    ...toEach(['WebhookCreated', 'WebhookChanged'], (event) => {
      directory.note(event);
    }),
    WebhookEnabled(event) {
      directory.note(event);
      waiting.begin(event.data);
    },
    WebhookDeferred({ data }) {
      waiting.expectNow(data);
    },
    WebhookDisabled(event) {
      directory.note(event);
      replays.stopOf(event.data.endpointId);
    },
    WebhookDeleted(event) {
      directory.note(event);
      replays.stopOf(event.data.endpointId);
      return { settled: dropAll(event.data, deps).catch(onFailure) };
    },
    WebhookReplayStarted({ data }) {
      const { endpointId, accountId } = data;
      const topics = directory.topicsOf(accountId, endpointId);
      if (directory.isActive(accountId, endpointId)) replays.start({ ...data, topics });
    },
    WebhookTested({ data, id: eventId, stream, revision }) {
      const { endpointId, accountId } = data;
      if (!directory.isActive(accountId, endpointId)) return undefined;
      const at = { stream, revision, orderKey: stream };
      const source = { eventId, topic: TEST_TOPIC, ...at, asked: true } as const;
      return take({ endpointId, accountId, source });
    },
  };
};

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
    await available(() =>
      writer.execute(endpointDecider, inAccount(accountId, endpointId), command, context),
    );
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
  const { directory, queues, waiting, replays, take } = deliveries;
  const ofEndpoints = createEndpointReactions({
    ...deps,
    ...deliveries,
    waiting: {
      begin: waiting.begin,
      expectNow: (delivery) => void waiting.expect(delivery, clock.now()),
    },
  });

  const reactionsTo = (told: ReturnType<typeof directory.told>): Reactions => ({
    ...ofEndpoints,
    ...toEach(told, async (event, { isFor }) => {
      const taken: Unsettled[] = [];
      const { wants } = directory;
      for (const { accountId, source } of await sourcesOf(event, { ...deliveries.told, wants })) {
        if (!isFor(accountId)) continue;
        for (const { endpointId } of directory.of(accountId, source.topic, event.position)) {
          taken.push(await take({ endpointId, accountId, source }));
        }
      }
      return allOf(taken);
    }),
  });
  let told = directory.told();
  let on = reactionsTo(told);

  return {
    reactor: {
      name: 'webhooks',
      get on() {
        if (told !== directory.told()) {
          told = directory.told();
          on = reactionsTo(told);
        }
        return on;
      },
      // An event of a template may go to several accounts.
      isForAll: ({ type }) => type.startsWith('Template'),
      async prepare(isNew) {
        await webhooks.reachHead();
        const all = await webhooks.all();
        directory.load(all.endpoints);
        for (const one of all.waiting) if (isNew(one.accountId)) waiting.begin(one);
        for (const replay of all.replays) if (isNew(replay.accountId)) replays.start(replay);
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
