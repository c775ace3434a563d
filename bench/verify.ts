import { DatabaseSync } from 'node:sqlite';
import { openLog, verifyDirectory } from '../src/audit/offline.ts';
import { accountEvents, replay } from '../src/audit/replay.ts';
import { accountDecider } from '../src/commands/account/account.ts';
import type { AccountCommand, AccountState } from '../src/commands/account/state.ts';
import type { ChargeReserved } from '../src/events/account.ts';
import type { Intent } from '../src/events/content.ts';
import type { Fact, FactOf } from '../src/events/define.ts';
import { encode, versionOf } from '../src/events/index.ts';
import { MessageSent, messageStream, StatusUpdated } from '../src/events/message.ts';
import type { Price } from '../src/events/price.ts';
import { eventsFile } from '../src/events/sqlite/archive.ts';
import { selectRows } from '../src/events/sqlite/format.ts';
import { unpackRow } from '../src/events/sqlite/packing.ts';
import { openSqliteStore } from '../src/events/sqlite/store.ts';
import { type NewEvent, NO_STREAM } from '../src/events/store.ts';
import { isoTime } from '../src/shared/clock.ts';
import { systemIds } from '../src/shared/system.ts';
import { customer } from '../test/support/subjects.ts';
import { median, spread, temporaryFolder } from './support.ts';

// The rate of a verification, against a bare loop that reads and parses the same rows and against a
// replay of the same accounts. Two logs: movements alone, and with messages and statuses.

const option = (name: string, otherwise: number): number => {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? otherwise : Number(process.argv[index + 1]);
};
const ROUNDS = option('rounds', 5);
const MOVEMENTS = option('movements', 200_000);
const ACCOUNTS = option('accounts', 20);
/** One of this number of charges is refunded; the others are sent. */
const REFUND_EVERY = 10;
/** Events of one append. */
const CHUNK = 200;
const START_AT = Date.parse('2026-11-01T00:00:00.000Z');

const say = (line = '') => process.stdout.write(`${line}\n`);
const terms = { planId: 'standard', billing: 'credits', currency: 'USD' } as const;
const price: Price = {
  category: 'UTILITY',
  market: 'India',
  countryCode: 'IN',
  ...terms,
  planVersion: 1,
  rateCardId: 'default-usd-2026-10',
  providerCost: 1400,
  sellPrice: 1680,
  creditsRequired: 1,
  refundOnFailure: true,
};
const intentFor = (index: number): Intent => ({
  phoneNumberId: '106540352242922',
  to: `9198${String(10_000_000 + index).slice(-8)}`,
  source: 'notification',
  event: 'order_shipped',
  content: {
    type: 'notification',
    name: 'order_shipped',
    language: 'en_US',
    authentication: false,
    parameters: [`ORD-${index}`, `AWB${index}`, `https://shop.example/t/ORD-${index}`],
  },
  text: `Your order ORD-${index} has been shipped with tracking number AWB${index}. Track it here: https://shop.example/t/ORD-${index} . Thank you.`,
  contextMessageId: null,
  clientReference: `order-${index}`,
});

type Charge = FactOf<typeof ChargeReserved>['data'];

const messageFacts = (messageRef: string, { data }: { data: Charge }) => {
  const { accountId, chargeId, contactRef, price: paid, outline, at } = data;
  const { phoneNumberId } = outline;
  const sent = MessageSent.of({
    ...{ messageRef, messageId: `wamid.${messageRef}`, accountId, contactRef },
    ...{ phoneNumberId, chargeId },
    ...{ category: paid.category, recipient: null },
  });
  const statuses = ['sent', 'delivered', 'read'].map((status) =>
    StatusUpdated.of({
      ...{
        messageRef,
        accountId,
        contactRef,
        status,
        statusAt: at,
        recipient: null,
        messageId: null,
      },
      ...{ phoneNumberId: phoneNumberId ?? '', errorMessage: null },
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    }),
  );
  return [sent, ...statuses];
};

/** Writes through the real deciders and the real store. */
const write = async (directory: string, withMessages: boolean): Promise<void> => {
  const store = await openSqliteStore({ directory });
  let at = START_AT;
  const stamped = (facts: readonly Fact[], accountId: string): NewEvent[] =>
    facts.map((fact) => ({
      ...{ id: systemIds.uuid(), type: fact.type, version: versionOf(fact.type) },
      data: encode(fact, [customer]),
      meta: { at: isoTime(at), requestId: systemIds.uuid(), accountId },
    }));

  for (let account = 0; account < ACCOUNTS; account += 1) {
    const accountId = `acc_${systemIds.uuid().replaceAll('-', '')}`;
    const decider = accountDecider(accountId);
    let state: AccountState = decider.initial;
    let facts: Fact[] = [];
    let charges: { data: Charge; revision: number }[] = [];
    const decide = (command: AccountCommand): void => {
      at += 250;
      for (const fact of decider.decide(command, state, (one) => encode(one, [customer]))) {
        state = decider.evolve(state, fact);
        facts.push(fact);
        if (fact.type === 'ChargeReserved') {
          charges.push({ data: fact.data, revision: state.revision });
        }
      }
    };
    const flush = async (): Promise<void> => {
      const expected = state.revision - facts.length;
      await store.append(`account-${accountId}`, expected, stamped(facts, accountId));
      const sent = charges.filter(({ revision }) => revision % REFUND_EVERY !== 0);
      const messages = withMessages ? sent : [];
      await Promise.all(
        messages.map((charge) => {
          const messageRef = systemIds.uuid();
          const events = stamped(messageFacts(messageRef, charge), accountId);
          return store.append(messageStream(messageRef), NO_STREAM, events);
        }),
      );
      facts = [];
      charges = [];
    };
    decide({ type: 'Open', accountId, organisationId: 'org_1', name: 'Bench', terms });
    decide({ type: 'GrantCredits', at, amount: 1_000_000_000, reason: null, by: null });
    const due = Math.ceil(MOVEMENTS / ACCOUNTS);
    while (state.sequence < due) {
      const index = state.sequence;
      decide({
        type: 'Reserve',
        contactRef: customer.ref,
        at,
        reason: 'order_shipped',
        price,
        intent: intentFor(index),
      });
      const { data, revision } = charges.at(-1)!;
      if (revision % REFUND_EVERY === 0) {
        const reservation = { ...data, reservedAt: data.at, unrefundedAt: revision };
        decide({ type: 'Refund', at, cause: 'not_sent', reservation });
      }
      if (facts.length >= CHUNK) await flush();
    }
    if (facts.length > 0) await flush();
  }
  await store.close();
};

/** Reads and parses the same rows. */
const bareLoop = (directory: string): number => {
  const database = new DatabaseSync(eventsFile(directory), { readOnly: true });
  const page = selectRows(database, 'position > ? ORDER BY position LIMIT ?');
  let events = 0;
  for (let position = 0; ; ) {
    const rows = page.all(position, 1000).map(unpackRow);
    for (const { data, meta } of rows) {
      JSON.parse(data);
      JSON.parse(meta);
    }
    events += rows.length;
    if (rows.length === 0) break;
    position = rows.at(-1)!.position;
  }
  database.close();
  return events;
};

const replayAll = async (directory: string): Promise<number> => {
  const log = openLog(directory);
  const names = new DatabaseSync(eventsFile(directory), { readOnly: true });
  const opened = names.prepare("SELECT stream FROM log WHERE type = 'AccountOpened'").all();
  names.close();
  let movements = 0;
  for (const { stream } of opened) {
    const events = accountEvents(log, String(stream).slice('account-'.length));
    for await (const _ of replay(events)) movements += 1;
  }
  log.close();
  return movements;
};

const timed = async <T>(work: () => T | Promise<T>): Promise<{ seconds: number; result: T }> => {
  const startedAt = performance.now();
  const result = await work();
  return { seconds: (performance.now() - startedAt) / 1000, result };
};

const measure = async (what: string, withMessages: boolean): Promise<void> => {
  const folder = temporaryFolder();
  try {
    await write(folder.path, withMessages);
    const rates = { bare: [] as number[], replay: [] as number[], verify: [] as number[] };
    let events = 0;
    let movements = 0;
    for (let round = 0; round <= ROUNDS; round += 1) {
      const bare = await timed(() => bareLoop(folder.path));
      const replayed = await timed(() => replayAll(folder.path));
      const verified = await timed(() => verifyDirectory(folder.path));
      if (!verified.result.ok) throw new Error(JSON.stringify(verified.result.problems[0]));
      if (verified.result.movements !== replayed.result) throw new Error('the counts differ');
      // The first round warms up.
      if (round === 0) continue;
      events = bare.result;
      movements = replayed.result;
      rates.bare.push(events / bare.seconds);
      rates.replay.push(movements / replayed.seconds);
      rates.verify.push(movements / verified.seconds);
    }
    const toBare = rates.verify.map((rate, i) => (rate * events) / movements / rates.bare[i]!);
    const toReplay = rates.verify.map((rate, i) => rate / rates.replay[i]!);
    say(`${what}: ${movements} movements of ${ACCOUNTS} accounts in ${events} events`);
    say(`  verify, movements/s        ${spread(rates.verify, 0)}`);
    say(`  verify, events/s           ${Math.round((median(rates.verify) * events) / movements)}`);
    say(`  verify / bare loop         ${spread(toBare)}`);
    say(`  verify / replay            ${spread(toReplay)}`);
    say(`  replay, movements/s        ${spread(rates.replay, 0)}`);
    say(`  memory afterwards          ${Math.round(process.memoryUsage.rss() / 1024 / 1024)} MB`);
  } finally {
    folder.remove();
  }
};

say(`${ROUNDS} alternating rounds; ${process.version}`);
await measure('movements alone', false);
await measure('with messages and their statuses', true);
