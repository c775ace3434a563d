import type { EventStore } from '../../../src/events/store.ts';
import { createAlone, type ProcessLeases } from '../../../src/projections/coordination.ts';
import { type Caller, recordAnswers } from '../invariants/recorder.ts';
import { startWaybill, type WaybillOptions } from '../waybill.ts';
import type { World } from './world.ts';

export interface Instance {
  call: Caller;
  /** As after a signal. Stopping twice is once. */
  stop(): Promise<void>;
}

export interface InstanceOptions
  extends Pick<WaybillOptions, 'providerTimeoutMs' | 'tracing' | 'secret' | 'previousSecret'> {
  /** A connection of its own to the log; the world's unless given. */
  store?: EventStore;
  /** Leases that it shares with other instances. */
  processes?: ProcessLeases;
}

/** Pause between two renewals of a lease. */
const RENEW_EVERY_MS = 10;

/** A further instance on the world's log and views, as a server of its own; it is no worker. */
export const startInstance = async (
  { waybill, gate, answers }: World,
  { store = waybill.sealed, processes, ...settings }: InstanceOptions = {},
): Promise<Instance> => {
  const { views, keys, directory, clock } = waybill;
  const coordination = { ...createAlone(), ...(processes && { processes }) };
  const started = await startWaybill({
    over: { store, views, keys, coordination },
    soleWriter: false,
    role: 'api',
    directory,
    clock,
    providerUrl: gate.url,
    bounds: { leaseRenewEveryMs: RENEW_EVERY_MS },
    server: { drainTimeoutMs: 30_000 },
    ...settings,
  });
  let stopping: Promise<void> | undefined;
  return {
    call: recordAnswers(started.call, answers).call,
    stop() {
      stopping ??= started.stop();
      return stopping;
    },
  };
};
