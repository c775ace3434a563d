import { randomUUID } from 'node:crypto';
import {
  type EventStoreDbOptions,
  type EventStoreDbStore,
  openEventStoreDb,
} from '../../../src/events/eventstoredb/store.ts';
import { type EventStoreDouble, startEventStoreDouble } from '../../support/grpc/eventstore.ts';
import { type Relay, startRelay } from '../../support/grpc/relay.ts';

export interface Bench {
  double: EventStoreDouble;
  relay: Relay;
  store: EventStoreDbStore;
  /** Another handle on the same log, with other settings. */
  open(options?: Partial<EventStoreDbOptions>): Promise<EventStoreDbStore>;
  /** Puts events of others into the log: a snapshot's, the server's own. */
  intersperse(stream: string, count: number, type?: string): void;
  /** Lines that were logged as warnings. */
  warnings: string[];
  close(): Promise<void>;
}

export const QUIET_MS = 40;
/** Longer than any test, so that a busy machine is no outage. */
const ENDLESS_MS = 600_000;
export const ENDLESS = {
  timeoutMs: ENDLESS_MS,
  settleMs: ENDLESS_MS,
  quietMs: ENDLESS_MS,
  silenceMs: ENDLESS_MS,
  outageMs: ENDLESS_MS,
};
/** Looks as soon as it is quiet. */
const PATIENT = { ...ENDLESS, quietMs: QUIET_MS };
/** For a test that waits a limit out: short enough that it is still fast. */
export const HASTY = {
  timeoutMs: 1_000,
  settleMs: 3_000,
  silenceMs: 3_000,
  quietMs: QUIET_MS,
  outageMs: 1_000,
};

/** A store on a double, over a network that can fail. */
export const openBench = async (
  settings: Partial<EventStoreDbOptions> = PATIENT,
): Promise<Bench> => {
  const double = await startEventStoreDouble();
  const relay = await startRelay(double.port);
  const warnings: string[] = [];
  const logger = { warn: (_: object, text: string) => warnings.push(text) };
  const url = `esdb://127.0.0.1:${relay.port}?tls=false`;
  const opened: EventStoreDbStore[] = [];
  const open: Bench['open'] = async (options = {}) => {
    const store = await openEventStoreDb({ url, logger, ...settings, ...options });
    opened.push(store);
    return store;
  };
  const nothing = new Uint8Array();
  return {
    double,
    relay,
    warnings,
    store: await open(),
    open,
    intersperse: (stream, count, type = 'Other') => {
      const proposed = Array.from({ length: count }, () => ({
        id: randomUUID(),
        type,
        contentType: 'application/octet-stream',
        data: nothing,
        metadata: nothing,
      }));
      double.log.append(stream, 'any', proposed);
    },
    close: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await relay.close();
      await double.close();
    },
  };
};
