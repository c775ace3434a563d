import type { KnownEvent } from '../../events/index.ts';
import { TEST_TOPIC } from '../../events/webhook.ts';
import type { Writer } from '../core/execute.ts';
import type { Unsettled } from '../core/unsettled.ts';
import type { Directory } from './directory.ts';
import { endpointDecider } from './endpoint.ts';
import type { Delivery, OpenReplay, WebhookLookups } from './ports.ts';

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
    const of = { endpointId, after, limit: DROPPED_MAX };
    const page = await available(() => webhooks.waiting(of));
    if (page.length === 0) return;
    after = page.at(-1)!.due;
    const numbers = page.map(({ begun }) => begun.number);
    const command = { type: 'Drop' as const, endpointId, accountId, numbers };
    const context = { requestId: endpointId, accountId, cause: endpointId, countsAsFree: true };
    await available(() => writer.execute(endpointDecider, endpointId, command, context));
  }
};

/** Does what follows from events of endpoints themselves. */
export const createEndpointEvents =
  (deps: EndpointEventsDeps) =>
  async (event: KnownEvent): Promise<Unsettled | undefined> => {
    const { directory, waiting, replays, take, onFailure } = deps;
    directory.note(event);
    switch (event.type) {
      case 'WebhookEnabled':
        waiting.begin(event.data);
        return undefined;
      case 'WebhookDeferred':
        waiting.expectNow(event.data);
        return undefined;
      case 'WebhookDisabled':
        replays.stopOf(event.data.endpointId);
        return undefined;
      case 'WebhookDeleted':
        replays.stopOf(event.data.endpointId);
        return { settled: dropAll(event.data, deps).catch(onFailure) };
      case 'WebhookReplayStarted': {
        const { endpointId, accountId } = event.data;
        const topics = directory.topicsOf(accountId, endpointId);
        if (directory.isActive(accountId, endpointId)) replays.start({ ...event.data, topics });
        return undefined;
      }
      case 'WebhookTested': {
        const { endpointId, accountId } = event.data;
        if (!directory.isActive(accountId, endpointId)) return undefined;
        const { id: eventId, stream, revision } = event;
        const at = { stream, revision, orderKey: stream };
        const source = { eventId, topic: TEST_TOPIC, ...at, asked: true } as const;
        return take({ endpointId, accountId, source });
      }
      default:
        return undefined;
    }
  };
