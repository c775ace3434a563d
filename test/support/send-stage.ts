import { accountDecider } from '../../src/commands/account/account.ts';
import { createRefunds } from '../../src/commands/account/refunds.ts';
import type { AccountCommand } from '../../src/commands/account/state.ts';
import { createContacts } from '../../src/commands/contacts/contacts.ts';
import { createWriter } from '../../src/commands/core/execute.ts';
import type { Lookups } from '../../src/commands/core/lookups.ts';
import { createTransmitter } from '../../src/commands/sending/send.ts';
import { createSendsUnderWay } from '../../src/commands/sending/sends-under-way.ts';
import type { PlanTerms } from '../../src/events/pricing.ts';
import type { EventStore } from '../../src/events/store.ts';
import { grantCommand, openCommand, terms } from './account-commands.ts';
import { countedIds, fixedClock } from './ambient.ts';
import { createMemoryLog } from './interleaving.ts';
import { secrets } from './message-refs.ts';
import { memorySubjects } from './subjects.ts';
import { watched } from './watched.ts';

const ACCOUNT = 'acc_1';

type TransmitterDeps = Parameters<typeof createTransmitter>[0];
interface SendStage extends Partial<Pick<TransmitterDeps, 'bytesPerMb' | 'onLeftOpen' | 'onFree'>> {
  billing?: PlanTerms['billing'] | undefined;
  /** In credits, or in millionths. */
  balance: number;
  lookups: Partial<Lookups>;
  send: TransmitterDeps['provider']['send'];
  monotonicMs?: () => number;
  /** Runs before each append, whose first event is of this type. */
  beforeAppend?: (log: EventStore, type: string) => unknown;
}

/** A transmitter over a log in memory, for one account with a balance. */
export const openSendStage = async ({
  billing = 'credits',
  balance,
  monotonicMs = () => 0,
  beforeAppend = () => undefined,
  lookups,
  send,
  ...more
}: SendStage) => {
  const clock = fixedClock();
  const { store: memory, events } = createMemoryLog();
  const { log: store } = watched(memory, ([event]) => beforeAppend(memory, event!.type));
  const writer = createWriter({ store, clock, ids: countedIds() });
  const account = accountDecider(ACCOUNT);
  const context = { requestId: 'r', accountId: ACCOUNT };
  const run = (command: AccountCommand) => writer.execute(account, ACCOUNT, command, context);
  await run({ ...openCommand(ACCOUNT), terms: { ...terms, billing } });
  const money = grantCommand(balance);
  const topUp = { ...money, type: 'MoveWallet' as const, kind: 'top_up' as const };
  if (balance > 0) await run(billing === 'credits' ? money : topUp);
  const refundOf = async () => ({ refunded: false, counted: false, asOfRevision: 1e6 });
  const deps = {
    writer,
    account: accountDecider,
    clock,
    lookups: { refundOf, ...lookups } as Lookups,
    subjects: memorySubjects,
    secrets,
    contacts: createContacts({ writer, subjects: memorySubjects }),
    bytesPerMb: 1e6,
  };
  const refunds = createRefunds({
    ...deps,
    store,
    retryAfterMs: [],
    onReversed: () => undefined,
    onPaused: () => undefined,
  });
  const sends = createSendsUnderWay({
    clock,
    soleWriter: false,
    providerTimeoutMs: 15_000,
    monotonicMs,
  });
  const transmitter = createTransmitter({
    refunds,
    sends,
    runs: {
      sentEarlier: async () => undefined,
      termOf: () => undefined,
      reversible: () => undefined,
    },
    provider: { send },
    onLeftOpen: () => undefined,
    onFree: () => undefined,
    ...deps,
    ...more,
  });
  const balanceNow = async () => (await writer.load(account, ACCOUNT)).state.balance;
  return { ...deps, events, run, sends, transmitter, balance: balanceNow };
};
