import {
  type Clocks,
  elapsedFromNow,
  LEASE_MS,
  type Lease,
  type Leases,
  leaseOf,
} from '../../commands/core/lease.ts';
import type { ProcessLeases } from '../../projections/coordination.ts';
import type { Ids } from '../../shared/clock.ts';
import { type Background, every } from './background.ts';

/** Pause between two renewals. */
const RENEW_EVERY_MS = 1_000;

/** The lease of this process, and what it knows of others. */
interface HeldLease extends Leases {
  /** Begins or renews the own lease, then ends those that others do not renew. */
  renew(): Promise<void>;
  /** Renews it every second. Resolves after the first attempt, whether or not the lease is held then. */
  start(): Promise<Background>;
}

interface Deps extends Clocks {
  processes: ProcessLeases;
  ids: Pick<Ids, 'uuid'>;
  /** Shorter, for tests. */
  renewEveryMs?: number | undefined;
}

/** A lease that is held from now on, until it is not renewed for too long. */
const createRenewable = (deps: Deps, id: string) => {
  let elapsedMs = elapsedFromNow(deps);
  return {
    lease: leaseOf(id, () => elapsedMs()),
    /** Asks `renew`. The new term begins before it is asked. */
    async renewed(renew: () => Promise<boolean>): Promise<boolean> {
      const since = elapsedFromNow(deps);
      const isRenewed = await renew();
      if (isRenewed) elapsedMs = since;
      return isRenewed;
    },
  };
};

/**
 * Renews the lease of this process, and ends those of others that are not renewed. A process that
 * was frozen finds its own ended, and begins another one. While the store of leases is away none is
 * ended, and this process holds none: what its requests do is then over by their age alone.
 */
export const holdLease = (deps: Deps): HeldLease => {
  const { processes, ids, renewEveryMs = RENEW_EVERY_MS } = deps;
  let own: ReturnType<typeof createRenewable> | undefined;
  let ended: ReadonlyMap<string, number> = new Map();

  const renew = async (): Promise<void> => {
    const before: Lease | undefined = own?.lease;
    if (!before || !(await own!.renewed(() => processes.renew(before.id)))) {
      const next = createRenewable(deps, ids.uuid());
      await processes.begin(next.lease.id);
      own = next;
    }
    ended = await processes.endSilent(LEASE_MS);
  };

  return {
    current: () => (own?.lease.isHeld() ? own.lease : undefined),
    endedForMs: (id) => ended.get(id),
    renew,
    async start() {
      const first = Promise.withResolvers<void>();
      // A failure shows in the health of the read models: they are in the same store.
      const renewing = every(renewEveryMs, () => renew().finally(first.resolve));
      await first.promise;
      return renewing;
    },
  };
};
