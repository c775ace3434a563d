import { accountDecider } from '../../src/commands/account/account.ts';
import { createRefunds } from '../../src/commands/account/refunds.ts';
import { createStuckRefunds } from '../../src/commands/account/stuck-refunds.ts';
import { createSweep } from '../../src/commands/account/sweep.ts';
import { createContacts } from '../../src/commands/contacts/contacts.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import { noLeases } from '../../src/commands/core/lease.ts';
import type { Lookups } from '../../src/commands/core/lookups.ts';
import { createClaimedRuns } from '../../src/commands/idempotency/claimed-runs.ts';
import { createIdempotency } from '../../src/commands/idempotency/idempotency.ts';
import { createDeadLetters } from '../../src/commands/inbound/dead-letters.ts';
import { Rejected } from '../../src/commands/inbound/rejected.ts';
import { createStatusUpdates } from '../../src/commands/inbound/status-updates.ts';
import { standardPlan } from '../../src/commands/pricing/pricing.ts';
import { defaultRateCard } from '../../src/commands/pricing/rate-card.ts';
import { createRecovery } from '../../src/commands/sending/recovery.ts';
import type { AccountContext } from '../../src/commands/sending/reserve.ts';
import { createTransmitter } from '../../src/commands/sending/send.ts';
import { createSendsUnderWay } from '../../src/commands/sending/sends-under-way.ts';
import { decode, type KnownEvent } from '../../src/events/index.ts';
import type { EventStore, NewEvent } from '../../src/events/store.ts';
import { chargeclaims } from '../../src/projections/charge-claims.ts';
import { messages } from '../../src/projections/messages.ts';
import { createProcessLeases } from '../../src/projections/mongodb/lease.ts';
import { refunds as refundsView } from '../../src/projections/refunds.ts';
import { reservations } from '../../src/projections/reservations.ts';
import type { Provider, Sender } from '../../src/provider/provider.ts';
import { createMemo } from '../../src/service/lookups/lookup-cache.ts';
import { holdLease } from '../../src/service/workers/process-lease.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { isRefusal } from '../../src/shared/errors.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { countedIds, fixedClock } from './ambient.ts';
import { createMemoryLog, createTurns } from './interleaving.ts';
import { secrets } from './message-refs.ts';
import { createFakeMongo } from './mongodb/fake.ts';
import { foldAll } from './projections.ts';
import { intent, NOW } from './samples.ts';
import { memorySubjects } from './subjects.ts';

const ACCOUNT = 'acc_1';
const sender: Sender = {
  phoneNumberId: '100000000000001',
  wabaId: '200000000000002',
  accessToken: 'token',
  messagesPerSecond: 80,
};
/** An append that has been on its way for longer is one that the log's time-out has ended. */
const APPEND_TIMEOUT_MS = 20_000;
/** No process is frozen for longer between its last look at the clock and the record of its message. */
const RECORD_AFTER_LOOK_MS = 25_000;
export const STATUS_WORDS = ['sent', 'delivered', 'read', 'failed'];

const never = new Promise<never>(() => undefined);

/** What the provider accepted. */
interface Accepted {
  messageId: string;
  chargeId: string;
}

/** One life of a process. */
interface Life {
  is: boolean;
  /** While it is frozen: resolves when it goes on. */
  frozen?: Promise<void> | undefined;
  thaw?: () => void;
  /** When it last looked whether it may record the message of a charge. */
  looked: Map<string, number>;
}

/** The charge whose message these events record as its own send does. */
const chargeSentBy = (events: readonly NewEvent[]): string => {
  const place = { stream: '', revision: 0, position: '' };
  for (const event of events) {
    const known = decode({ ...event, ...place }) as KnownEvent;
    if (known.type === 'MessageSent' && !known.data.recovered) return known.data.chargeId;
  }
  return '';
};

/** What a caller was told of a request with a key. */
interface Told {
  key: string;
  /** Of a message that went out; null where the outcome is unknown. */
  messageId: string | null;
  /** Whether the answer says that the message was charged. */
  isCharged: boolean;
}

/** An answer, and whether the log has it, so that later requests get the same. */
type Heard = Told & { isKept: boolean };

/**
 * Sends, statuses, sweeps and crashes of true components over a log in memory. Each read and each
 * append waits for its turn, so that chance decides what happens between any two of them.
 */
export const createSimulation = (random: () => number, { soleWriter }: { soleWriter: boolean }) => {
  const turns = createTurns(random);
  const log = createMemoryLog();
  const clock = fixedClock(NOW);
  const ids = countedIds();
  const accepted: Accepted[] = [];
  /** Messages of sends whose callers were told that they went out. */
  const answered: string[] = [];
  const faults: unknown[] = [];
  const told: Heard[] = [];
  const mongo = createFakeMongo();
  let requests = 0;

  /** A turn of a process: none after its end, and none while it is frozen. */
  const turnOf = async (life: Life): Promise<void> => {
    await turns.take();
    while (life.frozen) {
      await life.frozen;
      await turns.take();
    }
    if (!life.is) await never;
  };

  /** The log as one process sees it: after its end nothing reaches it, and nothing comes back. */
  const seenBy = (life: Life): EventStore => {
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      await turnOf(life);
      const done = await work().then(
        (value) => () => value,
        (error) => () => {
          throw error;
        },
      );
      await turnOf(life);
      return done();
    };
    return {
      ...log.store,
      append: (stream, expected, events) => {
        const begunAt = clock.now();
        const lookedAt = life.looked.get(chargeSentBy(events)) ?? Number.POSITIVE_INFINITY;
        return step(async () => {
          if (clock.now() - begunAt > APPEND_TIMEOUT_MS) throw new Error('the append timed out');
          if (clock.now() - lookedAt > RECORD_AFTER_LOOK_MS) throw new Error('frozen for too long');
          return log.store.append(stream, expected, events);
        });
      },
      read: (stream, options) => step(() => log.store.read(stream, options)),
    };
  };

  const lookups = {
    memo: () => createMemo(() => 1),
    account: async () => ({ id: ACCOUNT, organisationId: 'org_1', planId: standardPlan.planId }),
    plan: async () => standardPlan,
    rateCards: async () => [defaultRateCard],
    refundOf: async () => ({ refunded: false, asOfRevision: 1_000_000 }),
    async messageOfCharge(_: string, chargeId: string) {
      await turns.take();
      // Now and then the read models are behind.
      if (random() < 0.1) return null;
      const found = [...foldAll(messages, log.events).values()].find(
        ({ document }) => document.recorded && document.chargeId === chargeId,
      );
      return found?.document.messageRef;
    },
    async refundCauseOf(chargeId: string) {
      await turns.take();
      const known = foldAll(refundsView, log.events).get(chargeId)?.document;
      return known?.of === 'charge' && random() < 0.9 ? known.cause : undefined;
    },
    async chargeClaims(wanted: Parameters<Lookups['chargeClaims']>[0]) {
      await turns.take();
      const all = [...foldAll(chargeclaims, log.events).values()].map(({ document }) => document);
      return 'chargeId' in wanted
        ? all.filter(({ chargeId }) => chargeId === wanted.chargeId)
        : all.filter(({ reservedAt }) => reservedAt > wanted.reservedAfter);
    },
    async openReservations(before: string) {
      await turns.take();
      const all = [...foldAll(reservations, log.events).values()].map(({ document }) => document);
      return all.filter(({ reservedAt }) => reservedAt !== null && reservedAt < before);
    },
  } as unknown as Lookups;

  const providerOf = (life: Life) =>
    ({
      async send(_: Sender, { chargeId }: { chargeId: string }) {
        await turnOf(life);
        const messageId = `wamid.${accepted.length + 1}`;
        accepted.push({ messageId, chargeId });
        await turnOf(life);
        return { kind: 'accepted' as const, messageId, recipientWaId: null };
      },
    }) as unknown as Provider;

  /** The lease of one of several processes. */
  const leaseOf = (life: Life) =>
    holdLease({
      processes: createProcessLeases(
        mongo.connect(() => turnOf(life)),
        clock.now,
      ),
      clock,
      ids,
      monotonicMs: clock.now,
    });

  const boot = () => {
    const life: Life = { is: true, looked: new Map() };
    const store = seenBy(life);
    const writer = createWriter({ store, clock, ids });
    const subjects = memorySubjects;
    const contacts = createContacts({ writer, subjects });
    const refunds = createRefunds({
      writer,
      account: accountDecider,
      store,
      lookups,
      clock,
      onReversed: () => undefined,
      onPaused: () => undefined,
    });
    const known = createSendsUnderWay({
      clock,
      monotonicMs: clock.now,
      soleWriter,
      providerTimeoutMs: 15_000,
    });
    const sends: typeof known = {
      ...known,
      mayRecord(charge) {
        life.looked.set(charge.chargeId, clock.now());
        return known.mayRecord(charge);
      },
    };
    const monotonicMs = clock.now;
    const lease = soleWriter ? undefined : leaseOf(life);
    const onFault = (_: string, error: unknown) => void faults.push(error);
    const deadLetters = createDeadLetters({
      writer,
      lookups,
      subjects,
      secrets: createSecrets(Buffer.alloc(32, 1)),
      onKept: () => undefined,
    });
    const recovery = createRecovery({
      writer,
      contacts,
      subjects,
      store,
      refunds,
      lookups,
      sends,
      deadLetters,
      onFault,
    });
    const { refundOpen } = recovery;
    const runs = createClaimedRuns({ store, refundOpen });
    const idempotency = createIdempotency({
      writer,
      runs,
      secrets,
      subjects,
      clock,
      ids,
      soleWriter,
      monotonicMs,
      leases: lease ?? noLeases,
      onFree: () => undefined,
      onUnsettled: () => undefined,
    });
    const statuses = createStatusUpdates({
      writer,
      contacts,
      subjects,
      links: { holdersOf: async () => [] },
      store,
      recovery,
      onOtherCategory: () => undefined,
    });
    const transmitter = createTransmitter({
      onFree: () => undefined,
      bytesPerMb: 1024 * 1024,
      writer,
      account: accountDecider,
      lookups,
      refunds,
      sends,
      clock,
      contacts,
      subjects,
      secrets,
      runs,
      provider: providerOf(life),
      onLeftOpen: () => undefined,
    });
    const stuck = createStuckRefunds(({ error }) => void faults.push(error));
    const sweep = createSweep({ lookups, refunds, recovery, clock, stuck });
    return { life, lease, writer, refunds, recovery, statuses, transmitter, idempotency, sweep };
  };
  let process = boot();
  /** All processes that have not ended. */
  let living = [process];

  const context = () => {
    requests += 1;
    return { requestId: `req_${requests}`, accountId: ACCOUNT };
  };

  const transmit = ({ transmitter }: typeof process, on: AccountContext) => {
    const content = intent().content;
    const outgoing = { sender, content, details: { template: null } };
    const draft = { category: 'UTILITY' as const, reason: 'order_shipped', outgoing };
    return transmitter.transmit({ ...draft, intent: intent() }, on);
  };
  const send = async () => {
    answered.push((await transmit(process, context())).messageId);
  };

  const anyOf = () => Math.floor(random() * living.length);

  /** A send with a key, as the edge makes one of it. */
  const ask = async (key: string, at: (typeof living)[number]) => {
    const route = 'POST /v1/notifications/send';
    const request = { ownerId: ACCOUNT, route, target: route, key, body: {}, contacts: [] };
    const on = context();
    const taken = await at.idempotency.claim({ ...request, isSend: true }, on);
    if (taken.kind === 'answered') {
      told.push({ ...(taken.answer.body as Told), isKept: true });
      return;
    }
    const answer = async (body: Told) => {
      await taken.settle({ kind: 'answered', status: 200, body, headers: {} });
      const isKept = log.events.some(
        ({ type, meta }) => type === 'RequestAnswered' && meta.requestId === on.requestId,
      );
      told.push({ ...body, isKept });
    };
    try {
      const { messageId, charge } = await transmit(at, { ...on, claim: taken.claim });
      await answer({ key, messageId, isCharged: charge.price.creditsRequired > 0 });
    } catch (error) {
      if (!isRefusal(error, 'provider.unknown_outcome')) {
        await taken.settle({ kind: 'interrupted' });
        throw error;
      }
      await answer({ key, messageId: null, isCharged: false });
    }
  };

  const say = (messageId: string, chargeId: string) =>
    process.statuses.record(
      {
        messageRef: secrets.messageRef(messageId),
        messageId,
        chargeId,
        accountId: ACCOUNT,
        phoneNumberId: sender.phoneNumberId,
        status: STATUS_WORDS[Math.floor(random() * STATUS_WORDS.length)]!,
        statusAt: isoTime(clock.now()),
        recipientWaId: null,
        pricing: null,
        errorCode: null,
        errorMessage: null,
      },
      context(),
    );

  const run = (work: () => Promise<unknown>) =>
    void work().catch((error) => {
      if (!(error instanceof Rejected)) faults.push(error);
    });

  const chargesReserved = () =>
    (log.events as KnownEvent[]).flatMap((event) =>
      event.type === 'ChargeReserved' ? [event.data.chargeId] : [],
    );

  return {
    events: log.events as readonly KnownEvent[],
    turns,
    clock,
    accepted,
    answered,
    told,
    faults,
    chargesReserved,
    refundCauses: () =>
      (log.events as KnownEvent[]).flatMap((event) =>
        event.type === 'ChargeRefunded' ? [event.data.cause] : [],
      ),
    /** The events of a stream, opened. */
    read: (stream: string) => log.store.read(stream),
    /** An account with money. */
    async open() {
      const terms = { planId: standardPlan.planId, billing: 'credits', currency: 'USD' } as const;
      const { execute } = process.writer;
      const on = context();
      const named = { organisationId: 'org_1', name: 'Shop', terms };
      const opening = execute(
        accountDecider(ACCOUNT),
        ACCOUNT,
        { type: 'Open', accountId: ACCOUNT, ...named },
        on,
      );
      const money = { amount: 1000, reason: null, by: null, at: clock.now() };
      const granting = execute(
        accountDecider(ACCOUNT),
        ACCOUNT,
        { type: 'GrantCredits', ...money },
        on,
      );
      await turns.all();
      await Promise.all([opening, granting]);
    },
    send: () => run(send),
    /** Sends with a key; repeated, it is a repetition, whose answers are in `told`. */
    ask: (key: string, index = anyOf()) => run(() => ask(key, living[index]!)),
    say: (messageId: string, chargeId: string) => run(() => say(messageId, chargeId)),
    /** Gives a charge back, as the sweep does with each that is open. */
    async refundOpen(chargeId: string, isOver = false): Promise<boolean | undefined> {
      let answer: boolean | undefined;
      const { refunds, recovery } = process;
      run(async () => {
        const charge = await refunds.find(chargeId);
        answer = charge && (await recovery.refundOpen(charge, context(), isOver));
      });
      await turns.all();
      return answer;
    },
    sweep: () => run(() => process.sweep.run(context().requestId)),
    /** The process is gone, and another one starts. */
    crash() {
      process.life.is = false;
      living = living.filter((one) => one !== process);
      process = boot();
      living.push(process);
    },
    /** A further process beside this one, which goes on with what it has begun. */
    another() {
      process = boot();
      living.push(process);
    },
    /** Each process renews its lease, and looks at those of the others. */
    beat() {
      for (const { life, lease } of living) if (!life.frozen) run(async () => lease?.renew());
    },
    /** One of the processes stops, and may go on later from where it was. */
    freeze(index = anyOf()) {
      const { life } = living[index]!;
      if (life.frozen) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      life.frozen = promise;
      life.thaw = () => {
        life.frozen = undefined;
        resolve();
      };
    },
    /** All that were frozen go on. */
    thaw() {
      for (const { life } of living) life.thaw?.();
    },
  };
};
