import { expect } from 'chai';
import { chooseSeed, seeded } from '../support/faults/random.ts';
import { chargesOf, checkCharges, checkRecords } from '../support/invariants/charges.ts';
import { createSimulation } from '../support/recovery-simulation.ts';

const ROUNDS = Number(process.env.ROUNDS_X ?? 80);
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
    const different = new Set(all.map(({ messageId }) => messageId));
    return different.size > 1 ? [`I9 ${key} was answered by ${[...different].join()}`] : [];
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
  const ask = () => world.ask(`key-${Math.floor(random() * keys)}`);
  const keyed = [ask, ask, ask, ask, ask];
  const leased = [world.beat, world.beat, world.beat, world.freeze, world.thaw];
  const steps = [
    ...(keys > 0 ? keyed : []),
    ...(keys > 0 && !soleWriter ? leased : []),
    ...[world.send, world.send, sayTrue, sayTrue, sayForged, sayForged, sayForged],
    ...[world.sweep, world.crash],
    ...(soleWriter ? [] : [world.another]),
    () => world.clock.advance(Math.floor(random() * 19_000)),
    () => world.clock.advance(random() < 0.3 ? 16 * 60_000 : 0),
  ];
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

describe('messages and charges, put together again', () => {
  const seed = chooseSeed();
  for (const soleWriter of [true, false]) {
    const how = soleWriter ? '' : ', over several processes';
    it(`row 2: in any order of sends, statuses, sweeps and crashes a charge has one message${how} (WAYBILL_FAULTS_SEED=${seed})`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        expect(await live(seed + round, soleWriter), `seed ${seed + round}`).to.deep.equal([]);
      }
    });

    it(`row 67: in any order of repetitions, deaths and pauses a key is sent and charged once${how} (WAYBILL_FAULTS_SEED=${seed})`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const problems = await live(seed + round, soleWriter, 4);
        expect(problems, `seed ${seed + round}`).to.deep.equal([]);
      }
    });
  }
});
