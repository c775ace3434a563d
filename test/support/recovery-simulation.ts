import { accountDecider } from '../../src/commands/account/account.ts';
import { createRefunds } from '../../src/commands/account/refunds.ts';
import { createStuckRefunds } from '../../src/commands/account/stuck-refunds.ts';
import { createSweep } from '../../src/commands/account/sweep.ts';
import { createContacts } from '../../src/commands/contacts/contacts.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import type { Lookups } from '../../src/commands/core/lookups.ts';
import { createDeadLetters } from '../../src/commands/inbound/dead-letters.ts';
import { Rejected } from '../../src/commands/inbound/rejected.ts';
import { createStatuses } from '../../src/commands/inbound/statuses.ts';
import { standardPlan } from '../../src/commands/pricing/pricing.ts';
import { defaultRateCard } from '../../src/commands/pricing/rate-card.ts';
import { createRecoveries } from '../../src/commands/sending/recoveries.ts';
import { createSendsUnderWay } from '../../src/commands/sending/sends-under-way.ts';
import { createTransmitter } from '../../src/commands/sending/transmit.ts';
import type { KnownEvent } from '../../src/events/index.ts';
import type { EventStore } from '../../src/events/store.ts';
import { chargeclaims } from '../../src/projections/charge-claims.ts';
import { messages } from '../../src/projections/messages.ts';
import { reservations } from '../../src/projections/reservations.ts';
import type { Provider, Sender } from '../../src/provider/provider.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { countedIds, fixedClock } from './ambient.ts';
import { createMemoryLog, createTurns } from './interleaving.ts';
import { secrets } from './message-refs.ts';
import { foldAll } from './projections.ts';
import { intent, NOW } from './samples.ts';
import { memorySubjects } from './subjects.ts';

const ACCOUNT = 'acc_1';
const sender: Sender = {
  ...{ phoneNumberId: '100000000000001', wabaId: '200000000000002' },
  ...{ accessToken: 'token', messagesPerSecond: 80 },
};
/** An append that has been on its way for longer is one that the log's time-out has ended. */
const APPEND_TIMEOUT_MS = 20_000;
export const STATUS_WORDS = ['sent', 'delivered', 'read', 'failed'];

const never = new Promise<never>(() => undefined);

/** What the provider accepted. */
interface Accepted {
  messageId: string;
  chargeId: string;
}

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
  let requests = 0;
  let alive = { is: true };

  /** The log as one process sees it: after its end nothing reaches it, and nothing comes back. */
  const seenBy = (life: { is: boolean }): EventStore => {
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      await turns.take();
      if (!life.is) return never;
      const done = await work().then(
        (value) => () => value,
        (error) => () => {
          throw error;
        },
      );
      await turns.take();
      return life.is ? done() : never;
    };
    return {
      ...log.store,
      append: (stream, expected, events) => {
        const begunAt = clock.now();
        return step(async () => {
          if (clock.now() - begunAt > APPEND_TIMEOUT_MS) throw new Error('the append timed out');
          return log.store.append(stream, expected, events);
        });
      },
      read: (stream, options) => step(() => log.store.read(stream, options)),
    };
  };

  const lookups = {
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
    async chargeClaims(wanted: Parameters<Lookups['chargeClaims']>[0]) {
      await turns.take();
      const all = [...foldAll(chargeclaims, log.events).values()].map(({ document }) => document);
      return 'chargeId' in wanted
        ? all.filter(({ chargeId }) => chargeId === wanted.chargeId)
        : all.filter(({ reservedAt }) => reservedAt < wanted.reservedBefore);
    },
    async openReservations(before: string) {
      await turns.take();
      const all = [...foldAll(reservations, log.events).values()].map(({ document }) => document);
      return all.filter(({ reservedAt }) => reservedAt < before);
    },
  } as unknown as Lookups;

  const provider = {
    async send(_: Sender, { chargeId }: { chargeId: string }) {
      await turns.take();
      const messageId = `wamid.${accepted.length + 1}`;
      accepted.push({ messageId, chargeId });
      await turns.take();
      return { kind: 'accepted' as const, messageId, recipientWaId: null };
    },
  } as unknown as Provider;

  const boot = () => {
    const life = { is: true };
    alive = life;
    const store = seenBy(life);
    const writer = createWriter({ store, clock, ids });
    const subjects = memorySubjects;
    const contacts = createContacts({ writer, subjects });
    const refunds = createRefunds({
      ...{ writer, account: accountDecider, store, lookups, clock },
      ...{ onReversed: () => undefined, onPaused: () => undefined },
    });
    const sends = createSendsUnderWay({
      ...{ clock, monotonicMs: clock.now, soleWriter, providerTimeoutMs: 15_000 },
    });
    const onFault = (_: string, error: unknown) => void faults.push(error);
    const deadLetters = createDeadLetters({
      ...{ writer, lookups, subjects, secrets: createSecrets(Buffer.alloc(32, 1)) },
      onKept: () => undefined,
    });
    const recoveries = createRecoveries({
      ...{ writer, contacts, subjects, store, refunds, lookups, sends, deadLetters, clock },
      onFault,
    });
    const statuses = createStatuses({
      ...{ writer, contacts, subjects, store, recoveries, onOtherCategory: () => undefined },
    });
    const transmitter = createTransmitter({
      onFree: () => undefined,
      bytesPerMb: 1024 * 1024,
      ...{ writer, account: accountDecider, lookups, provider, refunds, sends, clock },
      ...{ contacts, subjects, secrets },
      recovery: { sent: async () => undefined, reversible: () => {} },
      onLeftOpen: () => undefined,
    });
    const stuck = createStuckRefunds(({ error }) => void faults.push(error));
    const sweep = createSweep({ lookups, refunds, recoveries, clock, stuck });
    return { writer, refunds, recoveries, statuses, transmitter, sweep };
  };
  let process = boot();

  const context = () => {
    requests += 1;
    return { requestId: `req_${requests}`, accountId: ACCOUNT };
  };

  const send = async () => {
    const content = intent().content;
    const outgoing = { sender, content, details: { template: null } };
    const draft = { category: 'UTILITY' as const, reason: 'order_shipped', outgoing };
    const { transmitter } = process;
    const sent = await transmitter.transmit({ ...draft, intent: intent() }, context());
    answered.push(sent.messageId);
  };

  const say = (messageId: string, chargeId: string) =>
    process.statuses.record(
      {
        ...{ messageRef: secrets.messageRef(messageId), messageId },
        ...{ chargeId, accountId: ACCOUNT, phoneNumberId: sender.phoneNumberId },
        status: STATUS_WORDS[Math.floor(random() * STATUS_WORDS.length)]!,
        ...{ statusAt: isoTime(clock.now()), recipientWaId: null, pricing: null },
        ...{ errorCode: null, errorMessage: null },
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
    ...{ turns, clock, accepted, answered, faults, chargesReserved },
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
    say: (messageId: string, chargeId: string) => run(() => say(messageId, chargeId)),
    /** Asks whether a reservation is to be refunded, as the sweep does of each that is open. */
    async expire(chargeId: string): Promise<boolean | undefined> {
      let answer: boolean | undefined;
      const { refunds, recoveries } = process;
      run(async () => {
        const charge = await refunds.find(chargeId);
        answer = charge && (await recoveries.expire(charge, context()));
      });
      await turns.all();
      return answer;
    },
    sweep: () => run(() => process.sweep.run(context().requestId)),
    /** The process is gone, and another one starts. */
    crash() {
      alive.is = false;
      process = boot();
    },
    /** A further process beside this one, which goes on with what it has begun. */
    another() {
      process = boot();
    },
  };
};
