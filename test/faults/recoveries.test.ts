import { expect } from 'chai';
import { chooseSeed, seeded } from '../support/faults/random.ts';
import { chargesOf, checkCharges, checkRecords } from '../support/invariants/charges.ts';
import { createSimulation } from '../support/recovery-simulation.ts';
import { runs } from '../support/runs.ts';

const STEPS = 40;
/** Longer than any send can take, and than the age at which a reservation is given back. */
const LONG_MS = 40 * 60_000;

/** What a key may do: one message at most, one charge that is kept, and one answer. */
const checkKeys = ({ events, accepted, told }: ReturnType<typeof createSimulation>): string[] => {
  const charges = chargesOf(events);
  const workOf = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'ChargeReserved' && event.meta.claim) {
      workOf.set(event.data.chargeId, event.meta.claim.id);
    }
  }
  const sent = Map.groupBy(accepted, ({ chargeId }) => workOf.get(chargeId));
  const kept = Map.groupBy(
    [...charges.values()].filter((charge) => charge.refunds.length === 0),
    ({ chargeId }) => workOf.get(chargeId),
  );
  const answers = Map.groupBy(told, ({ key }) => key);
  const more = (name: string, groups: Map<string | undefined, readonly unknown[]>) =>
    [...groups].flatMap(([work, all]) =>
      work !== undefined && all.length > 1 ? [`I9 ${all.length} ${name} of ${work}`] : [],
    );
  const differing = [...answers].flatMap(([key, all]) => {
    // A run that another has overtaken, or whose answer the log could not take, may have known less.
    const kept = new Set(all.filter(({ isKept }) => isKept).map(({ messageId }) => messageId));
    const named = new Set(all.flatMap(({ messageId }) => messageId ?? []));
    return [kept, named].flatMap((different) =>
      different.size > 1 ? [`I9 ${key} was answered by ${[...different].join()}`] : [],
    );
  });
  const unpaid = told.flatMap(({ key, messageId, isCharged }) => {
    const isPaid = [...charges.values()].some(
      ({ messages, refunds }) => messages[0]?.data.messageId === messageId && refunds.length === 0,
    );
    return !isCharged || isPaid
      ? []
      : [`I4 ${key}: ${messageId} is said to be charged, and has no charge`];
  });
  return [...more('messages', sent), ...more('charges', kept), ...differing, ...unpaid];
};

/** One life after the other, in an order that chance draws, and what is wrong at the end. */
const live = async (seed: number, soleWriter: boolean, keys = 0): Promise<string[]> => {
  const random = seeded(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const world = createSimulation(random, { soleWriter });
  await world.open();

  /** A status that tells the truth, of any message that the provider has taken. */
  const sayTrue = () => {
    const told = one(world.accepted);
    if (told) world.say(told.messageId, told.chargeId);
  };
  /** One that claims another charge: one that is used, is being sent, or has broken off. */
  const sayForged = () => {
    const chargeId = one(world.chargesReserved());
    if (chargeId) world.say(`wamid.forged.${Math.floor(random() * 6)}`, chargeId);
  };
  const advance = (upToMs: number) => () => world.clock.advance(Math.floor(random() * upToMs));
  const statuses = [sayTrue, sayTrue, sayForged, sayForged, sayForged];
  const long = () => world.clock.advance(random() < 0.3 ? 16 * 60_000 : 0);
  const plain = [
    world.send,
    world.send,
    ...statuses,
    world.sweep,
    world.crash,
    ...(soleWriter ? [] : [world.another]),
    advance(19_000),
    long,
  ];
  // Of two processes, one of which is frozen now and then while the other goes on.
  const ask = () => world.ask(`key-${Math.floor(random() * keys)}`);
  const paused = [
    world.beat,
    world.beat,
    () => world.freeze(),
    world.thaw,
    world.crash,
    world.another,
  ];
  const keyed = [
    ask,
    ask,
    ask,
    ask,
    sayTrue,
    sayForged,
    world.sweep,
    ...(soleWriter ? [world.crash] : paused),
    advance(6_000),
    advance(6_000),
    advance(60_000),
    long,
  ];
  const steps = keys > 0 ? keyed : plain;
  for (let step = 0; step < STEPS; step += 1) {
    one(steps)();
    await world.turns.some(Math.floor(random() * 8));
  }
  world.thaw();
  await world.turns.all();
  // In peace: what waits is decided, and what is open is given back.
  for (let run = 0; run < 8; run += 1) {
    world.clock.advance(LONG_MS);
    world.sweep();
    await world.turns.all();
  }
  const charges = chargesOf(world.events);
  const answeredWithout = world.answered.filter(
    (messageId) =>
      ![...charges.values()].some(
        ({ messages, refunds }) =>
          messages[0]?.data.messageId === messageId && refunds.length === 0,
      ),
  );
  // Each key is asked for once more, when nothing is under way.
  for (let key = 0; key < keys; key += 1) {
    world.ask(`key-${key}`);
    await world.turns.all();
  }
  return [
    ...checkKeys(world),
    ...checkCharges(charges, { mayBeOpen: false }),
    ...checkRecords(world.events),
    ...answeredWithout.map((id) => `I4 ${id} was answered 200 and has no charge of its own`),
  ];
};

/** Turns until a send with a key is over. */
const TURNS = 45;

/**
 * One of two processes stops after so many turns of a send, and goes on so much later, after the
 * other was asked for the same. What is wrong at the end, and what the other one told before.
 */
const pause = async (seed: number, turns: number, pauseMs: number) => {
  const world = createSimulation(seeded(seed), { soleWriter: false });
  await world.open();
  world.another();
  const beat = async () => {
    world.beat();
    await world.turns.all();
  };
  const ask = async (index: number) => {
    world.ask('key', index);
    await world.turns.all();
  };
  await beat();
  world.ask('key', 0);
  await world.turns.some(turns);
  world.freeze(0);
  for (let passedMs = 0; passedMs < pauseMs; passedMs += 4_000) {
    await beat();
    world.clock.advance(4_000);
    await beat();
    await ask(1);
  }
  const told = [...world.told];
  world.thaw();
  await world.turns.all();
  world.clock.advance(LONG_MS);
  world.sweep();
  await world.turns.all();
  for (const index of [0, 1]) await ask(index);
  const charges = chargesOf(world.events);
  return { told, problems: [...checkKeys(world), ...checkCharges(charges, { mayBeOpen: false })] };
};

describe('messages and charges, put together again @long', () => {
  const seed = chooseSeed();
  for (const [rounds, tag] of runs(6, 80)) {
    for (const soleWriter of [true, false]) {
      const how = `${soleWriter ? '' : ', over several processes'} (WAYBILL_FAULTS_SEED=${seed})${tag}`;
      it(`row 2: in any order of sends, statuses, sweeps and crashes a charge has one message${how}`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          expect(await live(seed + round, soleWriter), `seed ${seed + round}`).to.deep.equal([]);
        }
      });

      it(`row 67: in any order of repetitions, deaths and pauses a key is sent and charged once${how}`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const problems = await live(seed + round, soleWriter, 2);
          expect(problems, `seed ${seed + round}`).to.deep.equal([]);
        }
      });
    }
  }

  /** Every so manyth turn, and in the series each. */
  for (const [places, tag] of runs(15, TURNS)) {
    for (const [what, pauseMs] of [
      ['for seconds', 8_000],
      ['until its charge is given back', 60_000],
    ] as const) {
      it(`row 67: wherever a process is frozen in a send, ${what}, a key is sent and charged once${tag}`, async () => {
        for (let place = 0; place < places; place += 1) {
          const turns = place * (TURNS / places) + (seed % (TURNS / places));
          const { told, problems } = await pause(seed + turns, turns, pauseMs);
          const where = `seed ${seed}, after ${turns} turns`;
          expect(problems, where).to.deep.equal([]);
          if (pauseMs >= 60_000) expect(told, where).to.not.deep.equal([]);
        }
      });
    }
  }
});
