import { pause } from '../../shared/timing.ts';
import type { Row } from '../output/format.ts';
import { type Api, route } from './api.ts';
import { waitAfter } from './follow.ts';
import { readPages } from './paging.ts';

const LOOK_EVERY_MS = 1000;

interface Following {
  /** Deliveries that began from this time on, ISO 8601. */
  since: string;
  signal: AbortSignal;
  note(text: string): void;
}

/** The deliveries of a webhook with their bodies, each once, as they begin, until the signal fires. */
export async function* followDeliveries(
  api: Api,
  webhookId: string,
  { since, signal, note }: Following,
): AsyncGenerator<Row, void, void> {
  const from = route`/webhooks/${webhookId}/deliveries`;
  // Ids of deliveries are numbers that grow.
  let last = -1;
  const look = async (): Promise<number[]> => {
    const found: number[] = [];
    const listing = { from, field: 'deliveries', query: { since, limit: 100 } };
    for await (const { rows } of readPages(api, listing)) {
      const ids = rows.map(({ id }) => Number(id));
      found.push(...ids.filter((id) => id > last));
      if (ids.some((id) => id <= last)) break;
    }
    return found.sort((one, other) => one - other);
  };
  let failures = 0;
  while (!signal.aborted) {
    let waitMs = LOOK_EVERY_MS;
    try {
      for (const id of await look()) {
        if (signal.aborted) return;
        const delivery = await api.get<Row>(`${from}/${id}`);
        last = id;
        yield delivery;
      }
      failures = 0;
    } catch (error) {
      waitMs = waitAfter(error, LOOK_EVERY_MS, failures);
      failures += 1;
      note(`${(error as Error).message}; asking again in ${Math.ceil(waitMs / 1000)} s`);
    }
    await pause(waitMs, signal);
  }
}
