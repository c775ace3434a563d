import {
  type EventStoreDbStore,
  openEventStoreDb,
} from '../../../src/events/eventstoredb/store.ts';
import { startEventStoreDouble } from '../grpc/eventstore.ts';
import { notify } from '../surface.ts';
import type { Answer, Tenant } from '../waybill.ts';
import { type Instance, startInstance } from './instance.ts';
import { seeded } from './random.ts';
import { openWorld, type World } from './world.ts';

// Many sends at once against credit for fewer of them: exactly so many pass as are paid for.

/** Instances that take sends, on one log. */
export interface RaceTrack {
  /** Runs one race. What is wrong after it is told in sentences; none are wanted. */
  race(plan: { seed: number; sends: number }): Promise<RaceOutcome>;
  close(): Promise<void>;
}

interface RaceOutcome {
  /** What the credit was for, and how many sends were answered 200. */
  paidFor: number;
  sent: number;
  refused: number;
  problems: string[];
}

/** A machine that is busy with 1,000 sends is no reason to give up the log. */
const PATIENCE = { timeoutMs: 30_000, silenceMs: 30_000 };

/** What one `order_shipped` to India costs: a credit, or millionths of a dollar. */
const PRICE_MICROS = 1680;

const track = (world: World, others: readonly Instance[], more: () => Promise<void>): RaceTrack => {
  const callers = [world.call, ...others.map(({ call }) => call)];

  const refusalsIn = (answers: readonly Answer[]): string[] => {
    const bodies = new Set(
      answers.map(({ status, body: { error, ...rest } }) => {
        const isText = typeof error === 'string';
        return `${status} ${isText ? 'with' : 'without'} a text, ${JSON.stringify(rest)}`;
      }),
    );
    const whole =
      /^402 with a text, \{"reason":"INSUFFICIENT_(CREDITS|BALANCE)","category":"UTILITY"/;
    const wrong = [...bodies].filter((body) => !whole.test(body));
    // All are refused for want of the same: each says the price, and that nothing is left.
    return bodies.size > 1 || wrong.length > 0 ? [`refused as ${[...bodies].join(' and ')}`] : [];
  };

  const check = async (tenant: Tenant, paidFor: number, answers: readonly Answer[]) => {
    const problems: string[] = [];
    const sent = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    if (sent.length !== paidFor)
      problems.push(`${sent.length} were sent, ${paidFor} were paid for`);
    problems.push(...refusalsIn(refused));
    const ids = new Set(sent.map(({ body }) => body.messageId));
    if (ids.size !== sent.length) problems.push(`${sent.length} answers name ${ids.size} messages`);
    if (world.sendsOf(tenant).length !== paidFor) problems.push('the provider has seen others');
    const left = Number(await world.balance(tenant));
    if (left !== 0) problems.push(`${left} is left`);
    return { sent: sent.length, refused: refused.length, problems };
  };

  return {
    async race({ seed, sends }) {
      const random = seeded(seed);
      const paidFor = Math.floor(random() * (sends + 1));
      const wallet = ((paidFor * PRICE_MICROS) / 1_000_000).toFixed(5);
      const hasWallet = paidFor > 0 && random() < 0.5;
      const tenant = await world.tenant(hasWallet ? { wallet } : { credits: paidFor });
      const one = () => {
        const call = callers[Math.floor(random() * callers.length)]!;
        return notify({ call }, tenant);
      };
      const answers: readonly Answer[] = await Promise.all(Array.from({ length: sends }, one));
      const outcome = await check(tenant, paidFor, answers);
      const problems = await world.problems({ positions: 'ascending' });
      const all = [...outcome.problems, ...problems];
      return { ...outcome, paidFor, problems: all.map((what) => `seed ${seed}: ${what}`) };
    },
    async close() {
      for (const other of others) await other.stop();
      await world.close();
      await more();
    },
  };
};

/** One instance on its own files. */
export const openEmbeddedTrack = async (): Promise<RaceTrack> =>
  track(await openWorld(), [], async () => undefined);

/** So many instances, each with a connection of its own to one EventStoreDB, or its double. */
export const openSharedTrack = async (instances: number): Promise<RaceTrack> => {
  const double = await startEventStoreDouble();
  const stores: EventStoreDbStore[] = [];
  for (let index = 0; index < instances; index += 1) {
    stores.push(await openEventStoreDb({ url: double.url, ...PATIENCE }));
  }
  const world = await openWorld({ wrapStore: () => stores[0]! });
  const others: Instance[] = [];
  for (const store of stores.slice(1)) others.push(await startInstance(world, { store }));
  return track(world, others, async () => {
    for (const store of stores) await store.close();
    await double.close();
  });
};
