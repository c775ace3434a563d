import { expect } from 'chai';
import { seeded } from '../../support/faults/random.ts';
import { createSimulation } from '../../support/recovery-simulation.ts';

/** A charge whose send ended with its process, after the provider took the message. */
const brokenOff = async () => {
  // This chance never makes the read models fall behind.
  const world = createSimulation(() => 0.5, { soleWriter: false });
  await world.open();
  world.send();
  while (world.accepted.length === 0) await world.turns.some(1);
  world.crash();
  await world.turns.all();
  const { messageId, chargeId } = world.accepted[0]!;
  expect(world.events.map(({ type }) => type)).to.not.include('MessageSent');
  return { world, messageId, chargeId };
};

const typesAfter = ({ events }: ReturnType<typeof createSimulation>, count: number) =>
  events.slice(count).map(({ type }) => type);

describe('a charge that was refunded before a status showed its message', () => {
  const refunded = async () => {
    const { world, messageId, chargeId } = await brokenOff();
    world.clock.advance(16 * 60_000);
    world.sweep();
    await world.turns.all();
    expect(world.events.at(-1)!.type).to.equal('ChargeRefunded');
    return { world, count: world.events.length, say: () => world.say(messageId, chargeId) };
  };
  const steps = [
    'StatusUpdated',
    'ChargeClaimed',
    'ChargeMatched',
    'RefundedSendCounted',
    'MessageSent',
  ];

  it('counts in the caps once, however often the status comes', async () => {
    const { world, count, say } = await refunded();
    for (let time = 0; time < 3; time += 1) {
      say();
      await world.turns.all();
    }
    expect(typesAfter(world, count)).to.deep.equal(steps);
  });

  for (const last of ['ChargeClaimed', 'ChargeMatched', 'RefundedSendCounted']) {
    it(`counts once when the process ends after ${last}`, async () => {
      const { world, count, say } = await refunded();
      say();
      for (let turn = 0; turn < 100 && world.events.at(-1)!.type !== last; turn += 1) {
        await world.turns.some(1);
      }
      world.crash();
      await world.turns.all();
      expect(typesAfter(world, count)).to.deep.equal(steps.slice(0, steps.indexOf(last) + 1));
      world.sweep();
      await world.turns.all();
      expect(typesAfter(world, count)).to.deep.equal(steps);
    });
  }
});

describe('a reservation that stays open', () => {
  it('is not given back while its send may be under way', async () => {
    const { world, chargeId } = await brokenOff();
    world.clock.advance(224_000);
    expect(await world.refundOpen(chargeId)).to.equal(false);
    world.clock.advance(2_000);
    expect(await world.refundOpen(chargeId)).to.equal(true);
    expect(world.events.slice(-2).map(({ type }) => type)).to.deep.equal([
      'ChargeExpired',
      'ChargeRefunded',
    ]);
  });

  it('is given back at once where its send is said to be over', async () => {
    const { world, chargeId } = await brokenOff();
    expect(await world.refundOpen(chargeId, true)).to.equal(true);
    expect(world.refundCauses()).to.deep.equal(['expired']);
  });

  it('becomes a message at once where its send is said to be over, and a status has claimed it', async () => {
    const { world, messageId, chargeId } = await brokenOff();
    world.say(messageId, chargeId);
    await world.turns.all();
    const count = world.events.length;
    expect(await world.refundOpen(chargeId, true)).to.equal(false);
    expect(typesAfter(world, count)).to.deep.equal(['ChargeMatched', 'MessageSent']);
  });

  it('becomes a message where a status that waits has claimed it', async () => {
    const { world, messageId, chargeId } = await brokenOff();
    const count = world.events.length;
    world.say(messageId, chargeId);
    await world.turns.all();
    expect(typesAfter(world, count)).to.deep.equal(['StatusUpdated', 'ChargeClaimed']);
    world.clock.advance(226_000);
    expect(await world.refundOpen(chargeId)).to.equal(false);
    expect(typesAfter(world, count + 2)).to.deep.equal(['ChargeMatched', 'MessageSent']);
  });

  it('goes to the first of several that claim it; the others are dead letters', async () => {
    const { world, messageId, chargeId } = await brokenOff();
    for (const id of [messageId, 'wamid.other']) {
      world.say(id, chargeId);
      await world.turns.all();
    }
    const count = world.events.length;
    world.clock.advance(226_000);
    expect(await world.refundOpen(chargeId)).to.equal(false);
    expect(typesAfter(world, count)).to.deep.equal([
      'ChargeMatched',
      'MessageSent',
      'DeadLetterKept',
      'ChargeClaimRefused',
    ]);
    const kept = world.events.find(({ type }) => type === 'DeadLetterKept')!;
    expect(kept.data).to.include({
      field: 'status',
      wabaId: null,
      phoneNumberId: '100000000000001',
    });
    const [letter] = await world.read(kept.stream);
    expect((letter!.data as { raw: string }).raw).to.include('wamid.other');
  });

  it('is decided alike in whatever order its claims are looked at', async () => {
    const random = seeded(7);
    const { world, messageId, chargeId } = await brokenOff();
    for (const id of [messageId, 'wamid.b', 'wamid.c']) world.say(id, chargeId);
    await world.turns.all();
    world.clock.advance(20 * 60_000);
    for (let run = 0; run < 3; run += 1) {
      world.sweep();
      await world.turns.some(Math.floor(random() * 9));
    }
    await world.turns.all();
    const types = world.events.map(({ type }) => type as string);
    const count = (type: string) => types.filter((one) => one === type).length;
    expect([count('MessageSent'), count('ChargeRefunded')]).to.deep.equal([1, 0]);
    expect(count('ChargeClaimRefused')).to.equal(2);
  });
});
