import { expect } from 'chai';
import { chooseSeed, seeded } from '../support/faults/random.ts';
import { chargesOf, checkCharges, checkRecords } from '../support/invariants/charges.ts';
import { createSimulation } from '../support/recovery-simulation.ts';

const ROUNDS = 80;
const STEPS = 40;
/** Longer than any send can take, and than the age at which a reservation is given back. */
const LONG_MS = 40 * 60_000;

/** One life after the other, in an order that chance draws, and what is wrong at the end. */
const live = async (seed: number, soleWriter: boolean): Promise<string[]> => {
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
  const steps = [
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
  return [
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
  }
});
