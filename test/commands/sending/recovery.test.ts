import { expect } from 'chai';
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
});
