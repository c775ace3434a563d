import { accountDecider } from '../../src/commands/account/account.ts';
import { createRefunds } from '../../src/commands/account/refunds.ts';
import { createContacts } from '../../src/commands/contacts/contacts.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import type { Lookups } from '../../src/commands/core/lookups.ts';
import { type RunningReactor, runReactor } from '../../src/commands/core/reactor.ts';
import { createDeadLetters } from '../../src/commands/inbound/dead-letters.ts';
import { createStatuses } from '../../src/commands/inbound/statuses.ts';
import { standardPlan } from '../../src/commands/pricing/pricing.ts';
import { defaultRateCard } from '../../src/commands/pricing/rate-card.ts';
import { createEmptying, createKeyDestroyer } from '../../src/commands/privacy/erasing.ts';
import { createRecoveries } from '../../src/commands/sending/recover.ts';
import { createTransmitter } from '../../src/commands/sending/send.ts';
import { createSendsUnderWay } from '../../src/commands/sending/sends-under-way.ts';
import { createOpening, forgetIn, opened } from '../../src/events/opened.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { type EventStore, START } from '../../src/events/store.ts';
import { createDataSubjects } from '../../src/keys/data-subjects.ts';
import { createWrapping } from '../../src/keys/wrapping.ts';
import { projections } from '../../src/projections/all.ts';
import { createEngine } from '../../src/projections/engine/engine.ts';
import { openSqliteViews } from '../../src/projections/sqlite/views.ts';
import type { Views } from '../../src/projections/views.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { createCountHeld } from '../../src/service/privacy/held-data.ts';
import { createFindJoined } from '../../src/service/privacy/privacy.ts';
import { countedIds, fixedClock } from './ambient.ts';
import { temporaryFolder } from './folder.ts';
import { createTurns } from './interleaving.ts';
import { createMemoryKeys } from './key-store.ts';
import { secrets } from './message-refs.ts';

export const ACCOUNT = 'acc_1';
export const PHONE = '100000000000001';

const logger = { info() {}, warn() {}, error() {} };
const never = new Promise<never>(() => undefined);

interface Life {
  is: boolean;
  end: AbortController;
}

/** Every method waits for the end of the process that calls it: then it never comes back. */
const heldBy = <T extends object>(life: Life, port: T): T =>
  Object.fromEntries(
    Object.entries(port).map(([name, method]) => [
      name,
      typeof method === 'function' && name !== 'follow'
        ? async (...what: unknown[]) => {
            if (!life.is) return never;
            const result = await method(...what);
            return life.is ? result : never;
          }
        : method,
    ]),
  ) as T;

/**
 * Instances of a service over one log, one store of keys and one store of read models: true components,
 * whose every step at one of these waits for its turn. The first of them does the work of a worker.
 */
export const createErasureSimulation = async (random: () => number) => {
  const folder = temporaryFolder();
  const log = await openSqliteStore({ directory: folder.path });
  const files = await openSqliteViews({ directory: folder.path });
  const turns = createTurns(random);
  const keys = createMemoryKeys();
  const wrapping = createWrapping(Buffer.alloc(32, 7));
  const clock = fixedClock();
  const ids = countedIds();
  /** What the provider accepted. */
  const accepted: { messageId: string; chargeId: string; to: string }[] = [];

  const logOf = (life: Life): EventStore => ({
    ...heldBy(life, log),
    async append(...what) {
      await turns.take();
      if (!life.is) return never;
      const appended = await log.append(...what);
      await turns.take();
      return life.is ? appended : never;
    },
    async *follow(position, signal, interest) {
      const signals = AbortSignal.any([life.end.signal, ...(signal ? [signal] : [])]);
      for await (const batch of log.follow(position, signals, interest)) {
        if (!life.is) await never;
        yield batch;
      }
      if (!life.is) await never;
    },
  });
  const viewsOf = (life: Life): Views => {
    const held = heldBy(life, files);
    const inTurn =
      <Args extends readonly unknown[], T>(method: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        await turns.take();
        return method(...args);
      };
    return { ...held, commit: inTurn(held.commit), replace: inTurn(held.replace) };
  };
  const provider = {
    async send(_: unknown, { chargeId, to }: { chargeId: string; to: string }) {
      await turns.take();
      const messageId = `wamid.S${accepted.length}`;
      accepted.push({ messageId, chargeId, to });
      await turns.take();
      return { kind: 'accepted' as const, messageId, recipientWaId: null };
    },
  } as unknown as Provider;
  const lookups = {
    account: async () => ({ id: ACCOUNT, organisationId: 'org_1', planId: standardPlan.planId }),
    plan: async () => standardPlan,
    rateCards: async () => [defaultRateCard],
    refundOf: async () => ({ refunded: false, asOfRevision: 1_000_000 }),
    messageOfCharge: async () => null,
    chargeClaims: async () => [],
    refundCauseOf: async () => undefined,
  } as unknown as Lookups;

  const boot = () => {
    const life: Life = { is: true, end: new AbortController() };
    const turning = logOf(life);
    const store = keys.open(async () => {
      await turns.take();
      if (!life.is) await never;
    });
    const subjects = createDataSubjects({ keys: store, wrapping, clock });
    const readable = opened(turning, subjects.ring);
    const writer = createWriter({ store: readable, clock, ids });
    const contacts = createContacts({ writer, subjects });
    const refunds = createRefunds({
      writer,
      account: accountDecider,
      store: readable,
      lookups,
      clock,
      onReversed: () => undefined,
      onPaused: () => undefined,
    });
    const sends = createSendsUnderWay({
      clock,
      monotonicMs: clock.now,
      soleWriter: false,
      providerTimeoutMs: 15_000,
    });
    const deadLetters = createDeadLetters({
      writer,
      lookups,
      subjects,
      secrets,
      onKept: () => undefined,
    });
    const recoveries = createRecoveries({
      writer,
      contacts,
      subjects,
      store: readable,
      refunds,
      lookups,
      sends,
      deadLetters,
      onFault: () => undefined,
    });
    const statuses = createStatuses({
      writer,
      contacts,
      subjects,
      links: { holdersOf: async () => [] },
      store: readable,
      recoveries,
      onOtherCategory: () => undefined,
    });
    const transmitter = createTransmitter({
      onFree: () => undefined,
      bytesPerMb: 1024 * 1024,
      writer,
      account: accountDecider,
      lookups,
      provider,
      refunds,
      sends,
      clock,
      contacts,
      subjects,
      secrets,
      recovery: {
        sent: async () => undefined,
        termOf: () => undefined,
        reversible: () => undefined,
      },
      onLeftOpen: () => undefined,
    });
    // The instance follows the log, as its look-ups do.
    const following = (async () => {
      for await (const _ of readable.follow(START, life.end.signal));
    })();
    const others = { writer, contacts, statuses, transmitter, following };
    return { life, store, subjects, sealed: turning, readable, ...others };
  };
  type Instance = ReturnType<typeof boot>;

  /** Runs the projections and the reactors of erasures. */
  const work = async ({ life, store, subjects, sealed, readable, writer }: Instance) => {
    const engine = createEngine({
      store: sealed,
      projections,
      clock,
      logger,
      open: createOpening(subjects.ring),
      batchDelayMs: 1,
      dropAfterMs: 1,
      views: viewsOf(life),
      forget: forgetIn(subjects.ring),
    });
    await Promise.all([engine.start(), turns.all()]);
    const { reader } = engine;
    const deps = {
      writer,
      keys: store,
      memory: subjects.ring,
      sweeper: engine,
      count: createCountHeld({ log: heldBy(life, log), reader }),
      findJoined: createFindJoined({ log: readable, reader }),
      onUnclean: () => undefined,
    };
    const reactors: RunningReactor[] = [createKeyDestroyer(deps), createEmptying(deps)].map(
      (reactor) => runReactor(reactor, { store: readable, onFailure: () => undefined }),
    );
    return { engine, reactors };
  };

  return {
    log,
    files,
    turns,
    keys,
    wrapping,
    clock,
    ids,
    accepted,
    boot,
    work,
    /** The process is gone: nothing of it reaches anything, and nothing comes back. */
    kill({ life }: Instance): void {
      life.is = false;
      life.end.abort();
    },
    async close(): Promise<void> {
      await files.close();
      await log.close();
      folder.remove();
    },
  };
};
